// What differs between a document and its result. Each change is a reference, whose place is known, so nothing has
// to be compared but what follows each: that takes no longer for a large document than reading it.

import { diff } from '@codemirror/merge'

/** How much of what follows a reference is looked for, and how far from it. */
const PROBE = 200
const REACH = 20_000

const escaped = (text) => text.replaceAll('&', '&amp;')

/** How a reference may be spelled in the result. */
function* spellings(before, { to, absolute, outcome }) {
  const url = to ?? (outcome === 'relative' ? absolute : null)
  if (url !== null && url !== undefined) {
    yield url
    yield escaped(url)
    yield escaped(url).replaceAll('"', '&quot;')
  }
  yield before
}

/** The places of references in a text and in its result, as `{ fromA, toA, fromB, toB }`, in the order of
 * `references`, whose places in the text `at` has; null if the two differ elsewhere too. */
function aligned(a, b, references, at) {
  const places = []
  let [doneA, doneB] = [0, 0]
  for (const [index, reference] of references.entries()) {
    const [from, to] = [at[2 * index], at[2 * index + 1]]
    if (from < doneA) {
      // It is in the one before: nothing is known of it alone.
      places.push({ ...places.at(-1) })
      continue
    }
    const fromB = doneB + from - doneA
    if (!same(a, doneA, from, b, doneB)) return null
    const next = nextPlace(at, index, to) ?? a.length
    const probe = a.slice(to, Math.min(next, to + PROBE))
    const isLast = next === a.length && to + PROBE >= a.length
    const follows = (toB) => b.startsWith(probe, toB) && (!isLast || toB + probe.length === b.length)
    let toB = -1
    for (const spelling of spellings(a.slice(from, to), reference)) {
      if (b.startsWith(spelling, fromB) && follows(fromB + spelling.length)) {
        toB = fromB + spelling.length
        break
      }
    }
    if (toB < 0) toB = isLast ? b.length - probe.length : found(b, probe, fromB)
    if (toB < fromB) return null
    places.push({ fromA: from, toA: to, fromB, toB })
    ;[doneA, doneB] = [to, toB]
  }
  return same(a, doneA, a.length, b, doneB) && a.length - doneA === b.length - doneB ? places : null
}

/** Where the next reference begins that is not in this one. */
function nextPlace(at, index, to) {
  for (let next = index + 1; 2 * next < at.length; next++) {
    if (at[2 * next] >= to) return at[2 * next]
  }
  return undefined
}

function found(b, probe, from) {
  const at = b.slice(from, from + REACH).indexOf(probe)
  return at < 0 ? -1 : from + at
}

/** Whether a piece of one text is at a place of the other. */
function same(a, from, to, b, at) {
  return b.startsWith(a.slice(from, to), at)
}

/** Where in the result a place is, by the changes. */
function moved(position, changes) {
  let [low, high] = [0, changes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (changes[middle].fromA <= position) low = middle + 1
    else high = middle
  }
  const last = changes[low - 1]
  if (!last) return position
  return position >= last.toA ? position + last.toB - last.toA : last.fromB
}

/** The changes that make `b` of `a`, and the places of all references in both. */
export function edits(a, b, references, at) {
  const places = aligned(a, b, references, at)
  if (places) {
    const isChanged = ({ fromA, toA, fromB, toB }, index) =>
      at[2 * index] === fromA && (toA - fromA !== toB - fromB || a.slice(fromA, toA) !== b.slice(fromB, toB))
    return { changes: places.filter(isChanged), places }
  }
  const changes = diff(a, b, { scanLimit: 2000, timeout: 3000 }).map(({ fromA, toA, fromB, toB }) => ({ fromA, toA, fromB, toB }))
  const located = references.map((_, index) => {
    const [fromA, toA] = [at[2 * index], at[2 * index + 1]]
    return { fromA, toA, fromB: moved(fromA, changes), toB: moved(toA, changes) }
  })
  return { changes, places: located }
}
