// What cannot be done is an AbslinkError, whose code says what; the next call works.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'node:test'
import { installed, load } from './project.js'

const { AbslinkError, Rewriter, RewriterStream, check, explain, links, resolve, rewrite, rewriteBytes } = await load()
const { fail } = await import(pathToFileURL(join(installed, 'lib/core.js')))

const works = () => assert.equal(rewrite('<a href=x>', 'http://h/'), '<a href=http://h/x>')

function throws(code, call, message = /./) {
  assert.throws(call, (error) => error instanceof AbslinkError && error.code === code && message.test(error.message))
  works()
}

test('base', () => {
  for (const base of ['mailto:ann@example.org', 'x', '', '//h/', 'data:,x']) {
    throws('base', () => rewrite('<a href=x>', base), /as a base URL/)
    throws('base', () => rewriteBytes(Buffer.from('<a href=x>'), base))
    throws('base', () => links('<a href=x>', base))
    throws('base', () => explain('<a href=x>', base))
    throws('base', () => check('<a href=x>', { baseUrl: base }))
    throws('base', () => resolve(base, 'x'))
    throws('base', () => new Rewriter(base))
    throws('base', () => new RewriterStream(base))
  }
})

test('no message shows a password', () => {
  const hides = (call) => {
    assert.throws(call, (error) => !/s3cr3t/.test(error.message) && /\*\*\*/.test(error.message))
    works()
  }
  for (const url of ['u:s3cr3t@h', 'ci:s3cr3t@h/', 'mailto:http://u:s3cr3t@h/']) {
    hides(() => rewrite('<a href=x>', url))
    hides(() => resolve(url, 'x'))
    hides(() => rewrite('<a href=x>', 'http://h/', { to: 'root', site: [url] }))
    hides(() => rewrite('<a href=x>', 'http://h/', { moveUrl: [`${url}?=http://h/`] }))
  }
})

test('outgrown', () => {
  // One long base URL, many short references.
  const html = `<base href="/${'x'.repeat(100_000)}/">${'<a href=y>'.repeat(3_000)}`
  throws('outgrown', () => rewrite(html, 'http://h/'))
})

test('encoding', () => {
  throws('encoding', () => rewriteBytes(Buffer.from('\x1b$B<a href=g>\xff', 'latin1'), 'http://h/', { charset: 'iso-2022-jp' }))
})

test('damaged', () => {
  throws('damaged', () => rewriteBytes(Buffer.from('<rss><channel>'), 'http://h/', { as: 'feed' }))
})

test('unresolved', () => {
  throws('unresolved', () => resolve('http://h/', 'http://[', { resolver: 'whatwg' }))
})

test('what says itself how it is encoded is given as bytes', () => {
  const message = { name: 'TypeError', message: /as bytes/ }
  assert.throws(() => rewrite('Content-Type: text/html\n\n<a href=x>', 'http://h/', { as: 'message' }), message)
  assert.throws(() => rewrite('<?xml version="1.0" encoding="koi8-r"?><rss/>', 'http://h/', { as: 'feed' }), message)
})

test('panic: a fresh instance follows, and streams that were open end', async () => {
  const old = new Rewriter('http://h/', { also: ['lazy'] })
  const stream = new RewriterStream('http://h/')
  const writer = stream.writable.getWriter()
  const reading = stream.readable.getReader().read()
  reading.catch(() => {})
  await writer.write(Buffer.from('<a '))
  for (let count = 0; count < 20; count++) {
    throws('panic', () => fail('as a bug would'), /as a bug would.*please report this/s)
    assert.equal(old.rewrite('<a data-src=x>'), '<a data-src=http://h/x>')
  }
  const ended = { name: 'AbslinkError', code: 'panic', message: /another call/ }
  await assert.rejects(writer.write(Buffer.from('href=x>')), ended)
  await assert.rejects(reading, ended)
  const after = new Response('<a href=x>').body.pipeThrough(new RewriterStream('http://h/'))
  assert.equal(await new Response(after).text(), '<a href=http://h/x>')
})

test('nesting as deep as a document can be is no error', () => {
  const depth = 200_000
  const html = '<div>'.repeat(depth) + '<a href=x>' + '<svg>'.repeat(depth) + '<a href=y>'
  assert.ok(rewrite(html, 'http://h/').includes('<a href=http://h/x>'))
  assert.equal(rewrite('<b '.repeat(depth), 'http://h/'), '<b '.repeat(depth))
  const srcdoc = Array.from({ length: 12 }).reduce((html) => `<iframe srcdoc="${html.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">`, '<a href=x>')
  rewrite(srcdoc, 'http://h/')
  works()
})
