// Builds lib/module/: the module, the JavaScript by which it is called, and the module as JavaScript. The licences
// are brought here, since a package has only what is below its directory.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

process.chdir(import.meta.dirname ?? new URL('.', import.meta.url).pathname)

const run = (program, ...given) => execFileSync(program, given, { stdio: 'inherit' })
/** What every engine has had since 2023, and rustc makes use of. */
const FEATURES = ['bulk-memory', 'multivalue', 'mutable-globals', 'nontrapping-float-to-int', 'reference-types', 'sign-ext', 'simd']
  .map((feature) => `--enable-${feature}`)
const to = 'lib/module'
const raw = '../target/js/wasm32-unknown-unknown/release/abslink_js.wasm'

run('cargo', 'build', '--locked', '--release', '--target', 'wasm32-unknown-unknown')
rmSync(to, { recursive: true, force: true })
mkdirSync(to)
run('cargo', 'run', '--locked', '--quiet', '--package', 'abslink-bindgen', raw, to)
// Functions with similar names are similar, and gzip sees that only if they are near each other. With -Oz the module
// has fewer bytes, and more of them compressed.
run('node_modules/.bin/wasm-opt', '--reorder-functions-by-name', ...FEATURES, `${to}/bindings_bg.wasm`, '-o', `${to}/abslink.wasm`)
rmSync(`${to}/bindings_bg.wasm`)

for (const licence of ['LICENSE-APACHE', 'LICENSE-MIT']) copyFileSync(`../${licence}`, licence)

const module = readFileSync(`${to}/abslink.wasm`)
writeFileSync(`${to}/inline.js`, `export default '${module.toString('base64')}'\n`)
console.log(`${to}/abslink.wasm: ${module.length} bytes, ${gzipSync(module, { level: 9 }).length} gzipped`)
