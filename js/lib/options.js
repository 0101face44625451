// The options: those of the command, by its names in camelCase. test/options.test.js holds them against the
// help of the command and against the package for Python.

const GROUPS = [
  'links', 'canonical', 'srcset', 'css', 'refresh', 'srcdoc', 'svg', 'legacy', 'noscript', 'feed', 'meta',
  'lazy', 'comments', 'json', 'amp', 'htmx', 'blocks', 'all',
]

/** A regular expression, as a type. */
const EXPRESSION = 'string | RegExp'

/** What an option takes: `one` of these names, a `list` of them, or a type. */
export const OPTIONS = {
  as: { one: ['html', 'xhtml', 'message', 'feed', 'css', 'manifest', 'speculation-rules'] },
  charset: { type: 'string' },
  resolver: { one: ['rfc1808', 'rfc3986', 'whatwg'] },
  fragments: { one: ['auto', 'resolve', 'keep'] },
  placeholders: { one: ['keep', 'resolve'] },
  also: { list: GROUPS },
  skip: { list: GROUPS },
  only: { list: GROUPS },
  attr: { list: null },
  excludeUrl: { type: EXPRESSION },
  to: { one: ['absolute', 'relative', 'root', 'keep'] },
  site: { list: null },
  moveUrl: { list: null },
  removeBase: { type: 'boolean' },
  unwrap: { type: 'boolean' },
  feedBase: { one: ['item', 'feed', 'document'] },
}

/** The kinds of documents that media types name; all else is HTML. */
const KINDS = [
  [/^text\/css$/, 'css'],
  [/^application\/manifest\+json$/, 'manifest'],
  [/^application\/speculationrules\+json$/, 'speculation-rules'],
  [/^message\/(rfc822|global)$|^multipart\/related$/, 'message'],
  [/^application\/(rss|atom|rdf|feed)\+(xml|json)$|^text\/x-opml$/, 'feed'],
  [/^application\/xhtml\+xml$/, 'xhtml'],
]

/** How many letters have to change to make one name of another. */
function distance(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i++) {
    let [before, left] = [row[0], i]
    row[0] = i
    for (let j = 1; j <= other.length; j++) {
      const changed = before + (one[i - 1].toLowerCase() !== other[j - 1].toLowerCase())
      before = row[j]
      left = Math.min(changed, row[j] + 1, left + 1)
      row[j] = left
    }
  }
  return row[other.length]
}

/** Says that there is no such name, and which is the nearest. */
function unknown(what, name, names) {
  const [near] = [...names].sort((a, b) => distance(name, a) - distance(name, b))
  return new TypeError(`${what}; is ${near} meant? There are: ${names.join(', ')}`)
}

function named(option, value, names) {
  if (typeof value !== 'string') throw new TypeError(`${option} is a string, and not ${shown(value)}`)
  if (!names.includes(value)) throw unknown(`${option} has no value ${shown(value)}`, value, names)
}

function shown(value) {
  return typeof value === 'string' ? JSON.stringify(value) : `of type ${value === null ? 'null' : typeof value}`
}

function check(option, value) {
  const { one, list, type } = OPTIONS[option]
  if (one) return named(option, value, one)
  if (type) {
    if (typeof value === type || (type === EXPRESSION && (typeof value === 'string' || isExpression(value)))) return
    throw new TypeError(`${option} is a ${type}, and not ${shown(value)}`)
  }
  if (!Array.isArray(value)) throw new TypeError(`${option} is a list of strings, and not ${shown(value)}`)
  for (const entry of value) {
    if (list) named(option, entry, list)
    else if (typeof entry !== 'string') throw new TypeError(`${option} is a list of strings, and one is ${shown(entry)}`)
  }
}

/** Whether a value is a RegExp, of another realm too. */
function isExpression(value) {
  return Object.prototype.toString.call(value) === '[object RegExp]'
}

/** A regular expression as the module takes it, which has it matched here: `/source/flags`. A string is one with the
 * flag `u`. One that goes on where it matched last would match every other time. */
function expression(option, value) {
  try {
    return String(isExpression(value) ? new RegExp(value.source, value.flags.replace(/[gy]/g, '')) : new RegExp(value, 'u'))
  } catch (error) {
    throw new TypeError(`${option}: ${error.message}`, { cause: error })
  }
}

/** The charset and the kind that a Content-Type names. */
function byContentType(value) {
  if (typeof value !== 'string') throw new TypeError(`contentType is a string, and not ${shown(value)}`)
  const found = {}
  const charset = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(value)
  if (charset) found.contentCharset = charset[1] ?? charset[2]
  const type = value.split(';')[0].trim().toLowerCase()
  const kind = KINDS.find(([pattern]) => pattern.test(type))
  if (kind) found.as = kind[1]
  return found
}

function mustBeObject(options) {
  if (typeof options === 'object' && !Array.isArray(options)) return
  throw new TypeError(`options are an object, and not ${Array.isArray(options) ? 'a list' : shown(options)}`)
}

/** Options as the module takes them, names and values with a NUL behind each; `more` are those that only one function
 * has, which it reads itself. */
export function compiled(options, isText, more = []) {
  const given = { isText }
  if (options === undefined || options === null) return listed(given)
  mustBeObject(options)
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || more.includes(name)) continue
    if (!Object.hasOwn(OPTIONS, name)) {
      throw unknown(`there is no option ${name} here`, name, [...Object.keys(OPTIONS), ...more])
    }
    check(name, value)
    given[name] = OPTIONS[name].type === EXPRESSION ? expression(name, value) : value
  }
  if (options.contentType !== undefined && more.includes('contentType')) {
    return listed({ ...byContentType(options.contentType), ...given })
  }
  return listed(given)
}

/** Each value of a list by itself; what is false is left out. A NUL in a value would end it. */
function listed(given) {
  let text = ''
  for (const [name, value] of Object.entries(given)) {
    for (const each of value === false ? [] : [value].flat()) text += `${name}\0${String(each).replaceAll('\0', '\ufffd')}\0`
  }
  return text
}

/** The name of a resolver. */
export function resolverOf(options) {
  if (options === undefined || options === null) return 'rfc1808'
  mustBeObject(options)
  for (const name of Object.keys(options)) {
    if (name !== 'resolver') throw unknown(`there is no option ${name} here`, name, ['resolver'])
  }
  const resolver = options.resolver ?? 'rfc1808'
  check('resolver', resolver)
  return resolver
}
