// The page in a real browser: Chromium by its own protocol, Firefox by WebDriver BiDi.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { extname, join, resolve } from 'node:path'

export const clone = resolve(import.meta.dirname, '../..')
const require = createRequire(join(clone, 'target/axe/node_modules/'))

/** The browsers that are there. `.ci/run tools axe` brings what is missing; with ABSLINK_REQUIRE_ALL it is demanded. */
export const BROWSERS = ['chromium', 'firefox'].filter((name) => programOf(name))

function programOf(name) {
  const command = { chromium: 'chromium', firefox: 'firefox-esr' }[name]
  try {
    return execFileSync('which', [command], { encoding: 'utf8' }).trim()
  } catch {
    return null
  }
}

/** Why tests with a browser cannot run; false if they can. */
export function missing(name) {
  const what = [
    !BROWSERS.includes(name) && `there is no ${name}`,
    !existsSync(join(clone, 'target/axe/node_modules/puppeteer-core')) && 'there is no puppeteer-core',
    !existsSync(join(clone, 'web/dist/index.html')) && 'the page is not built: npm run build',
    !existsSync(abslink) && 'the command is not built: cargo build',
  ].filter(Boolean)
  if (what.length > 0 && process.env.ABSLINK_REQUIRE_ALL) throw new Error(`${what}; .ci/run tools axe page`)
  return what.length > 0 && what.join(', ')
}

/** The command, with whose output the page's is compared. */
export const abslink = join(clone, 'target/debug/abslink')

/** What a command line prints, as bytes, in a directory; `abslink` is the one of this clone. */
export function shell(command, cwd) {
  const env = { ...process.env, PATH: `${join(clone, 'target/debug')}:${process.env.PATH}` }
  return execFileSync('sh', ['-c', command], { cwd, env, maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] })
}

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }

/** A plain server of files, which knows what was asked of it. */
export async function serve() {
  const asked = []
  const server = createServer((request, response) => {
    asked.push(request.url)
    const path = join(clone, 'web/dist', request.url.endsWith('/') ? `${request.url}index.html` : request.url)
    if (!existsSync(path)) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(readFileSync(path))
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${server.address().port}/`, asked, close }
}

/** Starts a browser. */
export function launch(name) {
  const puppeteer = require('puppeteer-core')
  const options = {
    chromium: {
      args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    },
    firefox: { browser: 'firefox' },
  }[name]
  return puppeteer.launch({ executablePath: programOf(name), protocolTimeout: 100_000, ...options })
}

/** Opens the page, which tells what its console says and what it asks for. */
export async function open(browser, url, { width = 1440, height = 900, scheme, bypass = false } = {}) {
  const page = await browser.newPage()
  const said = []
  page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => said.push(`error: ${error.message}`))
  if (bypass) await page.setBypassCSP(true)
  if (scheme) await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
  await page.setViewport({ width, height })
  await page.evaluateOnNewDocument(keep)
  await page.goto(url)
  await page.waitForSelector('body[data-ready]')
  return Object.assign(page, { said })
}

/** What the page would put on the clipboard, and into a file, is kept; runs in the page. */
function keep() {
  window.kept = { copied: null, blob: null, tasks: [] }
  Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => void (window.kept.copied = text) } })
  const before = URL.createObjectURL
  URL.createObjectURL = (blob) => {
    window.kept.blob = blob
    return before.call(URL, blob)
  }
  HTMLAnchorElement.prototype.click = () => {}
  if (PerformanceObserver.supportedEntryTypes.includes('longtask')) {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.kept.tasks.push({ start: entry.startTime, duration: entry.duration })
    }).observe({ type: 'longtask', buffered: true })
  }
}

/** Waits until the page has nothing left to do. */
export const idle = (page) =>
  page.waitForFunction(() => !document.body.hasAttribute('aria-busy'))

/** The bytes that the page would download. */
export async function downloaded(page) {
  await page.evaluate(() => (window.kept.blob = null))
  await page.click('#download')
  await page.waitForFunction(() => window.kept.blob !== null)
  const base64 = await page.evaluate(async () => {
    const bytes = new Uint8Array(await window.kept.blob.arrayBuffer())
    let text = ''
    for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768))
    return btoa(text)
  })
  return Buffer.from(base64, 'base64')
}

/** The text of an element. */
export const textOf = (page, selector) => page.$eval(selector, (element) => element.textContent)

/** The text that an editor shows, without what is marked as deleted. */
export const editor = (page, id) =>
  page.$eval(`#${id}`, (host) => {
    const lines = Array.from(host.shadowRoot.querySelectorAll('.cm-line'), (line) => line.cloneNode(true))
    for (const line of lines) for (const deleted of line.querySelectorAll('del.cm-deletedText')) deleted.remove()
    return lines.map((line) => line.textContent).join('\n')
  })

/** Takes an example. */
export async function takeExample(page, name) {
  await page.click(`#examples button[value="${name}"]`)
  await page.waitForSelector(`#examples button[value="${name}"][aria-pressed="true"]`)
  await idle(page)
}

/** Opens a file. */
export async function openFile(page, path) {
  const input = await page.$('#file')
  await input.uploadFile(path)
}

export { require }
