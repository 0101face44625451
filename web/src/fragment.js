// The state in the URL's fragment, which browsers send to nobody: an example or the document itself, the base URL
// and the options, so that a question can be linked to.

import { OPTIONS } from 'abslink-html/options'
import { example } from './examples.js'

/** What the fragment may be as long as; some programs cut longer links. */
export const LONGEST = 8000

/** What a fragment may unpack to: a link must not fill the memory of who opens it. */
const MOST = 5_000_000

const LISTS = Object.keys(OPTIONS).filter((name) => 'list' in OPTIONS[name])

async function through(stream, bytes, most = Infinity) {
  const chunks = []
  let length = 0
  for await (const chunk of chunksOf(new Blob([bytes]).stream().pipeThrough(stream))) {
    length += chunk.length
    if (length > most) throw new Error('the document in the link is too long')
    chunks.push(chunk)
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

/** The chunks of a stream, which not every browser can iterate over. */
async function* chunksOf(stream) {
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}

const toBase64 = (bytes) =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')

const fromBase64 = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

/** A fragment without its `#`; null if it would be too long. */
export async function writeFragment({ example: name, text, base, options, selected }) {
  const fragment = new URLSearchParams()
  if (name) fragment.set('example', name)
  fragment.set('base', base)
  for (const [option, value] of Object.entries(options)) {
    for (const one of [value].flat()) fragment.append(option, one)
  }
  if (selected !== null) fragment.set('reference', selected + 1)
  if (!name) {
    // What is much longer does not get short enough, and packing it would take time.
    if (text === null || text.length > 40 * LONGEST) return null
    const packed = await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(text))
    fragment.set('document', toBase64(packed))
  }
  const all = fragment.toString()
  return all.length > LONGEST ? null : all
}

/** The state that a fragment has; null if it has none. What is not an option with a value that it takes is left out. */
export async function readFragment(fragment) {
  const given = new URLSearchParams(fragment)
  if (!given.has('example') && !given.has('document') && !given.has('base')) return null
  const from = example(given.get('example'))
  const options = {}
  for (const [name, { one, list, type }] of Object.entries(OPTIONS)) {
    const values = given.getAll(name)
    if (values.length === 0) continue
    if (one && one.includes(values[0])) options[name] = values[0]
    if (type === 'string') options[name] = values[0]
    if (type === 'boolean' && values[0] === 'true') options[name] = true
    if (LISTS.includes(name)) {
      const known = list ? values.filter((value) => list.includes(value)) : values
      if (known.length > 0) options[name] = known
    }
  }
  const packed = given.get('document')
  const text = packed === null ? null : new TextDecoder().decode(await through(new DecompressionStream('deflate-raw'), fromBase64(packed), MOST))
  return {
    example: from?.name ?? null,
    text: text ?? from?.document ?? '',
    base: given.get('base') ?? from?.base ?? '',
    // A link that somebody wrote by hand may have no more than the name of an example.
    options: given.has('base') ? options : { ...from?.options, ...options },
    selected: /^\d+$/.test(given.get('reference') ?? '') ? Number(given.get('reference')) - 1 : null,
  }
}
