// Builds dist/, and before that the engine in ../js if it is missing or older than its source.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

process.chdir(import.meta.dirname)

const run = (program, given, cwd) => execFileSync(program, given, { cwd, stdio: 'inherit' })
const sources = ['../js/src', '../crates/url/src', '../crates/html/src', '../crates/containers/src']
const module = '../js/lib/module/inline.js'

/** When anything below a directory was last changed, in milliseconds. */
function changed(directory) {
  const entries = readdirSync(directory, { withFileTypes: true, recursive: true })
  return Math.max(...entries.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs))
}

if (!existsSync(module) || sources.some((source) => changed(source) > statSync(module).mtimeMs)) {
  if (!existsSync('../js/node_modules')) run('npm', ['ci', '--silent'], '../js')
  run('npm', ['run', '--silent', 'build'], '../js')
}
run('node_modules/.bin/vite', ['build'])
