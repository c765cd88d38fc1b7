// What a report does in a real Chromium: node report.mjs PAGE.html... Ends with 1 and a sentence where it fails.
import { AxeBuilder } from '@axe-core/playwright';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const DESK = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
const MOST_SENTENCES = 3;
/** Of the size of the title's letters: a line is less, and two are more. */
const MOST_OF_A_LINE = 2;
const MOST_SHEETS = 6;
const MOST_SHEETS_OF_A_CARD = 6;
const WAIT_MS = 120_000; // on a busy machine
/** All that depend on colours; AAA is asked of no page. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--no-first-run'] });
try {
  const [first, ...others] = process.argv.slice(2);
  for (const file of [first, ...others]) {
    await at(file, { viewport: DESK }, async (page, what) => {
      await isBounded(page, '.overview, .key-figures', DESK, what);
      await showsFewSentences(page, what);
      await areTitlesOneLine(page, what);
      await isAsThePictureSays(page, what);
      await isAccessible(page, what);
      await page.emulateMedia({ colorScheme: 'dark' });
      await isReadable(page, `${what}, dark`);
      await openByKeyboard(page, what);
      await listsTheSlowest(page, what);
      await prints(page, what);
      if (file === first) { // the cards of the others are made of the same, and to look at one takes seconds
        await isReadable(page, `${what}, dark, a card is open`);
        await page.emulateMedia({ colorScheme: 'light' });
        await isAccessible(page, `${what}, a card is open`);
      }
    });
    await at(file, { viewport: PHONE, isMobile: true, hasTouch: true }, async (page, what) => {
      await isBounded(page, '.overview .lines, .key-figures', PHONE, what);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= PHONE.width, `${what}: ${wide} px wide, and so moves sideways`);
      await listsTheSlowest(page, what);
      const listed = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(listed <= PHONE.width, `${what}: ${listed} px wide with the slowest messages`);
      await isAccessible(page, what);
    });
  }
} finally {
  await browser.close();
}

async function at(file, options, test) {
  const what = `${file}, ${options.viewport.width} px`;
  const context = await browser.newContext(options);
  context.setDefaultTimeout(WAIT_MS);
  context.setDefaultNavigationTimeout(WAIT_MS);
  const page = await context.newPage();
  const problems = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  await page.goto(pathToFileURL(file).href);
  await page.locator('#verdict').waitFor();
  await test(page, what);
  assert.deepEqual(problems, [], `${what}: errors of the page`);
  await context.close();
}

/** The verdict and the picture of everything are seen without a turn of the wheel. */
async function isBounded(page, picture, { height }, what) {
  const box = await page.locator('.summary').locator(picture).first().boundingBox();
  assert.ok(box, `${what}: there is no picture on the first screen`);
  const end = Math.round(box.y + box.height);
  assert.ok(end <= height, `${what}: the picture ends at ${end} of ${height} px`);
}

/** What an answer says beyond them is closed, under the same heading. */
async function showsFewSentences(page, what) {
  const sentences = page.locator('.summary > .reasons li, .summary > .sentences p, .summary > .notes li');
  const shown = await sentences.filter({ visible: true }).count();
  assert.ok(shown <= MOST_SENTENCES, `${what}: ${shown} sentences are open`);
  const more = page.locator('.summary > .notes > details.more');
  if ((await more.count()) > 0) {
    const all = await sentences.count();
    assert.equal(await more.locator('summary').textContent(), `${all - shown} more`, what);
    await more.evaluate((each) => (each.open = true)); // not by a press, which moves where Tab starts from
    assert.equal(await sentences.filter({ visible: true }).count(), all, `${what}: the rest is there once it is open`);
    await more.evaluate((each) => (each.open = false));
  }
}

/** What is closed takes no more of the first screen than its title. */
async function areTitlesOneLine(page, what) {
  const tall = await page.locator('.summary details:not([open]) > summary').evaluateAll(
    (all, most) => all
      .filter((each) => each.getBoundingClientRect().height > most * parseFloat(getComputedStyle(each.querySelector('h3') ?? each).fontSize))
      .map((each) => each.textContent),
    MOST_OF_A_LINE,
  );
  assert.deepEqual(tall, [], `${what}: titles on several lines`);
}

