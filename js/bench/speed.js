// How long python3.11-doc takes: abslink-html, parse5-html-rewriting-stream and html-rewriter-wasm, in turn, in one run.
//
//     npm run bench            # the module in lib/module, which npm run build makes
//
// The others make the URLs of the attributes in PLACES absolute, by Node's URL: what a program of a few lines does.
// abslink-html does all that the command does: srcset, CSS, srcdoc, and what each reference is relative to.

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { HTMLRewriter } from 'html-rewriter-wasm'
import { RewritingStream } from 'parse5-html-rewriting-stream'
import * as abslink from '../lib/node.js'

const ROUNDS = Number(process.argv[2] ?? 7)
const PLACES = { a: 'href', area: 'href', link: 'href', img: 'src', script: 'src', iframe: 'src', form: 'action', source: 'src' }
const BASE = 'https://docs.example.org/3/'

const target = process.env.CARGO_TARGET_DIR ?? join(import.meta.dirname, '../../target')
const tree = join(target, 'corpus/python3.11-doc/usr/share/doc/python3.11/html')
const paths = readdirSync(tree, { recursive: true }).filter((path) => path.endsWith('.html'))
const pages = paths.map((path) => {
  const bytes = readFileSync(join(tree, path))
  return { bytes, text: bytes.toString(), base: new URL(path, BASE).href }
})
const size = pages.reduce((sum, { bytes }) => sum + bytes.length, 0)

/** What they are compared by: each takes a page, and gives the new one. */
const CONTESTANTS = {
  'abslink-html, strings': ({ text, base }) => abslink.rewrite(text, base),
  'abslink-html, bytes': ({ bytes, base }) => abslink.rewriteBytes(bytes, base),
  'parse5-html-rewriting-stream': ({ text, base }) => parse5(text, base),
  'html-rewriter-wasm': ({ bytes, base }) => htmlRewriter(bytes, base),
}

function parse5(text, base) {
  return new Promise((done, failed) => {
    const rewriter = new RewritingStream()
    rewriter.on('startTag', (tag, raw) => {
      const name = PLACES[tag.tagName]
      const attribute = name && tag.attrs.find((attribute) => attribute.name === name)
      if (!attribute || !URL.canParse(attribute.value, base)) return rewriter.emitRaw(raw)
      attribute.value = new URL(attribute.value, base).href
      rewriter.emitStartTag(tag)
    })
    const out = []
    rewriter.on('data', (chunk) => out.push(chunk))
    rewriter.on('end', () => done(out.join('')))
    rewriter.on('error', failed)
    rewriter.end(text)
  })
}

async function htmlRewriter(bytes, base) {
  const out = []
  const rewriter = new HTMLRewriter((chunk) => out.push(chunk))
  for (const [element, attribute] of Object.entries(PLACES)) {
    rewriter.on(`${element}[${attribute}]`, {
      element(element) {
        const value = element.getAttribute(attribute)
        if (URL.canParse(value, base)) element.setAttribute(attribute, new URL(value, base).href)
      },
    })
  }
  try {
    await rewriter.write(bytes)
    await rewriter.end()
    return Buffer.concat(out)
  } finally {
    rewriter.free()
  }
}

/** Whether the links of pages are absolute. */
const isDone = (page) => !/<a [^>]*href="(?!https?:|mailto:|ftp:|news:)[a-z.]/.test(page.toString())

const seconds = Object.fromEntries(Object.keys(CONTESTANTS).map((name) => [name, []]))
for (let round = 0; round <= ROUNDS; round++) {
  for (const [name, work] of Object.entries(CONTESTANTS)) {
    const start = performance.now()
    let last
    for (const page of pages) {
      last = work(page)
      if (last instanceof Promise) last = await last
    }
    // The first round warms up.
    if (round > 0) seconds[name].push((performance.now() - start) / 1000)
    if (!isDone(last)) throw new Error(`${name} left references: ${last}`)
  }
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]
const ours = median(seconds['abslink-html, strings'])
console.log(`Node ${process.versions.node}, ${pages.length} pages, ${(size / 1e6).toFixed(1)} MB, medians of ${ROUNDS} rounds`)
for (const [name, times] of Object.entries(seconds)) {
  const time = median(times)
  const [low, high] = [Math.min(...times), Math.max(...times)].map((time) => time.toFixed(3))
  console.log(`${name.padEnd(30)} ${time.toFixed(3)} s (${low} to ${high})  ${(size / 1e6 / time).toFixed(0).padStart(4)} MB/s  ${(time / ours).toFixed(1)}`)
}
