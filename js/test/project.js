// What the tests share: the package as it is installed, and the command that it is compared with.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

export const clone = resolve(import.meta.dirname, '../..')
export const js = join(clone, 'js')
const target = process.env.CARGO_TARGET_DIR ?? join(clone, 'target')

/** The empty project that install.js has installed the tarball in. */
export const project = join(target, 'js/project')
const { name, version } = JSON.parse(readFileSync(join(js, 'package.json'), 'utf8'))
export const packed = join(project, `${name}-${version}.tgz`)
/** Where the package is in it. */
export const installed = join(project, 'node_modules', name)

/** What an entry of the installed package exports. */
export const load = (entry = name) => import(pathToFileURL(createRequire(join(project, 'package.json')).resolve(entry)))

/** The command, with whose output the package's is compared. */
export const abslink = join(target, 'debug/abslink')

/** What the command prints, and its exit code. */
export function command(given, input = '') {
  try {
    const stdout = execFileSync(abslink, given, { input, maxBuffer: 1 << 28, stdio: 'pipe' })
    return { code: 0, stdout, stderr: '' }
  } catch (error) {
    if (error.status === null || error.status === undefined) throw error
    return { code: error.status, stdout: error.stdout, stderr: error.stderr.toString() }
  }
}

/** Why a test cannot run, false if it can: nothing may be missing with ABSLINK_REQUIRE_ALL. */
export function missing(...needs) {
  const what = needs.find(([path]) => !existsSync(path))
  if (!what) return false
  const message = `there is no ${what[0]}: ${what[1]}`
  if (process.env.ABSLINK_REQUIRE_ALL) throw new Error(message)
  return message
}

export const COMMAND = [abslink, 'cargo build']
export const corpus = join(target, 'corpus/python3.11-doc')
export const CORPUS = [corpus, 'testdata/fetch-corpora.sh python3.11-doc']
