// Pictures to look at: node pictures.mjs REPORT.html COMPARISON.html FOLDER. Ends with 1 and a sentence where it fails.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const DESK = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
/** A4, with the 96 px an inch of browsers. */
const PAPER = { viewport: { width: 794, height: 1123 } };
const WAIT_MS = 120_000; // on a busy machine
/** For charts that are drawn after the page is there. */
const DRAW_MS = 1_000;

const [report, comparison, folder] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars'] });
try {
  await shoot(report, 'report', DESK);
  await shoot(report, 'report-dark', { ...DESK, colorScheme: 'dark' });
  await shoot(report, 'report-phone', PHONE, async () => ({ fullPage: true }));
  await shoot(report, 'report-card', DESK, async (page) => {
    const card = page.locator('details.card').first();
    assert.ok((await card.count()) > 0, `${report} has no card to open`);
    await card.evaluate((each) => {
      each.open = true;
      each.scrollIntoView();
    });
  });
  await shoot(report, 'report-paper', PAPER, async (page) => {
    await page.pdf({ path: join(folder, 'report-paper.pdf'), format: 'A4' });
    await page.emulateMedia({ media: 'print' });
    return { fullPage: true };
  });
  await shoot(comparison, 'comparison', DESK);
} catch (error) {
  console.error(error.message ?? error);
  process.exitCode = 1;
} finally {
  await browser.close();
}

/** Once the page is there and the steps are done, which may say how much of it is wanted. */
async function shoot(file, name, options, steps = async () => ({})) {
  const context = await browser.newContext({ colorScheme: 'light', ...options });
  context.setDefaultTimeout(WAIT_MS);
  context.setDefaultNavigationTimeout(WAIT_MS);
  const page = await context.newPage();
  await page.goto(pathToFileURL(file).href);
  await page.locator('#verdict').waitFor();
  const wanted = await steps(page);
  await page.waitForTimeout(DRAW_MS);
  await page.screenshot({ path: join(folder, `${name}.png`), ...wanted });
  await context.close();
}
