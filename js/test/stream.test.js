// A document in chunks is the same as in one piece, wherever it is cut.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { document } from './generated.js'
import { load } from './project.js'

const { AbslinkError, RewriterStream, rewriteBytes } = await load()
const { absolute } = await load('abslink-html/fetch')

const BASE = 'http://h/a/b'
const DOCUMENTS = 200

/** What comes out of a stream. */
async function through(chunks, options) {
  const source = new ReadableStream({
    start(to) {
      chunks.forEach((chunk) => to.enqueue(chunk))
      to.close()
    },
  })
  const out = []
  for await (const chunk of source.pipeThrough(new RewriterStream(BASE, options))) out.push(chunk)
  return Buffer.concat(out)
}

/** Either what is made of a document, or the code of the error. */
async function outcome(work) {
  try {
    return Buffer.from(await work())
  } catch (error) {
    assert.ok(error instanceof AbslinkError, error)
    return error.code
  }
}

test(`${DOCUMENTS} documents, cut at every byte`, async () => {
  let cuts = 0
  for (let number = 0; number < DOCUMENTS; number++) {
    const bytes = document(number)
    const expected = await outcome(() => rewriteBytes(bytes, BASE))
    const name = `${number}: ${bytes}`
    for (let at = 0; at <= bytes.length; at++, cuts++) {
      const got = await outcome(() => through([bytes.subarray(0, at), bytes.subarray(at)]))
      assert.deepEqual(got, expected, `${name} at ${at}`)
    }
    const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))
    assert.deepEqual(await outcome(() => through(single)), expected, name)
  }
  assert.ok(cuts > DOCUMENTS * 100, `${cuts} cuts`)
})

test('what is sure comes out before the document ends', async () => {
  const stream = new RewriterStream(BASE)
  const writer = stream.writable.getWriter()
  const reader = stream.readable.getReader()
  const row = Buffer.from('<base href=/x/><a href=y>text</a>\n'.repeat(1000))
  let came = 0
  const reading = (async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      came += value.length
    }
  })()
  for (let count = 0; count < 300; count++) await writer.write(row)
  const early = came
  await writer.close()
  await reading
  assert.ok(early > came / 2, `${early} of ${came} bytes`)
})

test('an error ends a stream', async () => {
  const late = [Buffer.from('<meta charset=koi8-r>'), 'a string']
  await assert.rejects(through(late), { name: 'TypeError', message: /the document is a Uint8Array, and not string/ })
})

test('a base URL that comes too late is an error', async () => {
  // More than the 8 MiB that are held back.
  const filler = Buffer.from(`<a href=x>${'x'.repeat(1 << 20)}`)
  const chunks = [...Array(12).fill(filler), Buffer.from('<base href=/z/><a href=y>')]
  await assert.rejects(through(chunks), { name: 'AbslinkError', code: 'late' })
})

test('Content-Type says what a stream is', async () => {
  const bytes = Buffer.from('<a href=caf\xe9>', 'latin1')
  const done = await through([bytes], { contentType: 'text/html; charset="ISO-8859-1"', resolver: 'whatwg' })
  assert.equal(done.toString(), '<a href=http://h/a/caf%C3%A9>')
  const xhtml = await through([Buffer.from('<a xmlns="http://www.w3.org/1999/xhtml" href="x"><![CDATA[<a href="x">]]></a>')], { contentType: 'application/xhtml+xml' })
  assert.equal(xhtml.toString(), '<a xmlns="http://www.w3.org/1999/xhtml" href="http://h/a/x"><![CDATA[<a href="x">]]></a>')
})

test('a response has absolute references, and the rest of it stays', async () => {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-length': '10', 'x-a': 'b' }
  const done = absolute(new Response('<a href=x>', { status: 404, statusText: 'Gone', headers }), BASE)
  assert.deepEqual([done.status, done.statusText, done.headers.get('x-a')], [404, 'Gone', 'b'])
  assert.equal(done.headers.get('content-length'), null)
  assert.equal(await done.text(), '<a href=http://h/a/x>')
})

test('a response that is no HTML, or a part of it, is the same response', () => {
  const html = { 'content-type': 'text/html' }
  const others = [
    new Response('x', { headers: { 'content-type': 'text/plain' } }),
    new Response('<a href=x>', { status: 206, headers: html }),
    new Response(null, { status: 304, headers: html }),
    new Response(new Uint8Array(3)),
  ]
  for (const response of others) assert.equal(absolute(response, BASE), response)
})
