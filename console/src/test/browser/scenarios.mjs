// What the page does in a real Chromium: node scenarios.mjs SCENARIO URL [FOLDER]. Ends with 1 and a sentence where it fails.
import { AxeBuilder } from '@axe-core/playwright';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { chromium } from 'playwright-core';

const [scenario, url, folder = '.'] = process.argv.slice(2);
const { origin, searchParams: given } = new URL(url);
const token = given.get('token');
/** The page with its token, as the console prints it, and with what a link holds behind the #. */
const pageAt = (hash = '', at = `${origin}/`) => `${at}?token=${token}${hash}`;
const authorization = { authorization: `Bearer ${token}` };
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
];
const WAIT = { timeout: 240_000 }; // on a busy machine

const withPage = (options, test) => withPageAt(pageAt(options.hash), /feed$/, options, test);
const withRuns = (options, test) => withPageAt(pageAt('', `${origin}/runs.html`), /^(Play|Pause|Follow)$/, options, test);

/** All that is waited for on it, or on others of its context, is waited for as long. */
async function newPage(browser, options) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(WAIT.timeout);
  context.setDefaultNavigationTimeout(WAIT.timeout);
  return context.newPage();
}

async function withPageAt(address, button, options, test) {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  try {
    const page = await newPage(browser, { acceptDownloads: true, ...options });
    await page.addInitScript(() => {
      window.workers = [];
      window.Worker = class extends Worker {
        constructor(...given) {
          super(...given);
          window.workers.push(this);
        }
      };
    });
    const problems = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    await page.goto(address);
    await page.getByRole('button', { name: button }).waitFor(WAIT);
    try {
      await test(page, problems);
    } catch (error) {
      throw new Error(`${error.stack}\n${problems.join('\n')}\nThe page says:\n${await page.locator('body').innerText()}`);
    }
    assert.deepEqual(problems, [], 'the page reported errors');
  } finally {
    await browser.close();
  }
}

/** It knows the feed, and its first session is open: before, it sets what it shows by itself, and breaks off a benchmark. */
const isThere = (page) => page.locator('.grid-body [role=row], .tiles canvas').first().waitFor(WAIT);

async function startFeed(page) {
  const button = page.getByRole('button', { name: /^(Start|Stop) feed$/, disabled: false });
  await button.waitFor(WAIT);
  await isThere(page);
  if ((await button.textContent()) === 'Start feed') {
    await button.click();
  }
  await page.getByRole('button', { name: 'Stop feed' }).waitFor(WAIT);
  await isReceiving(page);
}

/** A feed with the settings of this page, whoever ran one before. */
async function startAnew(page) {
  await startFeed(page);
  await page.getByRole('button', { name: 'Stop feed' }).click();
  await page.getByRole('button', { name: 'Start feed' }).waitFor(WAIT);
  await startFeed(page);
}

async function isReceiving(page) {
  await page.waitForFunction(
    () => !['0', '–', ''].includes(document.querySelector('#figure-received').textContent)
      && document.querySelector('#figure-p50').textContent !== '–',
    undefined, WAIT,
  );
}

/** The end of a session that the page has replaced may reach it late: it is not the end of the new one. */
async function passesOverWhatEndedBefore(page, opened) {
  const before = opened();
  await page.getByRole('button', { name: 'Run Benchmark' }).click();
  await page.evaluate(() => window.workers[0].dispatchEvent(new MessageEvent('message', {
    data: { type: 'ended', number: 0, reason: 'of another one', resumes: false },
  })));
  await page.getByText(/^Measured: /).waitFor(WAIT);
  assert.equal(opened(), before, 'no session is opened');
}

/** For what the page cannot be asked. */
async function until(what, condition) {
  for (const end = Date.now() + WAIT.timeout; !(await condition());) {
    assert.ok(Date.now() < end, `waited, and it did not happen: ${what}`);
    await new Promise((later) => setTimeout(later, 50));
  }
}

/** The page has no frames; of what a rule passes, one place is enough: to name all takes longer than to find what fails. */
async function isAccessible(page, what) {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] }).analyze();
  assert.deepEqual(
    violations.map((each) => `${each.id}: ${each.nodes.map((node) => node.target.join(' ')).join('; ')}`), [], `axe, ${what}`,
  );
}

/** Nothing to say against it but that a test's own profile counts as incognito. */
async function canBeInstalled(page) {
  const session = await page.context().newCDPSession(page);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  assert.deepEqual(installabilityErrors.map((each) => each.errorId).filter((each) => each !== 'in-incognito'), [], 'it can be installed');
}

/** Longest time between two pictures, as the page tells it. */
const drawsAtLeastEvery = (page, [from, to]) => page.waitForFunction(
  ([least, most]) => {
    const ms = Number.parseFloat(document.querySelector('#figure-frame').textContent.replace(/[^\d.]/g, ''));
    return ms >= least && ms <= most;
  }, [from, to], WAIT,
);

async function download(page, button) {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button, exact: true }).click()]);
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}

const shownSettings = (page) =>
  Promise.all(['Frame rate', 'Max frequency', 'Rate instead'].map((label) => page.getByLabel(label).inputValue()));

async function measure(page) {
  await page.getByLabel('Length of the benchmark').selectOption('5');
  await page.getByRole('button', { name: 'Run Benchmark' }).click();
  await page.getByText(/^Measured: /).waitFor(WAIT);
}

async function beginSearch(page) {
  await page.getByRole('button', { name: 'Find limit', disabled: false }).click();
  await page.getByRole('button', { name: 'Stop the search' }).waitFor(WAIT);
}

