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

const same = (value) => value

/**
 * A text in UTF-8, as `bytes`; what gives text of the module its surrogates again, `taken`; and what makes an index
 * into the text of one into what the module was given, `index`: a surrogate is one unit of UTF-16, and what stands
 * for it is two.
 */
export function encode(text) {
  const plain = () => ({ bytes: encoder.encode(text), taken: same, index: same })
  if (text.isWellFormed()) return plain()
  const block = standIns(text)
  if (block === null) return plain()
  // Where the stand-ins begin, in what the module is given.
  const at = []
  const put = text.replace(/\p{Surrogate}/gu, (lone, offset) => {
    at.push(offset + at.length)
    return String.fromCodePoint(block + lone.charCodeAt(0) - 0xd800)
  })
  const last = String.fromCodePoint(block + BLOCK - 1)
  const stood = new RegExp(`[${String.fromCodePoint(block)}-${last}]`, 'gu')
  const wrote = new RegExp(`${escaped(block)}%[0-9a-f]{2}%[0-9a-f]{2}`, 'gi')
  return {
    bytes: encoder.encode(put),
    taken: (text) =>
      text
        .replace(stood, (stand) => String.fromCharCode(stand.codePointAt(0) - block + 0xd800))
        .replace(wrote, '%EF%BF%BD'),
    index: (given) => given - before(at, given),
  }
}

/** How many of these numbers, which ascend, are less than one. */
function before(numbers, one) {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle] < one) low = middle + 1
    else high = middle
  }
  return low
}

export function decode(bytes) {
  return decoder.decode(bytes)
}
