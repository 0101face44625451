// What people have of the page who see little of it, or use no mouse: axe-core's findings in light and in dark, on
// a telephone and on a desk, and a way through it by the keyboard alone.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { editor, idle, launch, missing, open, require, serve, takeExample, textOf } from './browser.js'

for (const name of ['chromium', 'firefox']) {
  describe(name, { skip: missing(name) }, () => {
    let browser, server
    before(async () => {
      server = await serve()
      browser = await launch(name)
    })
    after(async () => {
      await browser?.close()
      server?.close()
    })

    // Firefox cannot be told to bypass the page's policy, or to prefer a scheme; the page is the same.
    const looks = name === 'chromium' ? ['light', 'dark'] : []
    for (const scheme of looks) {
      for (const width of [360, 1440]) {
        test(`axe has no finding: ${scheme}, ${width} pixels`, async () => {
          const page = await open(browser, server.url, { width, scheme, bypass: true })
          await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'))
          const look = async (what) => {
            const found = await page.evaluate(() => window.axe.run())
            assert.ok(found.passes.length >= 25, `axe looked at little: ${found.passes.length}`)
            assert.deepEqual(found.violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0].html}`), [], what)
            const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
            assert.ok(over <= 0, `${what}: ${over} pixels wider than the window`)
          }
          await look('at first')
          await takeExample(page, 'mail')
          await page.click('#more summary')
          await look('a mail, with all options')
          await page.type('#base', ' x:')
          await page.$eval('#base', (input) => (input.value = ''))
          await page.type('#base', 'x')
          await idle(page)
          await look('a wrong base URL')
          assert.deepEqual(page.said, [])
          await page.close()
        })
      }
    }

    test('all of it is reached by the keyboard alone', async () => {
      const page = await open(browser, server.url)
      const active = () =>
        page.evaluate(() => {
          const element = document.activeElement
          if (element.matches('#list button[data-number]')) return 'a row'
          return element.id || element.value || element.textContent.slice(0, 20)
        })
      const seen = []
      /** Presses Tab until something has the focus. */
      const reach = async (wanted) => {
        for (let presses = 0; presses < 60; presses++) {
          await page.keyboard.press('Tab')
          seen.push(await active())
          if (seen.at(-1) === wanted) return
        }
        assert.fail(`${wanted} is not reached: ${seen.join(', ')}`)
      }
      await reach('srcset')
      await page.keyboard.press('Enter')
      await page.waitForSelector('#examples button[value="srcset"][aria-pressed="true"]')
      await idle(page)
      await reach('base')
      await reach('as')
      await reach('resolver')
      await page.keyboard.type('U')
      await idle(page)
      assert.match(await textOf(page, '#command'), /--resolver whatwg/)
      await reach('file')
      await reach('source')
      // Tab leaves the editor again, where it does not indent.
      await page.keyboard.type('<img src=typed.png>')
      await idle(page)
      assert.match(await editor(page, 'result'), /https:\/\/shop\.example\.org\/lamps\/typed\.png/)
      await reach('changes-only')
      await page.keyboard.press(' ')
      await reach('copy')
      await page.keyboard.press('Enter')
      await page.waitForFunction(() => window.kept.copied?.includes('typed.png'))
      await reach('download')
      await reach('result')
      await reach('filter')
      await reach('a row')
      const before = await textOf(page, '#details dd')
      await page.keyboard.press('ArrowDown')
      await page.waitForFunction((before) => document.querySelector('#details dd').textContent !== before, {}, before)
      await reach('copy-command')
      await page.keyboard.press('Enter')
      await page.waitForFunction(() => window.kept.copied.startsWith('abslink rewrite'))
      await reach('copy-link')
      assert.deepEqual(page.said, [])
      await page.close()
    })
  })
}
