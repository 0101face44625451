// The examples of README.md print what they say, and the types allow them.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { js, project } from './project.js'
import { blocks, examples } from './readme.js'

const readme = readFileSync(join(js, 'README.md'), 'utf8')
const folder = join(project, 'examples')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)

const printing = examples(readme)

for (const [number, { code, expected }] of printing.entries()) {
  test(`example ${number + 1}`, () => {
    const file = join(folder, `${number}.js`)
    writeFileSync(file, code)
    const printed = execFileSync(process.execPath, [file], { encoding: 'utf8' })
    assert.deepEqual(printed.trimEnd().split('\n'), expected)
  })
}

test('five of them print something', () => assert.ok(printing.length >= 5))

/** What tsc says about files of the project. */
function tsc(folder, files) {
  const options = {
    strict: true, noEmit: true, target: 'es2022', module: 'nodenext', lib: ['es2023', 'dom', 'dom.iterable'], types: ['node'],
    typeRoots: [join(js, 'node_modules/@types')], noImplicitAny: true, exactOptionalPropertyTypes: true,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files }))
  try {
    execFileSync(join(js, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' })
    return ''
  } catch (error) {
    return error.stdout
  }
}

test('tsc --strict takes every example', () => {
  const files = blocks(readme).map((code, number) => {
    const name = `${number}.ts`
    // What an example leaves to its surroundings has no type in it.
    const typed = code.replace('(eleventyConfig)', '(eleventyConfig: { addPlugin: Function })').replace('(request)', '(request: Request)')
    writeFileSync(join(folder, name), typed)
    return name
  })
  assert.ok(files.length > printing.length)
  assert.equal(tsc(folder, files), '')
})

test('tsc refuses what the package refuses', () => {
  const wrong = [
    "rewrite('x', 'http://h/', { resolver: 'whatgw' })", "rewrite('x', 'http://h/', { excludeURL: 'x' })",
    "rewrite('x', 'http://h/', { also: 'lazy' })", 'rewrite(7, "http://h/")', "rewrite('x')",
    "rewriteBytes('x', 'http://h/')", "links('x', 'http://h/', { contentType: 'text/html' })", "check('x', { baseurl: 'x' })",
  ]
  const head = "import { check, links, rewrite, rewriteBytes } from 'abslink-html'\n"
  writeFileSync(join(folder, 'wrong.ts'), head + wrong.map((line) => `// @ts-expect-error\n${line}\n`).join('') + 'export { check, links, rewrite, rewriteBytes }\n')
  assert.equal(tsc(folder, ['wrong.ts']), '')
})