/** It has made a step, and goes on; where a step that a busy machine did not let it judge has ended it, another begins. */
async function searches(page) {
  await until('a search goes on', async () => {
    if ((await page.getByRole('button', { name: 'Find limit', disabled: false }).count()) > 0) {
      await beginSearch(page);
    }
    return (await page.locator('.limit-steps tbody tr').count()) > 0;
  });
}

const scenarios = {
  async desk() {
    await withPage({ viewport: { width: 1440, height: 900 } }, async (page) => {
      assert.equal(await page.evaluate(() => crossOriginIsolated), true, 'the page is isolated');
      await page.getByRole('button', { name: 'Start feed', disabled: false }).waitFor(WAIT);
      assert.equal((await shownSettings(page))[2], '300', 'the controls show what the console was told, though nothing runs');
      await isAccessible(page, 'before it began');
      await startFeed(page);
      await page.locator('.grid-body [role=row][data-move=up]').first().waitFor(WAIT);
      await measure(page);
      const [seen, whole] = await page.locator('.rows-scroll').evaluate((table) => [table.clientWidth, table.scrollWidth]);
      assert.ok(whole <= seen, `a row is seen whole: ${whole} of ${seen} px`);
      const row = page.locator('.rows tbody tr').first();
      assert.ok(Number((await row.locator('td.result').first().textContent()).replace(/\D/g, '')) > 0, 'messages were counted');
      await isAccessible(page, 'with a row, light');
      await page.getByRole('button', { name: 'Dark colours' }).click();
      await isAccessible(page, 'with a row, dark');

      await row.getByRole('textbox').fill('my row');
      await row.getByRole('textbox').press('Tab');
      await row.getByRole('button', { name: 'Compare' }).click();
      const csv = await download(page, 'CSV');
      assert.equal(csv.name, 'tickmark-console.csv');
      assert.match(csv.text.split('\n')[1], /my row/);
      const json = await download(page, 'JSON');
      assert.equal(json.name, 'tickmark-console.json');
      const [kept, ...more] = JSON.parse(json.text);
      assert.deepEqual([kept.name, more.length], ['my row', 0]);
      assert.ok(kept.feedPerSecond > 0, 'it knows what the feed made');
      assert.equal(kept.messages, Number((await row.locator('td.result').first().textContent()).replace(/\D/g, '')), 'as the table says');
      await page.getByRole('button', { name: 'Result folder' }).click();
      await page.getByText(/^Written to /).waitFor(WAIT);
      await page.reload();
      await page.locator('.rows tbody tr').first().waitFor(WAIT);
      assert.equal(await row.getByRole('textbox').inputValue(), 'my row', 'the row was kept');
      await isThere(page);

      // what is set now is not what the row was measured with: Use and Link bring that back
      await page.getByLabel('Frame rate').fill('37');
      await page.getByLabel('Frame rate').press('Tab');
      await until('the address holds it', () => /framesPerSecond=37/.test(page.url()));
      await page.getByLabel('Max frequency').fill('3');
      await page.getByLabel('Max frequency').press('Tab');
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await row.getByRole('button', { name: 'Link' }).click();
      await page.getByText(/^Copied: /).waitFor(WAIT);
      const link = await page.evaluate(() => navigator.clipboard.readText());
      await row.getByRole('button', { name: 'Use' }).click();
      const measuredWith = ['', '0', String(kept.settings.rate)].join();
      await until('Use sets what the row was measured with', async () => (await shownSettings(page)).join() === measuredWith);
      await until('the address holds it', () => !/framesPerSecond/.test(page.url()));
      const linked = await page.context().newPage();
      await linked.goto(link);
      await linked.getByRole('button', { name: /feed$/ }).waitFor(WAIT);
      await until('the link holds them too', async () => (await shownSettings(linked)).join() === measuredWith);
      await linked.close();

      await row.getByRole('button', { name: 'Delete my row' }).click();
      await page.getByText(/^No rows yet/).waitFor(WAIT);
      await page.reload();
      await page.getByText(/^No rows yet/).waitFor(WAIT);
    });
  },

  /** Through a relay that this test can stall and cut. */
  async guaranteed() {
    const { hostname, port } = new URL(url);
    const asked = [];
    const feeds = new Set();
    const relay = createServer((browser) => {
      const server = connect(Number(port), hostname);
      browser.once('data', (head) => {
        const path = String(head).split(' ')[1];
        if (path.startsWith('/feed/ws-')) {
          asked.push(new URL(path, url).searchParams);
          feeds.add({ browser, server });
        }
        server.write(head);
        browser.pipe(server);
      });
      server.pipe(browser);
      browser.on('error', () => server.destroy()).on('close', () => server.destroy());
      server.on('error', () => browser.destroy()).on('close', () => browser.end());
    });
    await new Promise((listening) => relay.listen(0, '127.0.0.1', listening));
    const cut = () => feeds.forEach((each) => each.browser.destroy());
    // a pause alone ends as soon as a browser that was behind takes more
    const stall = () => feeds.forEach(({ browser, server }) => server.unpipe(browser).pause());
    const goOn = () => feeds.forEach(({ browser, server }) => browser.destroyed || server.pipe(browser));
    const address = `http://127.0.0.1:${relay.address().port}/`;
    try {
      // the page opens a session when it is loaded, and one whenever it stops or starts the feed
      const opensOne = async (act) => {
        const { length } = asked;
        await act();
        await until('the page opens a session', () => asked.length > length);
      };
      await withPageAt(`${pageAt('', address)}#rate=2000&guaranteed=true&conflation=buffer`, /feed$/, {}, async (page) => {
        await until('the page opens a session', () => asked.length > 0);
        await opensOne(() => startFeed(page));
        await page.getByLabel('Length of the benchmark').selectOption('5');
        await passesOverWhatEndedBefore(page, () => asked.length);
        await until('a benchmark goes on', async () => { // a page that was stalled may have ended it before it is seen
          const run = page.getByRole('button', { name: 'Run Benchmark', disabled: false });
          if ((await run.count()) > 0) {
            await run.click();
          }
          return page.evaluate(() => document.querySelector('progress').value > 0.2);
        });
        const before = asked.length;
        stall(); // what is made from here on is not seen before the cut
        await page.waitForTimeout(300);
        cut();
        await page.getByText(/^Measured: /).waitFor(WAIT);
        await until('it comes back', () => asked.length > before);
        const resumed = asked.at(-1);
        assert.equal(asked.length, before + 1, 'it came back once');
        assert.match(resumed.get('session'), /^[0-9a-f]{32}$/);
        assert.ok(Number(resumed.get('after')) > 0, 'it says what it has');
        await isReceiving(page);
        assert.doesNotMatch(await page.locator('.strip').textContent(), /lost/, 'what was missing came again');
        await until('nobody is alarmed any more', async () => (await page.getByRole('alert').allTextContents()).length === 0);

        // a client that takes nothing reaches the limit: 4 MB are half a second of this rate
        // only the last session is stalled
        await opensOne(() => page.goto(`${pageAt('', address)}&again#rate=200000&guaranteed=true&conflation=buffer`));
        await opensOne(() => page.getByRole('button', { name: 'Stop feed' }).click());
        await opensOne(() => page.getByRole('button', { name: 'Start feed' }).click());
        await isReceiving(page);
        const opened = asked.length;
        stall();
        const state = async () => (await fetch(new URL('/api/state', url), { headers: authorization })).json();
        await until('the session reaches its limit', async () => (await state()).overLimit > 0);
        goOn();
        await page.getByText(/^More messages were waiting than may be kept for this session: \d+ messages after number \d+ were not sent\.$/).waitFor(WAIT);
        await until('the page opens a session anew', () => asked.length > opened && !asked.at(-1).has('session'));
        await isReceiving(page);
      });
    } finally {
      feeds.forEach((each) => each.server.destroy());
      relay.close();
    }
  },

  async grid() {
    await withPage({ viewport: { width: 1280, height: 800 } }, async (page) => {
      await startFeed(page);
      await page.getByPlaceholder('Filter symbols').fill('BA');
      await until('the filter holds', async () => {
        const names = await page.locator('.grid-body .col-symbol').allTextContents();
        return names.length > 0 && names.every((name) => name.includes('BA'));
      });
      await page.getByPlaceholder('Filter symbols').fill('');
      await page.getByRole('button', { name: 'Last' }).click();
      await until('it is sorted', async () => (await page.locator('.grid-head .col-last').getAttribute('aria-sort')) === 'descending');
      await page.getByRole('button', { name: 'Symbol', exact: true }).click();
      await page.locator('.grid-body [role=row][tabindex="0"]').focus();
      await page.keyboard.press('PageDown');
      await page.keyboard.press('ArrowDown');
      const index = () => page.evaluate(() => Number(document.activeElement.getAttribute('aria-rowindex')));
      await until('keys move the row', async () => (await index()) > 5);
      await page.keyboard.press('End');
      const count = () => page.evaluate(() => Number(document.querySelector('#grid').getAttribute('aria-rowcount')));
      await until('End goes to the last row', async () => (await index()) === (await count()));

      await page.getByRole('button', { name: 'Run Benchmark' }).click();
      await page.getByLabel('Max frequency').fill('5');
      await page.getByLabel('Max frequency').press('Tab');
      await page.getByText(/^The benchmark was broken off/).waitFor(WAIT);
      await until('it can be run again', () => page.getByRole('button', { name: 'Run Benchmark' }).isEnabled());
      await page.getByRole('button', { name: 'Run Benchmark' }).click();
      await page.getByText(/^The benchmark was broken off/).waitFor({ ...WAIT, state: 'hidden' });
      await page.getByLabel('Frame rate').fill('2');
      await page.getByLabel('Frame rate').press('Tab');
      await page.getByText(/^The benchmark was broken off/).waitFor(WAIT); // half of its row would be of another rate
      await drawsAtLeastEvery(page, [450, 5_000]);

      // received and counted, but not shown
      const prices = () => page.locator('.grid-body').textContent();
      await page.getByLabel('Rendering').uncheck();
      await isReceiving(page);
      let before;
      await until('nothing is drawn', async () => { // from the picture on that was under way
        before = await prices();
        await page.waitForTimeout(1500); // three pictures of this frame rate
        return (await prices()) === before;
      });
      await page.getByLabel('Rendering').check();
      await until('the prices move again', async () => (await prices()) !== before);

      await page.getByLabel('Renderer').selectOption('canvas');
      await page.locator('.tiles canvas').waitFor(WAIT);
      await page.waitForFunction(() => document.querySelector('.tiles-spacer').clientHeight > 0, undefined, WAIT);
      await isAccessible(page, 'tiles');
      await drawsAtLeastEvery(page, [450, 5_000]);
      await page.getByLabel('Frame rate').fill('');
      await page.getByLabel('Frame rate').press('Tab');
      await drawsAtLeastEvery(page, [5, 400]);
      await page.getByLabel('Rendering').uncheck();
      await isReceiving(page);
    });
  },

  /** Live, and in what is given away: the first row keeps its thresholds, the second does not. */
  async thresholds() {
    await withPage({ viewport: { width: 1280, height: 800 }, hash: '#symbols=50&rate=2000&flushMs=10&p99LimitMs=60000&lateLimitPercent=100' }, async (page) => {
      await startAnew(page);
      const judged = page.locator('#thresholds');
      await judged.getByText(/^✓ p99 passes: /).waitFor(WAIT);
      await judged.getByText(/^✓ frames late passes: /).waitFor(WAIT);
      await page.waitForFunction(() => /^[\d.\u202f]+ ms$/.test(document.querySelector('#figure-screen').textContent), undefined, WAIT);
      await measure(page);
      await page.getByLabel('p99 at most').fill('0.001');
      await page.getByLabel('p99 at most').press('Tab');
      await judged.getByText(/^✕ p99 fails: /).waitFor(WAIT);
      await page.getByText('p99 ≤ 0.001 ms', { exact: true }).waitFor(WAIT);
      await measure(page);
      await isAccessible(page, 'thresholds, light');
      const [head, ...lines] = (await download(page, 'CSV')).text.trim().split('\r\n').map((each) => each.split(','));
      assert.deepEqual(lines.map((each) => each[head.indexOf('thresholds')]), ['passes', 'fails']);
      const rows = JSON.parse((await download(page, 'JSON')).text);
      assert.ok(rows.every((each) => each.screenP50Ns > 0), 'latency to the screen is told');
      await page.getByRole('button', { name: 'Result folder' }).click();
      await page.getByText(/^Written to /).waitFor(WAIT);
    });
  },

  /** Flash, columns that are made wider and pinned, what is selected and copied, and the cross-hair and the zoom of the charts. */
  async hands() {
    await withPage({ viewport: { width: 1280, height: 800 }, hash: '#symbols=50&rate=300&flash=true' }, async (page) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await startAnew(page);
      await page.locator('.grid-row[data-flash]').first().waitFor(WAIT);
      await page.getByLabel('Flash').uncheck();
      await until('nothing is lit any more', async () => (await page.locator('.grid-row[data-flash]').count()) === 0);
      await page.waitForTimeout(500);
      assert.equal(await page.locator('.grid-row[data-flash]').count(), 0, 'and nothing is lit again');

      // columns
      const widthOf = (name) => page.locator(`.grid-head .col-${name}`).evaluate((each) => each.offsetWidth);
      const before = await widthOf('bid');
      const handle = page.getByRole('separator', { name: 'Width of Bid' });
      await handle.focus();
      for (let i = 0; i < 5; i++) {
        await page.keyboard.press('ArrowRight');
      }
      await until('keys make it wider', async () => (await widthOf('bid')) === before + 60);
      // a line that appears above the grid moves it between the look and the press
      await until('the pointer holds it', async () => {
        await handle.hover();
        await page.mouse.down();
        if (await handle.evaluate((each) => each.matches(':active'))) {
          return true;
        }
        await page.mouse.up();
        return false;
      });
      const place = await handle.boundingBox();
      await page.mouse.move(place.x + place.width / 2 + 200, place.y + place.height / 2, { steps: 4 });
      await page.mouse.up();
      await until('a pointer does, too', async () => Math.abs((await widthOf('bid')) - before - 260) <= 1)
        .catch(async (never) => assert.fail(`${never.message}: ${before} px became ${await widthOf('bid')} px`));
      await until('a double click makes it fit', async () => { // a longer price may come after it
        await handle.dblclick();
        const [needed, given] = await page.locator('.grid-body .col-bid').evaluateAll((cells) => [
          Math.max(...cells.map((cell) => cell.scrollWidth)), cells[0].clientWidth,
        ]);
        return needed <= given && given < before + 260;
      });
      await page.getByText('Columns', { exact: true }).click();
      await page.getByLabel('Show Ask').uncheck();
      await until('it is hidden', async () => (await page.locator('.grid-head .col-ask').count()) === 0);
      await page.getByLabel('Show Ask').check();
      await page.getByLabel('Pin Last').check();
      await isAccessible(page, 'the menu of columns');
      await page.keyboard.press('Escape');
      await page.setViewportSize({ width: 900, height: 800 });
      const scrolledTo = async (left) => {
        await page.locator('.grid-scroll').evaluate((scroll, to) => scroll.scrollTo(to, 0), left);
        return page.locator('.grid-body .grid-row').first().locator('div').evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().left));
      };
      // an observer of its size pins them anew, some frames later
      await until('the two that are pinned stay, and no other', async () => {
        const unmoved = await scrolledTo(0);
        const moved = await scrolledTo(200);
        return moved.length === 7 && moved.every((left, i) => (Math.abs(unmoved[i] - left) < 10) === (i < 2));
      });
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.reload();
      await page.locator('.grid-body [role=row]').first().waitFor(WAIT);
      await until('it is kept', async () => (await page.locator('.grid-head button').nth(1).textContent()) === 'Last');

      // selected and copied, once there are prices
      const last = (row) => page.locator(`.grid-body [role=row][aria-rowindex="${row}"] .col-last`).textContent();
      await until('both have a price', async () => /\d/.test(await last(3)) && /\d/.test(await last(4)));
      await page.locator('.grid-body [role=row][aria-rowindex="3"] .col-symbol').click();
      await page.keyboard.press('Shift+ArrowDown');
      await page.keyboard.press('Control+C');
      await page.getByText('Copied: 2 × 7 cells', { exact: false }).waitFor(WAIT);
      const copied = (await page.evaluate(() => navigator.clipboard.readText())).split('\n').map((each) => each.split('\t'));
      assert.deepEqual([copied.length, copied[0].slice(0, 3), copied[1].length], [3, ['Symbol', 'Last', 'Bid'], 7]);
      assert.ok(Number(copied[2][1]) > 0, `a price as a spreadsheet reads it: ${copied[2][1]}`);

      // one cross-hair, and one zoom
      const values = () => page.locator('.charts figure').evaluateAll((all) => all.map((each) => each.querySelector('.key output').textContent));
      const reset = page.getByRole('button', { name: 'Latest two minutes' });
      await page.locator('.charts canvas').last().waitFor(WAIT);
      await isReceiving(page);
      await page.locator('.charts').focus();
      await until('each chart tells its value', async () => { // once there is one
        await page.keyboard.press('ArrowLeft');
        return (await values()).length === 4 && (await values()).every((each) => each !== '');
      });
      await until('it is zoomed', async () => { // once enough is kept to show a part of it
        await page.keyboard.press('+');
        return reset.isEnabled();
      });
      await page.keyboard.press('Escape');
      await until('it is not any more', async () => !(await reset.isEnabled()));
      await until('no value is told any more', async () => (await values()).every((each) => each === ''));
      // a line that appears above the charts moves them between the look and the hand
      const moveTo = async (part) => {
        const plot = await page.locator('.charts .u-over').first().boundingBox();
        await page.mouse.move(plot.x + plot.width * part, plot.y + 20, { steps: 5 });
      };
      await until('all follow the pointer', async () => {
        await moveTo(0.9);
        return (await values()).every((each) => each !== '');
      });
      await until('what was drawn over is shown larger', async () => {
        await moveTo(0.9);
        await page.mouse.down();
        await moveTo(0.3);
        await page.mouse.up();
        return reset.isEnabled();
      });
      await reset.click();
      await isAccessible(page, 'with a cross-hair');
    });
  },

  /** The highest rate, as far as it is known when somebody stops. */
  async 'find-limit'() {
    await withPage({ viewport: { width: 1280, height: 800 }, hash: '#symbols=50&rate=2000' }, async (page) => {
      await startAnew(page);
      await searches(page);
      assert.equal(await page.getByRole('button', { name: 'Run Benchmark' }).isEnabled(), false, 'no other benchmark meanwhile');
      await isAccessible(page, 'while it searches');
      await searches(page);
      await page.getByRole('button', { name: 'Stop the search' }).click();
      await page.locator('#limit-words').getByText(/^Stopped\. .*(Not confirmed|No rate was measured)\./).waitFor(WAIT);
      await until('the rate is as it was', async () => (await page.getByLabel('Rate instead').inputValue()) === '2000');
      const { search } = JSON.parse((await download(page, 'JSON')).text).at(-1);
      assert.equal(search.isConfirmed, false);
      assert.deepEqual([search.steps[0].rate, search.steps[0].phase], [2000, 'doubling']);
      await page.getByRole('button', { name: 'Dark colours' }).click();
      await isAccessible(page, 'dark');
    });
  },

  /** To its end: 50 symbols of which each may move ten times a second are 500 a second, whatever the machine. */
  async 'find-limit-end'() {
    const hash = '#symbols=50&rate=400&conflation=buffer&maxFrequency=10&flushMs=5';
    await withPage({ viewport: { width: 1280, height: 800 }, hash }, async (page) => {
      await startAnew(page);
      let words;
      do { // a step that a busy machine does not let it judge ends it
        await beginSearch(page);
        await page.getByRole('button', { name: 'Find limit' }).waitFor({ timeout: 0 }); // as long as the test lets it
        words = await page.locator('#limit-words').textContent();
      } while (words.includes('could not be judged'));
      const row = JSON.parse((await download(page, 'JSON')).text).at(-1);
      const { held, failed, isConfirmed, steps } = row.search;
      const told = `${words} ${JSON.stringify(row.search)}`;
      // a busy machine may hold less, but never more than the server lets go
      assert.ok(held < 520 && failed !== null && failed <= 800, `between what held and what did not: ${told}`);
      assert.ok(steps.every((step) => step.rate < 560 || step.outcome !== 'holds'), `nothing above held: ${told}`);
      assert.equal(isConfirmed, /^This browser holds \d+ messages a second, confirmed over \d+ s\./.test(words), told);
      assert.equal(isConfirmed, steps.at(-1).phase === 'confirmation' && steps.at(-1).outcome === 'holds', told);
      assert.equal(await page.locator('.limit-steps tbody tr').count(), steps.length, 'each step is shown');
      const name = await page.locator('.rows tbody tr').first().getByRole('textbox').inputValue();
      assert.equal(name, isConfirmed ? `Limit ${held}/s` : held > 0 ? `Limit ${held}/s?` : 'No limit found', told);
      const measured = steps.findLast((step) => step.perSecond !== null);
      assert.equal(row.settings.rate, held > 0 ? held : measured.rate, `the row is that of the answer: ${told}`);
      await until('the rate is as it was', async () => (await page.getByLabel('Rate instead').inputValue()) === '400');
      await page.getByRole('button', { name: 'Stop feed' }).waitFor(WAIT);
      await isAccessible(page, 'with an answer');
    });
  },

  async channels() {
    await withPage({ viewport: { width: 1280, height: 800 } }, async (first) => {
      await startFeed(first);
      await Promise.all(['ws-json', 'events', 'stream', 'polling', 'ws-binary'].map(async (name, i) => {
        const page = i === 0 ? first : await first.context().newPage();
        if (page !== first) {
          await page.goto(pageAt());
          await isThere(page);
        }
        await page.getByLabel('Channel').selectOption(name);
        await page.waitForTimeout(600);
        await isReceiving(page);
        await measure(page);
        assert.doesNotMatch(await page.locator('.strip').textContent(), /lost/, `${name} loses nothing`);
        assert.match(await page.locator('.rows tbody tr').first().textContent(), new RegExp(name));
      }));
    });
  },

  async phone() {
    await withPage({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }, async (page) => {
      await startFeed(page);
      const [wide, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(wide <= shown, `nothing hangs over: ${wide} of ${shown}`);
      await isAccessible(page, 'phone');
      const manifest = await page.evaluate(async () => (await fetch(document.querySelector('link[rel=manifest]').href)).json());
      assert.equal(manifest.display, 'standalone');
      await until('the bound of the clocks is told here too', async () => /± [\d.]+ .s of the clocks/.test(await page.locator('.strip').textContent()));
      await canBeInstalled(page);
    });
  },

  /** As from another device: TLS ends at a proxy, and the console is behind it with a token. */
  async proxied() {
    const { hostname, port } = new URL(url);
    const options = { pfx: await readFile(folder), passphrase: 'proxied' };
    const proxy = createTlsServer(options, (device) => {
      const server = connect(Number(port), hostname);
      device.pipe(server).pipe(device);
      device.on('error', () => server.destroy());
      server.on('error', () => device.destroy());
    });
    await new Promise((listening) => proxy.listen(0, '127.0.0.1', listening));
    const address = `https://127.0.0.1:${proxy.address().port}/?token=${token}`;
    const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, ignoreHTTPSErrors: true };
    try {
      await withPageAt(address, /feed$/, phone, async (page) => {
        assert.equal(await page.evaluate(() => crossOriginIsolated), true, 'the page is isolated');
        await startFeed(page);
        await canBeInstalled(page);
      });
    } finally {
      proxy.close();
    }
  },

  /** A script, or another page, sets what this page shows. */
  async scripted() {
    await withPage({ viewport: { width: 1280, height: 800 } }, async (page) => {
      await startFeed(page);
      const put = (wish) => fetch(new URL('/api/feed', url), {
        method: 'PUT', headers: { ...authorization, 'content-type': 'application/json' }, body: JSON.stringify(wish),
      });
      for (const symbols of [30, 1200]) {
        await put({ symbols, rate: 10 * symbols });
        await page.waitForFunction((rows) => document.querySelector('#grid').getAttribute('aria-rowcount') === rows, String(symbols + 1), WAIT);
        await until('the controls show it', async () => (await page.getByLabel('Symbols', { exact: true }).inputValue()) === String(symbols));
        assert.equal(await page.getByLabel('Rate instead').inputValue(), String(10 * symbols));
        await isReceiving(page);
      }
      await put({ isRunning: false });
      await page.getByRole('button', { name: 'Start feed' }).waitFor(WAIT);
    });
  },

  /** A page that measures by itself, and whose feed is changed meanwhile: it says so until it is answered, and is heard once. */
  async 'no-row'() {
    await withPageAt(`${pageAt()}&benchmark=60&warmup=0#rate=2000`, /feed$/, {}, async (page, problems) => {
      let reports = 0;
      await page.route('**/api/rows*', async (route) => {
        reports++;
        if (reports === 2) {
          await route.fetch(); // the server takes it, and the answer is lost
        }
        await (reports <= 2 ? route.abort() : route.continue());
      });
      await page.waitForFunction(() => document.querySelector('progress').value > 0, undefined, WAIT);
      await fetch(new URL('/api/feed', url), {
        method: 'PUT', headers: { ...authorization, 'content-type': 'application/json' }, body: '{"symbols":30}',
      });
      await page.waitForFunction(() => document.title === 'broken off', undefined, WAIT);
      assert.equal(reports, 3);
      assert.deepEqual(problems.splice(0), Array(2).fill('Failed to load resource: net::ERR_FAILED'));
    });
  },

  async exposed() {
    await withPage({ viewport: { width: 1280, height: 800 } }, async (page) => {
      assert.doesNotMatch(page.url(), /token/, 'the token is out of the address');
      await page.getByText('This console is exposed').waitFor(WAIT);
      await startFeed(page);
      await page.getByText('This console is exposed').waitFor(WAIT);
      await isAccessible(page, 'exposed');
      await canBeInstalled(page);
    });
  },

  /** Pages of other origins hold images of the channels, as many as would take every session. */
  async 'cross-site'() {
    const images = Array.from({ length: 60 }, (_, i) =>
      `<img src="${origin}/feed/${['stream', 'events', 'polling'][i % 3]}?i=${i}"><img src="${origin}/api/state?i=${i}">`);
    const sites = [];
    const other = createHttpServer((request, response) => {
      sites.push(request.headers.host);
      response.setHeader('content-type', 'text/html').end(`<title>evil</title>${images.join('')}
        <script>
          window.opened = 0;
          for (let i = 0; i < 20; i++) {
            const socket = new WebSocket('${origin.replace('http', 'ws')}/feed/ws-binary');
            socket.onopen = () => window.opened++;
            socket.onclose = () => window.ended = (window.ended ?? 0) + 1;
            fetch('${origin}/feed/stream', { mode: 'no-cors', credentials: 'include' }).then(() => window.opened++, () => {});
          }
        </script>`);
    });
    await new Promise((listening) => other.listen(0, '127.0.0.1', listening));
    const opened = async () => (await (await fetch(new URL('/api/state', url), { headers: authorization })).json()).sessions;
    try {
      await withPage({ viewport: { width: 1280, height: 800 } }, async (page) => {
        await startFeed(page);
        await until('this page alone has one', async () => (await opened()) === 1);
        // another site, and another port of the same: to that one the browser sends the cookie
        for (const host of ['localhost', '127.0.0.1']) {
          const evil = await page.context().newPage();
          await evil.goto(`http://${host}:${other.address().port}/`, { waitUntil: 'commit' });
          await evil.waitForFunction(() => document.images.length === 120 && [...document.images].every((each) => each.complete) && window.ended === 20, undefined, WAIT);
          assert.equal(await evil.evaluate(() => window.opened), 0, `${host} opens nothing`);
          await until(`${host} takes no session`, async () => (await opened()) === 1);
        }
        assert.equal(new Set(sites).size, 2);
        const second = await page.context().newPage();
        await second.goto(`${origin}/`);
        await second.getByRole('button', { name: 'Stop feed' }).waitFor(WAIT);
        await isReceiving(second);
        await until('there is room for another page', async () => (await opened()) === 2);
      });
    } finally {
      other.closeAllConnections();
      other.close();
    }
  },

  /** More is made than a maximum frequency lets go, and all of it is kept; then nobody gets a session. */
  async behind() {
    // asked all at once: the verdict changes with the feed between two looks
    const verdictIs = (page, level, limit, words) => page.waitForFunction(([wanted, met, part]) => {
      const verdict = document.querySelector('#verdict');
      return verdict?.dataset.level === wanted && verdict.dataset.limit === met && verdict.textContent.includes(part);
    }, [level, limit, words], WAIT);
    await withPageAt(pageAt('#symbols=100&rate=2000&conflation=buffer&maxFrequency=10'), /feed$/, { viewport: { width: 1280, height: 800 } }, async (page) => {
      await startAnew(page);
      await verdictIs(page, 'bad', 'queue', 'messages wait at the server');
    });
    // the one session is taken by a client that reads and acknowledges
    let session;
    await until('the page has left its place', async () => {
      const answer = await fetch(`${origin}/feed/polling?token=${token}`);
      session = /"session":"([0-9a-f]+)"/.exec(Buffer.from(await answer.arrayBuffer()).toString('latin1'))?.[1];
      return session !== undefined;
    });
    let isOver = false;
    let last = 0;
    const polling = (async () => {
      while (!isOver) {
        const body = Buffer.from(await (await fetch(`${origin}/feed/polling?token=${token}&session=${session}&frame=${last}&ordinal=0`)).arrayBuffer());
        for (let at = 0; at < body.length;) {
          const isNote = body[at + 1] !== 1;
          last = isNote ? last : Number(body.readBigInt64LE(at + 8));
          at += 32 + (isNote ? body.readInt32LE(at + 4) : body.readUInt16LE(at + 2) * body.readInt32LE(at + 4));
        }
      }
    })();
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
    try {
      const page = await newPage(browser);
      await page.goto(pageAt('#symbols=100&rate=2000'));
      await verdictIs(page, 'bad', 'network', 'Nothing is received: There are 1 sessions already');
    } finally {
      isOver = true;
      await polling;
      await browser.close();
    }
  },

  async explained() {
    await withPage({ viewport: { width: 1280, height: 800 } }, async (page) => {
      await startFeed(page);
      await measure(page);
      await page.getByRole('button', { name: 'Explain' }).click();
      const sentences = await page.locator('.field .help:visible, .strip .help:visible, .legend dd:visible').allTextContents();
      const [fields, figures] = [await page.locator('.field').count(), await page.locator('.strip > div').count()];
      assert.equal(sentences.length, fields + figures + 11, 'a sentence for each parameter and result');
      assert.ok(sentences.every((each) => each.length > 20), `each says something: ${sentences}`);
      await isAccessible(page, 'explained');
    });
  },

  async runs() {
    await withRuns({ viewport: { width: 1440, height: 1000 } }, async (page) => {
      await page.getByRole('button', { name: 'Pause' }).waitFor(WAIT); // the run that goes on is followed at once
      const counts = () => document.querySelector('[aria-labelledby=table-roles] tbody td:nth-of-type(3)')?.textContent;
      await page.waitForFunction(counts, undefined, WAIT);
      const before = await page.evaluate(counts);
      await page.waitForFunction((old) => document.querySelector('[aria-labelledby=table-roles] tbody td:nth-of-type(3)').textContent !== old, before, WAIT);
      await isAccessible(page, 'a run that goes on');

      await page.getByRole('button', { name: /latency-sweep/ }).click();
      await page.getByText('The run failed.').waitFor(WAIT);
      await page.getByText('Lost 3 of 60000').waitFor(WAIT);
      assert.match(await page.locator('#run-p99').textContent(), /µs$/);
      const limit = page.getByLabel('p99 at most, µs');
      const looks = () => page.locator('#run-limit-state').textContent();
      await limit.fill('1000000');
      await until('each look holds a limit above all', async () => /^✓ passes; held in (\d+) of \1 looks$/.test(await looks()));
      await limit.fill('0.001');
      await until('none holds one below all', async () => /^✕ fails; held in 0 of [1-9]\d* looks$/.test(await looks()));
      await limit.fill('');
      await until('without a limit nothing is judged', async () => (await looks()) === '');
      await page.getByLabel('Time in the run').fill('10');
      await until('it had not failed yet', async () => (await page.getByText('The run failed.').count()) === 0);
      await page.getByLabel('Speed').selectOption('64');
      await page.getByRole('button', { name: 'Play', exact: true }).click();
      await page.getByText('The run failed.').waitFor(WAIT);
      const curve = page.getByRole('img', { name: /^50 % 20.0 µs.*maximum 900 µs/ });
      await curve.waitFor(WAIT);
      assert.match(await curve.getAttribute('aria-label'), /99 to 99.9 %: machine 70 %/);
      await page.getByText('without what the machine disturbed, left out: 1.25 %').waitFor(WAIT);
      assert.equal(await curve.locator('rect').count(), 3, 'a bar for each owner of the band');
      await page.getByRole('cell', { name: '70 % another task ran on the core (dated)' }).waitFor(WAIT);
      await isAccessible(page, 'replayed, light');
      await page.getByRole('button', { name: 'Dark colours' }).click();
      await isAccessible(page, 'replayed, dark');
      await page.getByRole('button', { name: /messaging/ }).click();
      await page.getByText('Then the run was broken off.').waitFor(WAIT);
      assert.equal(await page.locator('[data-run=old]').isDisabled(), true, 'what was not kept cannot be replayed');
      await page.getByRole('link', { name: 'Price feed' }).click();
      await page.getByRole('button', { name: /feed$/ }).waitFor(WAIT);
    });
    await withRuns({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }, async (page) => {
      await page.getByRole('button', { name: 'Pause' }).waitFor(WAIT);
      const [wide, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(wide <= shown, `nothing hangs over: ${wide} of ${shown}`);
      await isAccessible(page, 'runs on a phone');
    });
  },

  // Pictures for the docs, and to look at.
  async 'run-pictures'() {
    for (const [name, options] of [
      ['console-runs', { viewport: { width: 1440, height: 1000 }, colorScheme: 'light' }],
      ['console-runs-dark', { viewport: { width: 1440, height: 1000 }, colorScheme: 'dark' }],
      ['console-runs-phone', { viewport: { width: 390, height: 844 }, colorScheme: 'light' }],
    ]) {
      await withRuns(options, async (page) => {
        await page.locator('.run:not(:disabled)').last().waitFor(WAIT);
        await page.locator('.run:not(:disabled)').nth(process.env.RUN ?? 1).click();
        await page.locator('.charts canvas').last().waitFor(WAIT);
        await page.waitForTimeout(1000);
        await page.screenshot({ path: join(folder, `${name}.png`) });
      });
    }
  },

  // Pictures for the docs, and to look at.
  async pictures() {
    const shoot = async (name, options, steps) =>
      withPage({ deviceScaleFactor: 1, ...options }, async (page) => {
        await steps(page);
        await page.mouse.move(0, 0);
        await page.screenshot({ path: join(folder, `${name}.png`), fullPage: options.fullPage ?? false });
      });
    const desk = { viewport: { width: 1440, height: 1180 } };
    await shoot('console-empty', { ...desk, colorScheme: 'light' }, async () => {});
    await shoot('console-light', { ...desk, colorScheme: 'light', fullPage: true, hash: '#rate=20000' }, async (page) => {
      await startAnew(page);
      await page.waitForTimeout(9_000);
      await measure(page);
      await page.getByLabel('Channel').selectOption('ws-json');
      await page.waitForTimeout(2500);
      await measure(page);
      await page.locator('.rows tbody tr').last().getByRole('button', { name: 'Compare' }).click();
      await page.getByLabel('Channel').selectOption('ws-binary');
      await page.waitForTimeout(4000);
      await page.locator('.rows-scroll').evaluate((scroll) => scroll.scrollTo(0, 0));
      await page.evaluate(() => scrollTo(0, 0));
    });
    await shoot('console-rows', { ...desk, colorScheme: 'dark', hash: '#rate=5000&flushMs=0' }, async (page) => {
      await startAnew(page);
      await page.waitForTimeout(6_000);
      for (const channel of ['ws-binary', 'ws-json', 'events', 'polling']) {
        await page.getByLabel('Channel').selectOption(channel);
        await page.waitForTimeout(2_000);
        await measure(page);
        const name = page.locator('.rows tbody tr').first().getByRole('textbox');
        await name.fill(channel);
        await name.press('Tab');
      }
      await page.locator('.rows tbody tr').last().getByRole('button', { name: 'Compare' }).click();
      await page.getByRole('button', { name: 'Explain' }).click();
      await page.locator('.rows').evaluate((rows) => rows.querySelector('.rows-scroll').scrollTo(0, 0));
      await page.locator('.rows').scrollIntoViewIfNeeded();
    });
    await shoot('console-dark-tiles', { ...desk, colorScheme: 'dark', hash: '#rate=50000&renderer=canvas' }, async (page) => {
      await startAnew(page);
      await page.waitForTimeout(7_000);
    });
    await shoot('console-overload', { ...desk, colorScheme: 'dark', hash: '#rate=60000&channel=ws-json&flushMs=0' }, async (page) => {
      await startAnew(page);
      await page.waitForTimeout(9_000);
    });
    await shoot('console-phone', { viewport: { width: 390, height: 844 }, colorScheme: 'light', fullPage: true }, async (page) => {
      await startAnew(page);
      await page.waitForTimeout(8_000);
    });
  },
};

try {
  await scenarios[scenario]();
} catch (error) {
  console.error(error.message ?? error);
  process.exit(1);
}
