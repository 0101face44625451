// Sites by real generators, built with the adapters, have no relative reference left: `npm run test:sites` in js/,
// after `npm ci` in each directory here.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { COMMAND, command, installed, missing } from '../project.js'

/** What builds a site, where it goes, and what of each file has become absolute. */
const SITES = {
  eleventy: {
    build: ['node_modules/.bin/eleventy', '--quiet'],
    output: '_site',
    pages: {
      'index.html': ['href="https://blog.example.org/style.css"', 'href="https://blog.example.org/posts/two/#top"', 'src="https://blog.example.org/posts/one/img/one.png"'],
      'posts/one/index.html': ['src="https://blog.example.org/posts/one/img/one.png"', 'href="https://example.org/"'],
      'feed.xml': ['<link>https://blog.example.org/posts/two/</link>', '&quot;https://blog.example.org/posts/one/img/one.png&quot;'],
    },
  },
  vite: {
    build: ['node_modules/.bin/vite', 'build', '--logLevel', 'warn'],
    output: 'dist',
    pages: {
      'index.html': ['href="https://docs.example.org/guide/"', 'src="https://docs.example.org/assets/'],
      'guide/index.html': ['href="https://docs.example.org/guide/install.html#linux"', 'src="https://docs.example.org/assets/'],
    },
  },
  astro: {
    // It needs a newer Node than the package does.
    build: ['node_modules/.bin/node', 'node_modules/.bin/astro', 'build', '--silent'],
    output: 'dist',
    pages: {
      'index.html': ['href="https://www.example.org/posts/one/"', 'href="https://www.example.org/favicon.svg"'],
      'posts/one/index.html': ['href="https://www.example.org/"', 'src="https://www.example.org/favicon.svg"'],
      'feed.xml': ['<link>https://www.example.org/posts/one/</link>', '"https://www.example.org/"'],
    },
  },
}

for (const [name, { build, output, pages }] of Object.entries(SITES)) {
  const site = join(import.meta.dirname, name)
  const modules = join(site, 'node_modules')
  test(name, { skip: missing(COMMAND, [modules, `npm ci in ${site}`]) }, () => {
    cpSync(installed, join(modules, 'abslink-html'), { recursive: true })
    rmSync(join(site, output), { recursive: true, force: true })
    const [program, ...given] = build
    execFileSync(join(site, program), given, { cwd: site, stdio: 'inherit', env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' } })
    for (const [page, expected] of Object.entries(pages)) {
      const text = readFileSync(join(site, output, page), 'utf8')
      for (const part of expected) assert.ok(text.includes(part), `${page} has no ${part}: ${text}`)
    }
    const { code, stdout, stderr } = command(['check', '--detect=feeds', join(site, output)])
    assert.equal(code, 0, `${stdout}${stderr}`)
  })
}
