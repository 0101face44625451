// The text of a document as an editor shows it: decoded, and with one kind of line break.

const utf8 = () => new TextDecoder('utf-8', { ignoreBOM: true })

/** The encoding by which bytes are shown. What the document is read in, the engine decides by its own rules. */
export function encodingOf(bytes, charset) {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const start = String.fromCharCode(...bytes.subarray(0, 1024))
  const declared = charset ?? /charset\s*=\s*["']?([\w:.-]+)/i.exec(start)?.[1] ?? /^<\?xml[^>]*encoding\s*=\s*["']([\w:.-]+)/.exec(start)?.[1]
  if (declared) {
    try {
      return new TextDecoder(declared).encoding
    } catch {
      // It is no label of an encoding.
    }
  }
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}

/** Whether characters, bytes and places in an editor have the same numbers. */
function isPlain(bytes) {
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] > 0x7f || bytes[at] === 0x0d) return false
  }
  return true
}

const oneBreak = (text) => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text)

/** The text of bytes, and where in it the offsets are, which ascend. */
export function shown(bytes, encoding, offsets = []) {
  if (!encoding.startsWith('utf-16') && encoding !== 'iso-2022-jp' && isPlain(bytes)) {
    return { text: utf8().decode(bytes), at: offsets }
  }
  const decoder = new TextDecoder(encoding, { ignoreBOM: true })
  const pieces = []
  const at = []
  let [done, length] = [0, 0]
  for (const offset of [...offsets, bytes.length]) {
    const piece = oneBreak(decoder.decode(bytes.subarray(done, offset), { stream: true }))
    if (piece !== '') pieces.push(piece)
    length += piece.length
    done = Math.max(done, offset)
    at.push(length)
  }
  pieces.push(oneBreak(decoder.decode()))
  at.pop()
  return { text: pieces.join(''), at }
}
