// Prints what Workers answer, as JSON: workerd.js LIB WORKER...

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Miniflare } from 'miniflare'

const [lib, ...workers] = process.argv.slice(2)
/** What the entry for Workers imports. */
const IMPORTED = /^((core|api|options|text|workerd)\.js|module.(bindings\.js|abslink\.wasm))$/

const modules = readdirSync(lib, { recursive: true })
  .filter((path) => IMPORTED.test(path))
  .map((path) => ({ type: path.endsWith('.js') ? 'ESModule' : 'CompiledWasm', path: `lib/${path}`, contents: readFileSync(join(lib, path)) }))
const answers = []
for (const worker of workers) {
  const main = { type: 'ESModule', path: 'worker.js', contents: readFileSync(worker, 'utf8') }
  const miniflare = new Miniflare({ modules: [main, ...modules], modulesRoot: '/', compatibilityDate: '2026-01-01' })
  answers.push(await (await miniflare.dispatchFetch('http://localhost/')).text())
  await miniflare.dispose()
}
console.log(JSON.stringify(answers))
