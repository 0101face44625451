// The engine, in a thread of its own. It keeps the document and all that is known of it, and hands the page what
// that shows: a part of the document, some rows of the list, one explanation.

import { explain, links, rewriteBytes } from 'abslink-html/inline'
import { edits } from './edits.js'
import { isLong, partOf, parts } from './parts.js'
import { encodingOf, shown } from './text.js'

/** What is shown of a long text, such as that of a `data:` URL. */
const LONGEST = 400

/** How much of a file tells what it is. */
const START = 4000

let document = ''
let done = null

const short = (text) => (typeof text === 'string' && text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)

/** An object with its long texts cut. */
const shortened = (object) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, short(value)]))

/** Reads a file. Its text is for the page if that is in UTF-8 and no longer than `most`. */
async function open({ file, most }) {
  const bytes = new Uint8Array(await file.arrayBuffer())
  try {
    document = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return { start: document.slice(0, START), text: document.length > most ? null : document }
  } catch {
    document = bytes
    return { start: String.fromCharCode(...bytes.subarray(0, START)), text: null }
  }
}

/** The document and its encoding; a text is one in UTF-8, whatever it declares. */
function given(source, options) {
  const isText = typeof source === 'string'
  const bytes = isText ? new TextEncoder().encode(source) : source
  if (!isText) return { bytes, charset: options.charset, encoding: encodingOf(bytes, options.charset) }
  const isDeclared = encodingOf(bytes, undefined) === 'utf-8' && /utf-?8/i.test(source.slice(0, 1024))
  const needsCharset = !isDeclared && /[^\0-\x7f]/.test(source) && (options.as ?? 'html') === 'html'
  return { bytes, charset: options.charset ?? (needsCharset ? 'utf-8' : undefined), encoding: 'utf-8' }
}

/** Rewrites a document: all that the page wants to know at once. */
function work({ source, base, options }) {
  const began = performance.now()
  if (source !== undefined) document = source
  const { bytes, charset, encoding } = given(document, options)
  const settings = charset === undefined ? options : { ...options, charset }
  // Whoever asks for rows of a document that could not be done gets none.
  done = null
  const all = links(bytes, base, settings)
  const result = rewriteBytes(bytes, base, settings)
  const references = all.map((reference, index) => ({ ...reference, index })).sort((one, other) => one.start - other.start)
  const a = shown(bytes, encoding, references.flatMap(({ start, end }) => [start, end]))
  const b = result === bytes ? a.text : shown(result, encoding).text
  const { changes, places } = edits(a.text, b, references, a.at)
  const allParts = parts(a.text, b, changes)
  const counts = {}
  for (const [index, reference] of references.entries()) {
    reference.place = places[index]
    counts[reference.outcome] = (counts[reference.outcome] ?? 0) + 1
    if (reference.divergent !== undefined) counts.divergent = (counts.divergent ?? 0) + 1
  }
  done = { result, a: a.text, b, parts: allParts, references, settings }
  return {
    counts,
    references: references.length,
    changes: changes.length,
    parts: allParts.length,
    isEditable: typeof document === 'string' && !isLong(a.text),
    encoding,
    options: settings,
    bytes: [bytes.length, result.length],
    milliseconds: performance.now() - began,
  }
}

/** A part of the document, and of the result. */
function part({ number }) {
  const { fromA, toA, fromB, toB, line, changes } = done.parts[number]
  return { number, line, changes, a: done.a.slice(fromA, toA), b: done.b.slice(fromB, toB) }
}

/** A reference as a row of the list: its number in the document's order, and where it is in its part. */
function row(reference, number) {
  const { place } = reference
  const isAbsolute = (done.settings.to ?? 'absolute') === 'absolute'
  const part = partOf(done.parts, place.fromA)
  const { fromA, fromB } = done.parts[part]
  return {
    number,
    part,
    place: { fromA: place.fromA - fromA, toA: place.toA - fromA, fromB: place.fromB - fromB, toB: place.toB - fromB },
    line: reference.line,
    column: reference.column,
    element: reference.element,
    attribute: reference.attribute,
    kind: reference.kind,
    reference: short(reference.reference),
    becomes: short(reference.to ?? (isAbsolute && reference.outcome === 'relative' ? reference.absolute : null)),
    base: short(reference.base),
    baseFrom: reference.base_from,
    outcome: reference.outcome,
    divergent: short(reference.divergent),
  }
}

const FILTERS = {
  all: () => true,
  divergent: (reference) => reference.divergent !== undefined,
}

/** Some rows of the list; `filter` is an outcome, `all` or `divergent`. With `reference`, the page of the list that has it. */
function rows({ filter, from, count, reference }) {
  const numbered = done.references.map((reference, number) => ({ reference, number }))
  const is = FILTERS[filter] ?? ((reference) => reference.outcome === filter)
  const all = numbered.filter((entry) => is(entry.reference))
  const at = reference === undefined ? -1 : all.findIndex((entry) => entry.number === reference)
  if (at >= 0) from = at - (at % count)
  return { from, total: all.length, rows: all.slice(from, from + count).map((entry) => row(entry.reference, entry.number)) }
}

const attribute = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/** How a reference was resolved. It is resolved once more, alone, since all explanations of a long document would
 * be many times as long as that. */
function how({ number }) {
  const reference = done.references[number]
  const details = { ...row(reference, number), isWhole: reference.reference.length <= LONGEST, explained: null }
  if (reference.base === null) return details
  try {
    const page = `<a href="${attribute(reference.reference)}">`
    const [explained] = explain(page, reference.base, { resolver: 'rfc1808', placeholders: 'resolve' })
    if (explained) {
      const { steps, components, compare } = explained
      details.explained = {
        steps: steps.map(shortened),
        components: { base: shortened(components.base), reference: shortened(components.reference) },
        compare: compare.map(shortened),
      }
    }
  } catch {
    // The base URL is one to which nothing can be relative.
  }
  return details
}

/** The number of the reference at a place of a part. */
function at({ part, position }) {
  const place = done.parts[part].fromA + position
  const number = done.references.findLastIndex((reference) => reference.place.fromA <= place)
  return number >= 0 && done.references[number].place.toA >= place ? number : null
}

/** The result: its bytes, and its text for the clipboard. */
const result = () => done.result.slice()
const text = () => (done.b.length === done.result.length ? done.b : new TextDecoder(encodingOf(done.result, done.settings.charset), { ignoreBOM: true }).decode(done.result))

const TASKS = { open, work, part, rows, how, at, result, text }

self.onmessage = async ({ data: { id, task, ...given } }) => {
  try {
    if (task !== 'open' && task !== 'work' && done === null) throw new Error('there is no result')
    self.postMessage({ id, answer: await TASKS[task](given) })
  } catch (error) {
    self.postMessage({ id, failed: { name: error.name, code: error.code, message: error.message } })
  }
}
self.postMessage({ id: 0, answer: null })
