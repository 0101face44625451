// Elements, made without a parser: whatever text a document has stays text.

/** An element with properties or attributes, and children; children that are `false` or missing are left out. */
export function h(name, properties = {}, ...children) {
  const element = document.createElement(name)
  for (const [property, value] of Object.entries(properties)) {
    if (property in element) element[property] = value
    else element.setAttribute(property, value)
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false))
  return element
}

/** The element with an id. */
export const $ = (id) => document.getElementById(id)

const number = new Intl.NumberFormat('en')

/** A number with separators. */
export const formatted = (value) => number.format(value)

/** `one` or `many` of something, with the number. */
export const counted = (value, one, many = `${one}s`) => `${number.format(value)} ${value === 1 ? one : many}`

/** A length in bytes, for people. */
export function length(bytes) {
  if (bytes < 10_000) return counted(bytes, 'byte')
  return bytes < 1_000_000 ? `${number.format(Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Puts a text on the clipboard, and says so on the button. */
export async function copy(button, text) {
  const before = (button.dataset.label ??= button.textContent)
  try {
    await navigator.clipboard.writeText(text)
    button.textContent = 'Copied'
  } catch {
    button.textContent = 'Not copied: the browser forbids it'
  }
  setTimeout(() => (button.textContent = before), 2000)
}

/** A command line, which breaks between its words and not after a hyphen. */
export const words = (line) => line.split(/( )/).map((word) => (word === ' ' ? word : h('span', {}, word)))
