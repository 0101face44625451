// What is wrong with a page, a line each: by axe-core in light and in dark, at two widths, and by the
// keyboard alone. node axe.js URL, with puppeteer-core and axe-core in NODE_PATH.
const fs = require('fs');
const puppeteer = require('puppeteer-core');

const wrong = line => console.log(line);

async function main(url) {
  const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
  for (const scheme of ['light', 'dark']) {
    for (const width of [360, 1440]) {
      const page = await browser.newPage();
      await page.setBypassCSP(true);
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      await page.setViewport({ width, height: 900 });
      await page.goto(url);
      const over = await page.evaluate(() =>
        document.documentElement.scrollWidth - document.documentElement.clientWidth);
      if (over > 0) wrong(`${scheme} ${width}: ${over} pixels wider than the window`);
      await page.evaluate(axe);
      const found = await page.evaluate(() => axe.run());
      if (found.passes.length < 20) wrong(`${scheme} ${width}: axe looked at little`);
      for (const { id, help, nodes } of found.violations) {
        wrong(`${scheme} ${width}: ${id}: ${help}: ${nodes[0].html}`);
      }
      await page.close();
    }
  }
  const page = await browser.newPage();
  await page.goto(url);
  const active = () => page.evaluate(() => document.activeElement.getAttribute('href'));
  const seen = [];
  for (let presses = 0; presses < 500 && seen.at(-1) !== '#d1'; presses++) {
    await page.keyboard.press('Tab');
    seen.push(await active());
  }
  if (!seen.includes('#after-map')) wrong('no link leads past the picture');
  await page.keyboard.press('Enter');
  const target = await page.evaluate(() => document.querySelector(':target')?.tagName);
  if (target !== 'TR') wrong(`a cell leads to ${target}, after ${seen.length} presses of Tab`);
  await browser.close();
}

main(process.argv[2]).catch(error => {
  console.error(error);
  process.exit(1);
});
