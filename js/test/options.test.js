// The options are the command's: its help names them and their values, and so do the types and README.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'node:test'
import { COMMAND, command, installed, js, load, missing } from './project.js'

const { links, resolve, rewrite, rewriteBytes, check, Rewriter, RewriterStream } = await load()
const { OPTIONS } = await import(pathToFileURL(join(installed, 'lib/options.js')))

/** Options of `rewrite` in the sections that say how one document is read, which are about the file it is in. */
const OF_FILES = ['try-ext']
/** Options of other sections that one document has as well. */
const ELSEWHERE = ['as', 'unwrap', 'feed-base']
/** Values of `--as` for what has many documents in it, and for what the module has no reader of. */
const OF_COMMAND = ['markdown', 'warc', 'json', 'jsonl', 'csv', 'tsv']

const camel = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase())

/** The options of the help of `rewrite`: their text, by their names. */
function help() {
  const text = command(['rewrite', '--help']).stdout.toString()
  const named = (text) =>
    text
      .split(/\n(?=  (?:-\w, |    )--)/)
      .slice(1)
      .map((option) => [/--([\w-]+)/.exec(option)[1], option])
  const sections = text.slice(text.indexOf('Links to change:'), text.indexOf('Feeds, mail, archives, rows:'))
  const elsewhere = named(text).filter(([name]) => ELSEWHERE.includes(name))
  return Object.fromEntries([...named(sections).filter(([name]) => !OF_FILES.includes(name)), ...elsewhere])
}

/** The possible values of an option, which the error for another value lists. */
function values(name) {
  const said = command(['rewrite', `--${name}=?`, 'none']).stderr.toString()
  return /^hint: one of (.+)$/m.exec(said)?.[1].split(', ') ?? []
}

/** The default of an option, from its text in the help. */
function standardOf(text) {
  return (/\[default: (.+?)\]/.exec(text) ?? /(?:^|;)\s+([\w-]+) \(the default\)/m.exec(text))?.[1]
}

test('they are the options of the command', { skip: missing(COMMAND) }, () => {
  const theirs = help()
  assert.ok(Object.keys(theirs).length > 15)
  assert.deepEqual(Object.keys(OPTIONS).sort(), Object.keys(theirs).map(camel).sort())
  for (const [name, text] of Object.entries(theirs)) {
    const { one, list, type } = OPTIONS[camel(name)]
    const listed = values(name).filter((value) => !(name === 'as' && OF_COMMAND.includes(value)) && !(name === 'to' && value === 'files'))
    if (one || list) assert.deepEqual([...(one ?? list)].sort(), listed.sort(), name)
    else assert.deepEqual(listed, [], name)
    assert.equal(type === 'boolean', !/^.*<.+>/.test(text.split('\n')[0]), name)
  }
})

test('they have the defaults of the command', { skip: missing(COMMAND) }, () => {
  const html = '<a href="../g"><a href=#f><a href="{{ x }}"><img data-src=i srcset="j 2x"><script src=k></script>'
  const plain = rewrite(html, 'http://h/a/b')
  for (const [name, text] of Object.entries(help())) {
    const standard = standardOf(text)
    if (standard === undefined || OPTIONS[camel(name)].list !== undefined) continue
    assert.equal(rewrite(html, 'http://h/a/b', { [camel(name)]: standard }), plain, name)
  }
})

test('the types have them and their values, and README has their names', () => {
  const types = readFileSync(join(installed, 'lib/index.d.ts'), 'utf8')
  const [, fields] = /interface Options \{\n(.*?)\n\}/s.exec(types)
  const typed = Object.fromEntries([...fields.matchAll(/^ {2}(\w+)\?: (.*)$/gm)].map(([, name, type]) => [name, type]))
  assert.deepEqual(Object.keys(typed).sort(), Object.keys(OPTIONS).sort())
  const alias = (type) => new RegExp(`type ${type} =([^/;]*?)\\n\\n`).exec(types)?.[1] ?? type
  for (const [name, { one, list, type }] of Object.entries(OPTIONS)) {
    const named = list === undefined ? typed[name] : /^readonly (\w+)\[\]$/.exec(typed[name])[1]
    const names = [...alias(named).matchAll(/'([\w-]+)'/g)].map(([, value]) => value)
    assert.deepEqual(names.sort(), [...(one ?? list ?? [])].sort(), name)
    if (type) assert.equal(typed[name], type)
  }
  const readme = readFileSync(join(js, 'README.md'), 'utf8')
  for (const name of Object.keys(OPTIONS)) assert.ok(readme.includes(`\`${name}\``), name)
})

