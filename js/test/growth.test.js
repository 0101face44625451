// The memory of the module does not grow from call to call.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'node:test'
import { document } from './generated.js'
import { installed, load } from './project.js'

const { Rewriter, RewriterStream, explain, links, rewrite, rewriteBytes } = await load()
const { memory } = await import(pathToFileURL(join(installed, 'lib/core.js')))

const CALLS = 100_000
const STREAMS = 20_000

const quiet = (call) => {
  try {
    return call()
  } catch {
    // The documents that cannot be read must not cost anything either.
  }
}

const documents = Array.from({ length: 100 }, (_, number) => document(number))

/** Runs something often; the memory may have grown in the first tenth only. */
async function often(times, work) {
  let early
  for (let count = 0; count < times; count++) {
    await work(count)
    if (count === times / 10) early = memory()
  }
  assert.equal(memory(), early)
}

test(`${CALLS} calls`, () =>
  often(CALLS, (count) => {
    const bytes = documents[count % documents.length]
    const base = `http://h/${count}/`
    const options = { also: count % 3 ? ['lazy'] : [], attr: [`a@data-${count % 50}`] }
    quiet(() => rewriteBytes(bytes, base, options))
    quiet(() => rewrite('<a href=x>\ud800', count % 10 ? base : 'nothing', count % 7 ? options : { excludeUrl: '(' }))
    if (count % 10 === 0) quiet(() => links(bytes, base, options))
    if (count % 100 === 0) quiet(() => explain(bytes, base))
    if (count % 100 === 0) quiet(() => new Rewriter(base, options).rewrite('<a href=x>'))
  }))

/** Ways in which streams end. */
const ENDS = [
  async (stream, bytes) => new Response(new Response(bytes).body.pipeThrough(stream)).arrayBuffer().catch(() => {}),
  async (stream, bytes) => {
    const writer = stream.writable.getWriter()
    writer.write(bytes).catch(() => {})
    await stream.readable.cancel('enough')
  },
  async (stream, bytes) => {
    const writer = stream.writable.getWriter()
    writer.write(bytes).catch(() => {})
    await writer.abort('enough')
  },
  async (stream) => {
    const reading = stream.readable.getReader().read()
    await stream.writable.getWriter().write('a string').catch(() => {})
    await reading.catch(() => {})
  },
]

for (const [number, end] of ENDS.entries()) {
  test(`${STREAMS} streams, ended in way ${number}`, () => {
    const page = Buffer.concat([Buffer.from('<a href=x>'.repeat(100)), ...documents.slice(0, 10)])
    return often(STREAMS, () => end(new RewriterStream('http://h/', { also: ['lazy'] }), page))
  })
}
