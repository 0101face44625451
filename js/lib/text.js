// Strings as the module takes them, in UTF-8. A string may have lone surrogates, which UTF-8 has not:
// characters of the last plane for private use stand for them meanwhile, so that they come out as they went in.

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** There are 16 blocks of characters that may stand for surrogates. */
const FIRST = 0x10_0000
const BLOCK = 0x1000

/** How the URL Standard would write one of them, before its last six characters. */
const escaped = (block) => encodeURIComponent(String.fromCodePoint(block)).slice(0, 6)

/** Of what does not occur in a text, the characters that begin with this one; none if all of them do. */
function standIns(text) {
  for (let block = FIRST + 15 * BLOCK; block >= FIRST; block -= BLOCK) {
    const [high] = String.fromCodePoint(block)
    const highs = [0, 1, 2, 3].map((more) => String.fromCharCode(high.charCodeAt(0) + more))
    if (!highs.some((high) => text.includes(high)) && !new RegExp(escaped(block), 'i').test(text)) return block
  }
  return null
}

/** A text in UTF-8, and what gives text of the module its surrogates again. */
export function encode(text) {
  if (text.isWellFormed()) return [encoder.encode(text), (text) => text]
  const block = standIns(text)
  if (block === null) return [encoder.encode(text), (text) => text]
  const put = text.replace(/\p{Surrogate}/gu, (lone) => String.fromCodePoint(block + lone.charCodeAt(0) - 0xd800))
  const last = String.fromCodePoint(block + BLOCK - 1)
  const stood = new RegExp(`[${String.fromCodePoint(block)}-${last}]`, 'gu')
  const wrote = new RegExp(`${escaped(block)}%[0-9a-f]{2}%[0-9a-f]{2}`, 'gi')
  const taken = (text) =>
    text
      .replace(stood, (stand) => String.fromCharCode(stand.codePointAt(0) - block + 0xd800))
      .replace(wrote, '%EF%BF%BD')
  return [encoder.encode(put), taken]
}

export function decode(bytes) {
  return decoder.decode(bytes)
}