/** An option that changes what becomes of a document, as the command takes it and as the package does. */
const HTML = '<base href="http://h/a/"><a href="../g" data-x=y><img data-src=i srcset="j 2x"><a href=#f><a href="{{ x }}"><a href="/api/é"><a href=http://h/a/z>'
const MESSAGE = 'MIME-Version: 1.0\nContent-Location: http://h/m\nContent-Type: text/html\nContent-Disposition: attachment\n\n<a href=x>\n'
const FEED = '<rss><channel><link>http://h/</link><item><link>/p/</link><description>&lt;img src=i.png></description></item></channel></rss>'
const CHANGED = [
  [HTML, ['--resolver', 'whatwg'], { resolver: 'whatwg' }],
  [HTML.slice(24), ['--fragments', 'keep'], { fragments: 'keep' }],
  [HTML, ['--placeholders', 'resolve'], { placeholders: 'resolve' }],
  [HTML, ['--also', 'lazy,meta'], { also: ['lazy', 'meta'] }],
  [HTML, ['--also', 'all'], { also: ['all'] }],
  [HTML, ['--skip', 'srcset'], { skip: ['srcset'] }],
  [HTML, ['--only', 'srcset,lazy'], { only: ['srcset', 'lazy'] }],
  [HTML, ['--attr', 'a@data-x'], { attr: ['a@data-x'] }],
  [HTML, ['--exclude-url', '^/API/(?i:É)'], { excludeUrl: /^\/API\/[Éé]/ }],
  [HTML, ['--exclude-url', '^/api/\\p{Latin}'], { excludeUrl: '^/api/\\p{Script=Latin}' }],
  [HTML, ['--exclude-url', '(?i)^/API/É|^\\.'], { excludeUrl: /^\/API\/É|^\./iu }],
  [HTML, ['--exclude-url', 'a|p'], { excludeUrl: /a|p/gy }],
  [HTML, ['--exclude-url', ''], { excludeUrl: '' }],
  [HTML, ['--to', 'relative'], { to: 'relative' }],
  [HTML, ['--to', 'root', '--site', 'http://h/'], { to: 'root', site: ['http://h/'] }],
  [HTML, ['--move-url', 'http://h/=https://x/'], { moveUrl: ['http://h/=https://x/'] }],
  [HTML, ['--to', 'keep', '--move-url', 'http://h/=https://x/'], { to: 'keep', moveUrl: ['http://h/=https://x/'] }],
  ['<a href=/web/2020/http://e.com/x>', ['--unwrap'], { unwrap: true }],
  [HTML, ['--remove-base'], { removeBase: true }],
  [HTML, ['--as', 'xhtml'], { as: 'xhtml' }],
  ['<a href=caf\xe9>', ['--charset', 'iso-8859-2'], { charset: 'iso-8859-2' }],
  [FEED, ['--as', 'feed'], { as: 'feed' }],
  [FEED, ['--as', 'feed', '--feed-base', 'document'], { as: 'feed', feedBase: 'document' }],
  [FEED, ['--as', 'feed', '--feed-base', 'feed'], { as: 'feed', feedBase: 'feed' }],
  [MESSAGE, ['--as', 'message'], { as: 'message' }],
  ['a { b: url(c) }', ['--as', 'css'], { as: 'css' }],
  ['{"start_url": "x"}', ['--as', 'manifest'], { as: 'manifest' }],
  ['{"prefetch": [{"urls": ["x"]}]}', ['--as', 'speculation-rules'], { as: 'speculation-rules' }],
]

for (const [document, given, options] of CHANGED) {
  test(`${given.join(' ')}: the command's bytes and references`, { skip: missing(COMMAND) }, () => {
    const base = 'http://h/d/e'
    const bytes = Buffer.from(document, document.includes('\xe9>') ? 'latin1' : 'utf8')
    const { stdout, stderr } = command(['rewrite', '-q', '-b', base, ...given, '-'], bytes)
    assert.ok(stdout.length > 0, stderr)
    assert.deepEqual(Buffer.from(rewriteBytes(bytes, base, options)), stdout)
    const lines = command(['links', '--format', 'json', '-b', base, ...given.filter((option) => option !== '--remove-base'), '-'], bytes)
    const theirs = lines.stdout.toString().trim().split('\n').filter(Boolean).map(JSON.parse)
    const ours = links(bytes, base, { ...options, removeBase: undefined })
    assert.deepEqual(ours, theirs.map(({ file, ...fields }) => fields))
  })
}

test('every option is in that table', () => {
  const named = new Set(CHANGED.flatMap(([, , options]) => Object.keys(options)))
  assert.deepEqual([...named].sort(), Object.keys(OPTIONS).sort())
})

