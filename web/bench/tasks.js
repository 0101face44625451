// How long the page's own thread is busy at a time while a document of 5 MB is worked on: npm run bench. Prints the
// longest task by what was done. It should be below 200 ms; processor time is what counts on a machine that has
// other things to do.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { idle, launch, open, openFile, serve, textOf } from '../test/browser.js'
import { documents } from './documents.js'

/** The longest task of the page's own thread in a trace, in milliseconds. */
function longest(trace) {
  const { traceEvents: events } = JSON.parse(new TextDecoder().decode(trace))
  const threads = events.filter((event) => event.name === 'thread_name' && event.args.name === 'CrRendererMain')
  const isPage = (event) => threads.some((thread) => thread.pid === event.pid && thread.tid === event.tid)
  const tasks = events.filter((event) => event.name === 'ThreadControllerImpl::RunTask' && isPage(event))
  const most = (member) => Math.max(0, ...tasks.map((task) => (task[member] ?? 0) / 1000))
  return { cpu: most('tdur'), wall: most('dur') }
}

const folder = mkdtempSync(join(tmpdir(), 'abslink-'))
const server = await serve()
const browser = await launch('chromium')
try {
  for (const [name, path] of Object.entries(documents(folder))) {
    const page = await open(browser, server.url)
    const report = async (what) => {
      await new Promise((done) => setTimeout(done, 300))
      const { cpu, wall } = longest(await page.tracing.stop())
      console.log(`${name}: ${what}: ${cpu.toFixed(0)} ms of processor time, ${wall.toFixed(0)} ms by the clock`)
      await page.tracing.start({ categories: ['toplevel', '__metadata'] })
    }
    await page.tracing.start({ categories: ['toplevel', '__metadata'] })
    await page.reload()
    await page.waitForSelector('body[data-ready]')
    await report('load')
    await openFile(page, path)
    await page.waitForFunction(() => document.querySelector('#source-facts').textContent.includes('MB'))
    await idle(page)
    await report('open')
    console.log(`${name}: ${await textOf(page, '#status')}`)
    for (let part = 0; part < 5 && !(await page.$('#part-after:disabled')); part++) {
      await page.click('#part-after')
      await new Promise((done) => setTimeout(done, 200))
    }
    await report('five parts on')
    await page.evaluate(() => document.querySelectorAll('#list button[data-number]')[2].click())
    await report('choose a reference')
    await page.select('#to', 'relative')
    await new Promise((done) => setTimeout(done, 300))
    await idle(page)
    await report('another option')
    await page.click('#changes-only')
    await report('changes only')
    await page.click('#copy')
    await report('copy')
    await page.tracing.stop()
    await page.close()
  }
} finally {
  await browser.close()
  server.close()
  rmSync(folder, { recursive: true })
}
