// The command line that does what the page does.

/** A word for a POSIX shell. */
export function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** An option with a value, which may begin with a hyphen. */
const given = (name, value) => (value.startsWith('-') ? quoted(`--${kebab(name)}=${value}`) : `--${kebab(name)} ${quoted(value)}`)

/** The options that take a list of names in one value. */
const JOINED = ['also', 'skip', 'only']

/** `abslink rewrite` with a base URL and options, from one file to another. */
export function rewriteCommand(base, options, file) {
  const words = ['abslink rewrite', given('baseUrl', base)]
  for (const [name, value] of Object.entries(options)) {
    if (value === true) words.push(`--${kebab(name)}`)
    else if (!Array.isArray(value)) words.push(given(name, value))
    else if (JOINED.includes(name)) words.push(given(name, value.join(',')))
    else words.push(...value.map((entry) => given(name, entry)))
  }
  return `${words.join(' ')} - < ${quoted(file)}`
}

/** `abslink resolve` of one reference. */
export function resolveCommand(base, reference) {
  return `abslink resolve ${given('baseUrl', base)} --explain --compare -- ${quoted(reference)}`
}
