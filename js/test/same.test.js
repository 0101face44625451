// The same bytes as the command's, on real pages and on generated documents.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { after, test } from 'node:test'
import { document } from './generated.js'
import { COMMAND, CORPUS, command, corpus, load, missing } from './project.js'

const { AbslinkError, Rewriter, links, rewrite, rewriteBytes } = await load()

const BASE = 'https://h.example/docs/'
const GENERATED = 20_000
const folder = mkdtempSync(join(tmpdir(), 'abslink-js-'))
// Of 40,000 files; rmSync takes its time.
after(() => execFileSync('rm', ['-r', folder]))

/** A tree as the command writes it: the URL of each document is its path below BASE, and links are taken as they are. */
function byCommand(tree, to) {
  const given = ['rewrite', '-q', '-b', BASE, '--index=none', '--converted-links', 'never', '-o', to, tree]
  // A document that is left as it is makes the exit code 2, and is copied.
  const { code, stderr } = command(given)
  assert.ok([0, 1, 2].includes(code), stderr)
}

/** The bytes by the package; those that are left as they are if it cannot read them. */
function byPackage(bytes, url) {
  try {
    return rewriteBytes(bytes, url)
  } catch (error) {
    assert.ok(error instanceof AbslinkError && error.code === 'encoding', error)
    return bytes
  }
}

const decoded = (bytes) => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

test('python3.11-doc', { skip: missing(COMMAND, CORPUS) }, () => {
  const tree = join(corpus, 'usr/share/doc/python3.11/html')
  byCommand(tree, join(folder, 'new'))
  const pages = readdirSync(tree, { recursive: true }).filter((path) => path.endsWith('.html'))
  assert.ok(pages.length > 400)
  for (const path of pages) {
    const bytes = readFileSync(join(tree, path))
    const expected = readFileSync(join(folder, 'new', path))
    const url = new URL(path.split(sep).map(encodeURIComponent).join('/'), BASE)
    assert.ok(expected.equals(byPackage(bytes, url)), path)
    assert.equal(rewrite(bytes.toString(), url), expected.toString(), path)
  }
})

test(`${GENERATED} generated documents`, { skip: missing(COMMAND) }, () => {
  mkdirSync(join(folder, 'old'))
  const documents = Array.from({ length: GENERATED }, (_, number) => document(number))
  documents.forEach((bytes, number) => writeFileSync(join(folder, `old/${number}.html`), bytes))
  byCommand(join(folder, 'old'), join(folder, 'generated'))
  let changed = 0
  let texts = 0
  documents.forEach((bytes, number) => {
    const url = `${BASE}${number}.html`
    const expected = readFileSync(join(folder, `generated/${number}.html`))
    assert.ok(expected.equals(byPackage(bytes, url)), `${number}: ${bytes}`)
    changed += !expected.equals(bytes)
    const text = decoded(bytes)
    if (text === null || text.includes('iso-8859-1')) return
    texts++
    assert.equal(new Rewriter(url).rewrite(text), expected.toString(), `${number}: ${text}`)
  })
  assert.ok(changed > GENERATED / 2, `${changed} changed`)
  assert.ok(texts > GENERATED / 2, `${texts} as strings`)
})

test('start and end are where the reference is, in bytes and in strings', () => {
  for (let number = 0; number < 2_000; number++) {
    const bytes = document(number)
    const text = decoded(bytes)
    if (text === null || text.includes('iso-8859-1')) continue
    const ofBytes = links(bytes, BASE)
    const ofText = links(text, BASE)
    assert.equal(ofBytes.length, ofText.length)
    ofText.forEach(({ start, end }, at) => {
      assert.equal(text.slice(start, end), bytes.subarray(ofBytes[at].start, ofBytes[at].end).toString(), `${number}: ${text}`)
    })
  }
})

/** What stands in a document, and what for it in the new one. */
const LONE = ['\ud800', '\udfff', '\udc00\ud800', 'é\ud83d', '\u{1f600}\ude00']

test('lone surrogates stay as they are', () => {
  for (const lone of LONE) {
    assert.equal(rewrite(`${lone}<a href=x title=${lone}>${lone}<a href=y>`, 'http://h/'), `${lone}<a href=http://h/x title=${lone}>${lone}<a href=http://h/y>`)
    // Even if all that could stand for them is in the document.
    const taken = Array.from({ length: 16 }, (_, block) => String.fromCodePoint(0x10_0000 + block * 0x1000)).join('')
    const rest = rewrite(`${taken}<a href=x>${taken}`, 'http://h/')
    assert.equal(rest, `${taken}<a href=http://h/x>${taken}`)
  }
})

test('references in strings with lone surrogates: what they are, and where', () => {
  for (const lone of LONE) {
    const text = `${lone}<a href=x${lone}>${lone}<p>${lone}<a href="y">\n${lone}<a href=z>`
    const found = links(text, 'http://h/')
    assert.deepEqual(found.map(({ start, end }) => text.slice(start, end)), [`x${lone}`, 'y', 'z'])
    assert.deepEqual(found.map(({ reference }) => reference), [`x${lone}`, 'y', 'z'])
    assert.equal(found[2].column, 9 + Array.from(lone).length)
    // What the URL Standard makes of each of them, and so what a browser asks for.
    const whatwg = links(text, 'http://h/', { resolver: 'whatwg' })
    assert.equal(whatwg[0].absolute, new URL(`x${lone}`, 'http://h/').href)
  }
})

test('names of hosts beyond ASCII', { skip: missing(COMMAND) }, () => {
  const names = [
    'bücher.example', 'Faß.example', 'ΣΊΣΥΦΟΣ.example', '例え。テスト', 'ａ.example', 'a\u{ad}b.example', '%C3%BC.example', 'xn--bcher-kva.example',
    'XN--BCHER-KVA.example', '１.２', '☃.example', 'a_b.bücher.example', 'नी\u{200d}.example',
    'xn--a', 'xn--a-.example',
    // None.
    '\u{ad}', 'a\u{200d}b', 'ü%2fb', 'ü＃b', 'ü b', '\u{301}a.example', 'אa.example', 'ü.１.2.3.4.5', '%ff',
  ]
  const html = names.map((name) => `<a href="//${name}/x">`).join('\n')
  const { code, stdout } = command(['rewrite', '-q', '-b', BASE, '--resolver', 'whatwg', '-'], html)
  assert.equal(code, 1)
  assert.equal(rewrite(html, BASE, { resolver: 'whatwg' }), stdout.toString())
  assert.match(stdout.toString(), /^<a href="https:\/\/xn--bcher-kva.example\/x">[^]*<a href="\/\/%ff\/x">$/)
})
