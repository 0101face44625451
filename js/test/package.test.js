// What is in the tarball, and whether tools and runtimes find it.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { clone, installed, js, load, packed } from './project.js'

const { exports, ...manifest } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
const bin = (name) => join(js, 'node_modules/.bin', name)

/** The module may not become larger than this, compressed. */
const SIZE = 505_000

test('it has both licences, README, types, and nothing of the tests', () => {
  const files = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const names = files.map(({ parentPath, name }) => join(parentPath, name).slice(installed.length + 1))
  for (const licence of ['LICENSE-APACHE', 'LICENSE-MIT']) {
    assert.equal(readFileSync(join(installed, licence), 'utf8'), readFileSync(join(clone, licence), 'utf8'))
  }
  const others = names.filter((name) => !/^lib\/([\w.]+|module\/(abslink\.wasm|bindings\.js|inline\.js))$/.test(name)).sort()
  assert.deepEqual(others, ['LICENSE-APACHE', 'LICENSE-MIT', 'README.md', 'package.json'])
})

test('it needs nothing, and runs nothing when it is installed', () => {
  for (const field of ['dependencies', 'peerDependencies', 'optionalDependencies', 'bin']) assert.equal(manifest[field], undefined)
  for (const script of ['preinstall', 'install', 'postinstall', 'prepare']) assert.equal(manifest.scripts[script], undefined)
})

test('every entry is there, and exports the same', async () => {
  const files = Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? entry : Object.values(entry)))
  for (const file of files) assert.ok(readFileSync(join(installed, file)).length > 0, file)
  const names = Object.keys(await load())
  assert.deepEqual(Object.keys(await load('abslink-html/inline')), names)
  assert.deepEqual(Object.keys(await load('abslink-html/web')).filter((name) => name !== 'default'), names)
})

test('the entry for browsers says what is missing before init, and works after it', async () => {
  const { default: init, rewrite } = await import(`${join(installed, 'lib/web.js')}`)
  const { rewrite: inline } = await load('abslink-html/inline')
  await init(readFileSync(join(installed, 'lib/module/abslink.wasm')))
  await init()
  assert.equal(rewrite('<a href=x>', 'http://h/'), inline('<a href=x>', 'http://h/'))
})

test('publint finds nothing', () => {
  assert.match(execFileSync(bin('publint'), ['--strict', '--pack', 'false', installed], { encoding: 'utf8' }), /All good/)
})

test('attw finds nothing', () => {
  // The package is for import, not for require. What it finds makes the exit code 1.
  const given = ['--profile', 'esm-only', '--exclude-entrypoints', './abslink.wasm', '--no-color', packed]
  assert.match(execFileSync(bin('attw'), given, { encoding: 'utf8' }), /"abslink-html\/fetch"/)
})

test(`it is at most ${SIZE} bytes`, () => {
  // By the program, as each Node has a zlib of its own.
  const { length } = execFileSync('gzip', ['-9nc', join(installed, 'lib/module/abslink.wasm')])
  assert.ok(length <= SIZE, `${length}`)
})