/** What the README's picture of such a report shows, in the words beside it. */
async function isAsThePictureSays(page, what) {
  if ((await page.locator('.summary .notes').count()) === 0) {
    return;
  }
  const words = readFileSync('../README.md', 'utf8').match(/^!\[(.*)\]\(docs\/images\/report\.png\)$/m)[1];
  const [open, folded] = words.split('; ');
  assert.match(open, /what this machine can resolve, and every channel on one axis with its figures$/, 'the picture of the README');
  assert.equal(folded, 'the cost of its settings is folded below', 'the picture of the README');
  const text = async (where) => (await page.locator(where).allTextContents()).join(' ');
  assert.match(await text('.summary #verdict'), /This machine: good to/, what);
  assert.ok(await page.locator('.summary .overview .picture svg').count() > 1, `${what}: every channel on one axis`);
  assert.match(await text('.summary details:not([open]) > summary'), /Cost of each machine setting/, `${what}: folded`);
  assert.doesNotMatch(await text('.summary > .notes'), /Cost of each machine setting/, `${what}: open`);
}

async function isAccessible(page, what) {
  await hasNoViolations(rules(page), what);
}

/** In the dark, where the same page has other colours and nothing else. */
async function isReadable(page, what) {
  await hasNoViolations(rules(page).withRules(COLOUR_RULES), what);
}

/** A page has no frames; of what a rule passes, one place is enough: to name all takes longer than to find what fails. */
function rules(page) {
  return new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
}

async function hasNoViolations(builder, what) {
  const { violations } = await builder.analyze();
  assert.deepEqual(
    violations.map((each) => `${each.id}: ${each.nodes.map((node) => node.target.join(' ')).join('; ')}`), [], `axe, ${what}`,
  );
}

/** On paper: the first page, and of the cards those that are open. */
async function prints(page, what) {
  const cards = page.locator('details.card');
  if ((await cards.count()) === 0) {
    return;
  }
  const sheets = async () => (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g).length;
  await cards.evaluateAll((all) => all.forEach((card) => (card.open = false)));
  const closed = await sheets();
  assert.ok(closed <= MOST_SHEETS, `${what}: ${closed} sheets without a card`);
  await cards.first().evaluate((card) => (card.open = true));
  await page.emulateMedia({ media: 'print' });
  const shown = await cards.evaluateAll((all) => all.map((card) => card.getClientRects().length > 0));
  assert.deepEqual(shown, shown.map((_, at) => at === 0), `${what}: the open card, and no other, is printed`);
  await page.emulateMedia({ media: null });
  const one = await sheets();
  assert.ok(one <= closed + MOST_SHEETS_OF_A_CARD, `${what}: ${one} sheets with one card, ${closed} without`);
}

/** Closed until somebody asks, where there is one in an open card; printed only once it is open. */
async function listsTheSlowest(page, what) {
  const list = page.locator('.card[open] .slowest').first();
  if ((await list.count()) === 0) {
    return;
  }
  assert.equal(await list.locator('table').first().isVisible(), false, `${what}: the slowest messages are closed`);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await list.isVisible(), false, `${what}: the slowest messages are printed though they are closed`);
  await page.emulateMedia({ media: null });
  await list.locator('summary').click();
  await list.locator('td.why').first().waitFor();
  await isAccessible(page, `${what}, the slowest messages`);
}

/** From the top: past the first link, to a test in the picture, which opens its card and goes on to it. */
async function openByKeyboard(page, what) {
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.className), 'skip', `${what}: the first stop skips to the figures`);
  const names = page.locator('.overview a[href^="#"]');
  if ((await names.count()) === 0) {
    return;
  }
  const target = await names.first().getAttribute('href');
  const isOpen = () => page.locator(target).evaluate((each) => each.open);
  let stops = 1;
  await until(`${what}: Tab comes to a test, and Enter opens its card`, async () => {
    const isThere = (await page.evaluate(() => document.activeElement.getAttribute('href'))) === target;
    await page.keyboard.press(isThere ? 'Enter' : 'Tab');
    stops += isThere ? 0 : 1;
    return isThere && isOpen();
  });
  assert.ok(stops <= 20, `${what}: ${stops} stops to the first test`);
  // following the link, the page may still take the focus away, or open the card again
  await until(`${what}: Enter closes the card again`, async () => {
    await page.locator(`${target} > summary`).focus();
    await page.keyboard.press('Enter');
    return !(await isOpen());
  });
}

/** Acts again until it has done what it is for. */
async function until(what, act) {
  for (const end = Date.now() + WAIT_MS; !(await act());) {
    assert.ok(Date.now() < end, `waited, and it did not happen: ${what}`);
  }
}
