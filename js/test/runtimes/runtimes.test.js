// The examples of README.md in other runtimes: `npm run test:runtimes` in js/, after `npm ci` here.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { installed, js, missing, project } from '../project.js'
import { examples } from '../readme.js'

const here = import.meta.dirname
const bin = (name) => join(here, 'node_modules/.bin', name)
const found = (name) => missing([bin(name), `npm ci in ${here}`])
const printing = examples(readFileSync(join(js, 'README.md'), 'utf8'))

const folder = join(project, 'runtimes')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
const files = printing.map(({ code }, number) => {
  const file = join(folder, `${number}.js`)
  writeFileSync(file, code)
  return file
})

/** What a program prints. */
const printed = (program, given) => execFileSync(program, given, { cwd: project, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } })

const RUNTIMES = {
  node: [],
  bun: [],
  // It may read what is imported, and nothing else.
  deno: ['run', '--no-prompt'],
}

for (const [name, given] of Object.entries(RUNTIMES)) {
  printing.forEach(({ expected }, number) => {
    test(`example ${number + 1} in ${name}`, { skip: found(name) }, () => {
      assert.deepEqual(printed(bin(name), [...given, files[number]]).trimEnd().split('\n'), expected)
    })
  })
}

/** A Worker that answers with what an example prints; it imports the entry for Workers, as a bundler would. */
function worker(code, entry) {
  const [, imports, body] = /^((?:import .*\n)*)([^]*)$/.exec(code)
  return `${imports.replaceAll("'abslink-html'", `'${entry}'`)}
export default {
  async fetch() {
    const lines = []
    const console = { log: (...parts) => lines.push(parts.join(' ')) }
    ${body}
    return new Response(lines.join('\\n'))
  },
}
`
}

test('every example in workerd', { skip: found('workerd') }, () => {
  const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  assert.equal(exports['.'].workerd, './lib/workerd.js')
  const workers = printing.map(({ code }, number) => {
    const file = join(folder, `worker-${number}.js`)
    writeFileSync(file, worker(code, './lib/workerd.js'))
    return file
  })
  // miniflare, by which workerd is started, needs a newer Node than the package does.
  const answers = JSON.parse(printed(bin('node'), [join(here, 'workerd.js'), join(installed, 'lib'), ...workers]))
  assert.deepEqual(answers.map((answer) => answer.split('\n')), printing.map(({ expected }) => expected))
})
