// Documents of 5 MB, as they are hard for an editor.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const SIZE = 5_000_000

const times = (piece) => {
  const pieces = []
  for (let length = 0, number = 0; length < SIZE; number++) {
    const one = piece(number)
    pieces.push(one)
    length += one.length
  }
  return pieces.join('')
}

const DOCUMENTS = {
  'lines.html': () => times((number) => `<li class="entry"><a href="../chapter/${number}.html#top">Chapter ${number}</a> and some text\n`),
  'one-line.html': () => times((number) => `<li><a href="../chapter/${number}.html?a=1&amp;b=2">Chapter ${number}</a>`),
  'style.css': () => times((number) => `.icon-${number} { background: url(img/${number}.png) no-repeat }\n`),
  'data.html': () => `<base href="/a/"><img src="data:image/png;base64,${'A'.repeat(SIZE)}"><a href="b">b</a>`,
}

/** Writes them; by name, their paths. */
export function documents(folder) {
  return Object.fromEntries(
    Object.entries(DOCUMENTS).map(([name, make]) => {
      const path = join(folder, name)
      writeFileSync(path, make())
      return [name, path]
    }),
  )
}
