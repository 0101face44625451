// A long document is shown in parts, so that the page never works on more than one of them.

/** The most that can be edited, and the longest line of it, in characters. */
export const EDITABLE = 200_000
export const LONGEST_LINE = 20_000

/** How long a part is, and how far a line may end beyond that. Long lines are much more work for a browser. */
const PART = 40_000
const PART_OF_LINES = 10_000
const BEYOND = 4_000

/** Whether a document is shown in parts. */
export const isLong = (text) => text.length > EDITABLE || hasLine(text, LONGEST_LINE)

/** Whether a text has a line that is longer than that. */
function hasLine(text, longest) {
  for (let from = 0; text.length - from > longest; ) {
    const end = text.indexOf('\n', from)
    if (end < 0 || end - from > longest) return true
    from = end + 1
  }
  return false
}

const isLowSurrogate = (unit) => unit >= 0xdc00 && unit <= 0xdfff

/** Where a part that begins at `from` ends: behind a line if there is one, and never in a change. */
function end(text, from, changes, next) {
  const want = from + (hasLine(text.slice(from, from + PART), BEYOND) ? PART_OF_LINES : PART)
  if (want + BEYOND >= text.length) return [text.length, changes.length]
  const line = text.slice(want, want + BEYOND).indexOf('\n')
  let to = line < 0 ? want : want + line + 1
  while (next < changes.length && changes[next].fromA < to) {
    to = Math.max(to, changes[next].toA)
    next++
  }
  if (isLowSurrogate(text.charCodeAt(to))) to++
  return [to, next]
}

function breaks(text, from, to) {
  let count = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** The parts of a document and its result: `{ fromA, toA, fromB, toB, line, changes }`, with the changes in each,
 * relative to its beginning. */
export function parts(a, b, changes) {
  const all = []
  const isWhole = !isLong(a)
  let [from, next, shift, line] = [0, 0, 0, 1]
  do {
    const [to, after] = isWhole ? [a.length, changes.length] : end(a, from, changes, next)
    const last = changes[after - 1]
    const shiftAfter = last ? last.toB - last.toA : 0
    const fromB = from + shift
    const toB = to === a.length ? b.length : to + shiftAfter
    const own = changes.slice(next, after).map((change) => ({
      fromA: change.fromA - from, toA: change.toA - from, fromB: change.fromB - fromB, toB: change.toB - fromB,
    }))
    all.push({ fromA: from, toA: to, fromB, toB, line, changes: own })
    line += breaks(a, from, to)
    ;[from, next, shift] = [to, after, shiftAfter]
  } while (from < a.length)
  return all
}

/** The number of the part in which a place of the document is. */
export function partOf(all, position) {
  let [low, high] = [0, all.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (all[middle].fromA <= position) low = middle
    else high = middle - 1
  }
  return low
}
