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
  const picture = await page.screenshot({ encoding: 'base64' });
  await context.close();
  return `data:image/png;base64,${picture}`;
}

// Whether two pictures show the same. The same page may be a level of a colour off where edges are smoothed.
function alike(page, ...pictures) {
  return page.evaluate(async pictures => {
    const [one, other] = await Promise.all(pictures.map(async picture => {
      const image = new Image();
      image.src = picture;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
      canvas.drawImage(image, 0, 0);
      return canvas.getImageData(0, 0, image.width, image.height).data;
    }));
    return one.length === other.length && one.every((level, at) => Math.abs(level - other[at]) <= 2);
  }, pictures);
}

async function main() {
  const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    protocolTimeout: 300_000,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--hide-scrollbars',
      '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  const pairs = fs.readFileSync(0, 'utf8').trim().split('\n').map(line => line.split(' '));
  const blank = await browser.newPage();
  for (const [one, other] of pairs) {
    // On a busy machine a picture may be taken before all of a page has been laid out.
    let same = false;
    for (let tries = 0; tries < 5 && !same; tries++) {
      same = await alike(blank, await drawn(browser, one), await drawn(browser, other));
    }
    if (!same) console.log(other);
  }
  await browser.close();
}

main().catch(error => {
  console.error(error);
  process.exit(1);
});
