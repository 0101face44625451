// Makes the picture of the page that README.md has: node picture.js FILE.

import { idle, launch, open, serve, takeExample } from './browser.js'

const server = await serve()
const browser = await launch('chromium')
const page = await open(browser, server.url, { width: 1280, height: 1180, scheme: 'light' })
await takeExample(page, 'base')
await page.click('#list button[data-number="1"]')
await page.waitForFunction(() => document.querySelector('#details dd').textContent.startsWith('../style.css'))
await idle(page)
// The pointer, and the focus, are not what the picture is about.
await page.mouse.move(0, 0)
await page.evaluate(() => document.activeElement.blur())
await new Promise((done) => setTimeout(done, 500))
await page.screenshot({ path: process.argv[2] })
await browser.close()
server.close()