const WRONG = [
  [{ resolver: 'whatgw' }, /whatwg/],
  [{ Resolver: 'whatwg' }, /is resolver meant/],
  [{ excludeURL: '^x' }, /is excludeUrl meant/],
  [{ also: 'lazy' }, /also is a list of strings, and not "lazy"/],
  [{ also: ['lasy'] }, /is lazy meant/],
  [{ attr: [1] }, /one is of type number/],
  [{ attr: ['@'] }, /attr @/],
  [{ removeBase: 'yes' }, /removeBase is a boolean/],
  [{ excludeUrl: 7 }, /excludeUrl is a string \| RegExp, and not of type number/],
  [{ excludeUrl: '(' }, /excludeUrl: Invalid regular expression: \/\(\/u: Unterminated group/],
  [{ excludeUrl: '\\-' }, /excludeUrl: Invalid regular expression/],
  [{ charset: 'utf-7' }, /charset utf-7: not a label/],
  [{ as: 'warc' }, /as has no value "warc"/],
  [{ only: ['links'], skip: ['css'] }, /leave `also` and `skip` out/],
  [{ site: ['http://h/'] }, /site says/],
  [{ to: 'keep' }, /changes nothing/],
  [{ moveUrl: ['http://h/=http://i/', 'http://i/=http://j/'] }, /second run/],
  [{ moveUrl: ['nothing'] }, /moveUrl nothing/],
  ['whatwg', /options are an object, and not "whatwg"/],
  [7, /options are an object, and not of type number/],
  [['css'], /options are an object, and not a list/],
]

for (const [options, message] of WRONG) {
  test(`a TypeError says what is wrong with ${JSON.stringify(options)}`, () => {
    const error = { name: 'TypeError', message }
    assert.throws(() => rewrite('<a href=x>', 'http://h/', options), error)
    assert.throws(() => rewriteBytes(Buffer.from('<a href=x>'), 'http://h/', options), error)
    assert.throws(() => links('<a href=x>', 'http://h/', options), error)
    assert.throws(() => check('<a href=x>', options), error)
    assert.throws(() => new Rewriter('http://h/', options), error)
    assert.throws(() => new RewriterStream('http://h/', options), error)
    // It works again.
    assert.equal(rewrite('<a href=x>', 'http://h/'), '<a href=http://h/x>')
  })
}

const ARGUMENTS = [
  [() => rewrite(7, 'http://h/'), /the document is a string, and not number; rewriteBytes/],
  [() => rewrite(Buffer.from('x'), 'http://h/'), /rewriteBytes takes bytes/],
  [() => rewrite('x'), /the base URL is a string or a URL, and not undefined/],
  [() => rewriteBytes('x', 'http://h/'), /the document is a Uint8Array, and not string/],
  [() => rewriteBytes(Buffer.from('x'), 7), /the base URL is a string or a URL, and not number/],
  [() => links(7, 'http://h/'), /the document is a string or a Uint8Array, and not number/],
  [() => links('x'), /the base URL/],
  [() => check(null), /the document/],
  [() => check('x', { baseUrl: 7 }), /the base URL/],
  [() => check('x', { baseurl: 'http://h/' }), /is baseUrl meant/],
  [() => resolve(7, 'x'), /the base URL/],
  [() => resolve('http://h/', 7), /the reference is a string/],
  [() => resolve('http://h/', 'x', { resolver: 'rfc2396' }), /is rfc\d+ meant/],
  [() => resolve('http://h/', 'x', { as: 'css' }), /is resolver meant/],
  [() => resolve('http://h/', 'x', 'whatwg'), /options are an object/],
  [() => new Rewriter(), /the base URL/],
  [() => new Rewriter('http://h/').rewrite(7), /the document is a string/],
  [() => new Rewriter('http://h/').rewriteBytes('x'), /the document is a Uint8Array/],
  [() => new Rewriter('http://h/', { contentType: 'text/css' }), /there is no option contentType here/],
  [() => rewrite('x', 'http://h/', { contentType: 'text/css' }), /there is no option contentType here/],
  [() => rewriteBytes(Buffer.from('x'), 'http://h/', { contentType: 7 }), /contentType is a string/],
  [() => new RewriterStream(), /the base URL/],
  [() => new RewriterStream('http://h/', { as: 'css' }), /a stream reads html or xhtml/],
]

test('a TypeError says which argument is of a wrong type', () => {
  for (const [call, message] of ARGUMENTS) assert.throws(call, { name: 'TypeError', message }, call.toString())
})

test('a detached buffer is an error, and no panic', () => {
  const bytes = new Uint8Array(8)
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] })
  assert.throws(() => rewriteBytes(bytes, 'http://h/'), { name: 'TypeError' })
})
