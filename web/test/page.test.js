// The page in Chromium and Firefox: what it shows is what the command says, and it asks for nothing.

import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { documents } from '../bench/documents.js'
import { EXAMPLES } from '../src/examples.js'
import * as browsers from './browser.js'

const { editor, idle, shell, textOf } = browsers

const folder = mkdtempSync(join(tmpdir(), 'abslink-'))
after(() => rmSync(folder, { recursive: true }))

/** What a document becomes by the command line that the page shows. */
async function byCommand(page, document) {
  const command = await textOf(page, '#command')
  writeFileSync(join(folder, /< (\S+)$/.exec(command)[1]), document)
  return shell(command, folder)
}

/** What the page shows of each reference. */
const shownDetails = (page) =>
  page.evaluate(() => {
    return {
      command: document.querySelector('#details pre').textContent,
      steps: Array.from(document.querySelectorAll('#details .steps li'), (step) => Array.from(step.children, (part) => part.textContent)),
      compare: Array.from(document.querySelectorAll('#details .compare tbody tr'), (row) => row.cells[1].textContent),
    }
  })

/** Chooses a row of the list. */
async function choose(page, number) {
  await page.evaluate((number) => document.querySelector(`#list button[data-number="${number}"]`).click(), number)
  await page.waitForFunction((number) => {
    const button = document.querySelector(`#list button[data-number="${number}"]`)
    const details = document.querySelector('#details dd')
    return button.getAttribute('aria-current') === 'true' && details?.textContent === button.textContent
  }, {}, number)
}

