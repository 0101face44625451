// Pages that are not drawn alike, a line each: `node drawn.js` reads two URLs a line, with puppeteer-core in
// NODE_PATH.
const fs = require('fs');
const puppeteer = require('puppeteer-core');

async function drawn(browser, url) {
  // One without a history, in which no link has been visited.
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ width: 1000, height: 1200 });
  await page.goto(url, { waitUntil: 'networkidle0', timeout: 120_000 });
  await page.evaluate(() => document.fonts.ready);
  // Players show how far they have got with loading.
  await page.addStyleTag({ content: 'video, audio { visibility: hidden }' });
  const picture = await page.screenshot();
  await context.close();
  return picture;
}

async function main() {
  const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    protocolTimeout: 300_000,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--hide-scrollbars',
      '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  const pairs = fs.readFileSync(0, 'utf8').trim().split('\n').map(line => line.split(' '));
  for (const [one, other] of pairs) {
    // On a busy machine a picture may be taken before all of a page has been laid out.
    let alike = false;
    for (let tries = 0; tries < 5 && !alike; tries++) {
      alike = Buffer.compare(await drawn(browser, one), await drawn(browser, other)) === 0;
    }
    if (!alike) console.log(other);
  }
  await browser.close();
}

main().catch(error => {
  console.error(error);
  process.exit(1);
});
