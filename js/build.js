// Builds lib/module/: the module, the JavaScript by which it is called, and the module as JavaScript. The licences
// are brought here, since a package has only what is below its directory.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { resolve } from 'node:path'

process.chdir(import.meta.dirname ?? new URL('.', import.meta.url).pathname)

const run = (program, ...given) => execFileSync(program, given, { stdio: 'inherit' })
/** What every engine has had since 2023, and rustc makes use of. */
const FEATURES = ['bulk-memory', 'multivalue', 'mutable-globals', 'nontrapping-float-to-int', 'reference-types', 'sign-ext', 'simd']
  .map((feature) => `--enable-${feature}`)
/** What makes the module smaller compressed; -Oz makes it larger. Functions with similar names are similar, and gzip
 *  sees that only if they are near each other. */
const PASSES = [
  'reorder-functions-by-name', 'rse', 'vacuum', 'reorder-locals', 'remove-unused-brs', 'merge-blocks', 'dce',
  'duplicate-function-elimination', 'remove-unused-module-elements', 'duplicate-function-elimination', 'vacuum',
  'optimize-instructions', 'duplicate-function-elimination', 'code-folding', 'optimize-instructions', 'duplicate-function-elimination',
  'merge-blocks', 'strip-target-features',
].map((pass) => `--${pass}`)
const to = 'lib/module'
const raw = '../target/js/wasm32-unknown-unknown/release/abslink_js.wasm'

// Where a machine keeps its sources is nobody's business, and takes room.
const home = process.env.CARGO_HOME ?? `${homedir()}/.cargo`
const registries = existsSync(`${home}/registry/src`) ? readdirSync(`${home}/registry/src`) : []
const sysroot = execFileSync('rustc', ['--print', 'sysroot'], { encoding: 'utf8' }).trim()
const places = [...registries.map((name) => `${home}/registry/src/${name}/`), `${sysroot}/lib/rustlib/src/rust/library/`, resolve('..') + '/']
const remapped = places.map((place) => `--remap-path-prefix=${place}=`)
// Not RUSTFLAGS, which would take the place of those in .cargo/config.toml.
const flags = 'CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS'
process.env[flags] = [process.env[flags] ?? '', ...remapped].join(' ').trim()

run('cargo', 'build', '--locked', '--release', '--target', 'wasm32-unknown-unknown')
rmSync(to, { recursive: true, force: true })
mkdirSync(to)
run('cargo', 'run', '--locked', '--quiet', '--package', 'abslink-bindgen', raw, to)
run('node_modules/.bin/wasm-opt', ...PASSES, ...FEATURES, `${to}/bindings_bg.wasm`, '-o', `${to}/abslink.wasm`)
rmSync(`${to}/bindings_bg.wasm`)

for (const licence of ['LICENSE-APACHE', 'LICENSE-MIT']) copyFileSync(`../${licence}`, licence)

const module = readFileSync(`${to}/abslink.wasm`)
writeFileSync(`${to}/inline.js`, `export default '${module.toString('base64')}'\n`)
const { length } = execFileSync('gzip', ['-9nc', `${to}/abslink.wasm`])
console.log(`${to}/abslink.wasm: ${module.length} bytes, ${length} gzipped`)