for (const name of ['chromium', 'firefox']) {
  describe(name, { skip: browsers.missing(name) }, () => {
    let browser, server, page
    before(async () => {
      server = await browsers.serve()
      browser = await browsers.launch(name)
      page = await browsers.open(browser, server.url)
    })
    after(async () => {
      await browser?.close()
      server?.close()
    })

    for (const { name: example, document } of EXAMPLES) {
      test(`example ${example}: the bytes are the command's, and so is every step`, async () => {
        await browsers.takeExample(page, example)
        const done = await browsers.downloaded(page)
        assert.deepEqual(done, await byCommand(page, document))
        assert.notDeepEqual(done, Buffer.from(document))
        await page.evaluate(() => (window.kept.copied = null))
        await page.click('#copy')
        await page.waitForFunction(() => window.kept.copied !== null)
        assert.equal(await page.evaluate(() => window.kept.copied), done.toString())
        assert.equal(await editor(page, 'source'), document)

        const numbers = await page.$$eval('#list button[data-number]', (all) => all.map((button) => Number(button.dataset.number)))
        assert.ok(numbers.length > 4)
        let explained = 0
        for (const number of numbers) {
          await choose(page, number)
          const isExplained = await page.$('#details pre')
          if (!isExplained) continue
          explained++
          const { command, steps, compare } = await shownDetails(page)
          const said = JSON.parse(shell(`${command.replace(' --explain', ' --format json --explain')}; true`, folder))
          assert.deepEqual(steps, said.steps.map(({ step, text }) => [step, text]), command)
          assert.deepEqual(compare, said.compare.map(({ absolute, error }) => absolute ?? error), command)
        }
        assert.ok(explained > 3)
      })
    }

    test('each change is marked, and nothing else', async () => {
      await browsers.takeExample(page, 'srcset')
      const marks = (kind) => page.$eval('#result', (host, kind) => Array.from(host.shadowRoot.querySelectorAll(kind), (mark) => mark.textContent), kind)
      const [deleted, inserted] = [await marks('.cm-deletedText'), await marks('.cm-changedText')]
      assert.ok(deleted.length >= 10, `${deleted}`)
      assert.equal(deleted.length, inserted.length)
      assert.ok(deleted.every((text) => !text.includes('//') && !/[\s"]/.test(text)), `${deleted}`)
      assert.ok(inserted.every((text) => text.startsWith('https://shop.example.org/')), `${inserted}`)
    })

    test('what is typed is done again, with the options that are chosen', async () => {
      await browsers.takeExample(page, 'css')
      await page.select('#to', 'root')
      await idle(page)
      assert.match(await editor(page, 'result'), /"\/assets\/css\/reset\.css"/)
      await page.$eval('#source', (host) => host.shadowRoot.querySelector('.cm-content').focus())
      await page.keyboard.type('@import "typed.css";')
      await idle(page)
      assert.match(await editor(page, 'result'), /\/assets\/css\/typed\.css/)
      const text = await editor(page, 'source')
      assert.match(text, /typed\.css/)
      assert.deepEqual(await browsers.downloaded(page), await byCommand(page, text))
      await page.click('#more summary')
      await page.type('#excludeUrl', 'typed')
      await idle(page)
      assert.match(await editor(page, 'result'), /"typed\.css"/)
      assert.deepEqual(await browsers.downloaded(page), await byCommand(page, text))
      await page.click('#more summary')
    })

    test('wrong options are said, and the document stays', async () => {
      await browsers.takeExample(page, 'base')
      await page.$eval('#base', (input) => (input.value = ''))
      await page.type('#base', 'mailto:ann@example.org')
      await idle(page)
      assert.match(await textOf(page, '#status'), /mailto/)
      assert.equal(await page.$eval('#base', (input) => input.getAttribute('aria-invalid')), 'true')
      assert.equal(await editor(page, 'source'), EXAMPLES[0].document)
      await page.$eval('#base', (input) => (input.value = ''))
      await page.type('#base', 'http://h/')
      await idle(page)
      assert.match(await textOf(page, '#status'), /changes/)
    })

    test('each URL keeps its form while some of them move', async () => {
      await browsers.takeExample(page, 'base')
      await page.select('#to', 'keep')
      await idle(page)
      assert.match(await textOf(page, '#status'), /More options/)
      await page.click('#more summary')
      await page.type('#moveUrl', 'https://cdn.example.net/=https://moved.example/new/')
      await idle(page)
      const [{ document }] = EXAMPLES
      const done = await browsers.downloaded(page)
      assert.deepEqual(done, await byCommand(page, document))
      assert.equal(done.toString(), document.replace('//cdn.example.net/', '//moved.example/new/'))
      const facts = async (reference) => {
        const references = await page.$$eval('#list button[data-number]', (all) => all.map((button) => button.textContent))
        await choose(page, references.indexOf(reference))
        return textOf(page, '#details dl')
      }
      assert.match(await facts('//cdn.example.net/guide.pdf'), /Becomes\/\/moved\.example/)
      assert.match(await facts('?page=2'), /Stays/)
      await page.click('#more summary')
    })

    test('a link brings the same back', async () => {
      await browsers.takeExample(page, 'feed')
      await page.$eval('#source', (host) => host.shadowRoot.querySelector('.cm-content').focus())
      await page.keyboard.type('<!-- Zo\u00eb -->')
      await idle(page)
      await page.select('#feedBase', 'feed')
      await idle(page)
      await choose(page, 2)
      await page.waitForFunction(() => /reference=3/.test(location.hash) && /feedBase=feed/.test(location.hash))
      const link = page.url()
      const before = await browsers.downloaded(page)
      const other = await browsers.open(browser, link)
      await idle(other)
      assert.deepEqual(await browsers.downloaded(other), before)
      assert.equal(await other.$eval('#list [aria-current=true]', (button) => button.dataset.number), '2')
      assert.equal(await textOf(other, '#command'), await textOf(page, '#command'))
      await other.close()
      for (const wrong of ['#base=x&document=AAAA', '#example=none', '#document=%', '#base=h&as=nothing&removeBase=no&also=nothing']) {
        const broken = await browsers.open(browser, server.url + wrong)
        assert.deepEqual(broken.said, [], wrong)
        await broken.close()
      }
    })

    test('files are read in their own encodings, and long ones in parts', async () => {
      const latin = join(folder, 'latin.html')
      writeFileSync(latin, Buffer.from('<meta charset=iso-8859-2>\r\n<a href="sk\xf8.html">\xe6</a>\r\n', 'latin1'))
      await browsers.openFile(page, latin)
      await page.waitForFunction(() => /iso-8859-2/.test(document.querySelector('#source-facts').textContent))
      assert.match(await editor(page, 'source'), /skř\.html/)
      assert.deepEqual(await browsers.downloaded(page), await byCommand(page, readFileSync(latin)))
      for (const [file, path] of Object.entries(documents(folder))) {
        await browsers.openFile(page, path)
        await page.waitForFunction((file) => document.querySelector('#command').textContent.endsWith(file) && !document.body.hasAttribute('aria-busy'), {}, file)
        assert.match(await textOf(page, '#part-now'), /^Part 1 of \d+/, file)
        await page.click('#part-after')
        await page.waitForFunction(() => document.querySelector('#part-now').textContent.startsWith('Part 2'))
        assert.ok((await browsers.downloaded(page)).equals(await byCommand(page, readFileSync(path))), file)
      }
    })

    test('nothing of a document runs or is fetched, and nothing is asked for after loading', async () => {
      const fresh = await browsers.open(browser, server.url)
      await new Promise((done) => setTimeout(done, 300))
      // From here on there is no network.
      server.close()
      const asked = server.asked.length
      fresh.on('request', (request) => server.asked.push(request.url()))
      const path = join(folder, 'runs.html')
      writeFileSync(path, `<script>document.title = 'ran'</script><img src=/fetched.png onerror="document.title = 'ran'">`)
      await browsers.openFile(fresh, path)
      await fresh.waitForFunction(() => document.querySelector('#list').textContent.includes('/fetched.png'))
      for (const { name } of EXAMPLES) await browsers.takeExample(fresh, name)
      await choose(fresh, 3)
      await new Promise((done) => setTimeout(done, 600))
      assert.equal(await fresh.title(), 'abslink: try it')
      assert.deepEqual(server.asked.slice(asked), [])
      assert.deepEqual(fresh.said, [])
    })

    test('the console has nothing', () => assert.deepEqual(page.said, []))
  })
}

