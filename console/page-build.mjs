// Builds or tests the page for Maven, and does nothing where the built page is newer than its sources.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const OUTPUT = 'target/page/io/tickmark/console/page';
const SOURCES = ['src/main/page', 'package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts', 'page-build.mjs'];
// written last, so that a build that was broken off is not taken for a whole one
const LAST = join(OUTPUT, 'uPlot-LICENSE.txt');
const WEIGHTS = 'target/page-weight.json';
const REPORT = 'target/surefire-reports/TEST-page.xml';
const INSTALLED = 'node_modules/.package-lock.json';

function newest(path) {
  const stat = statSync(path);
  return stat.isDirectory()
    ? Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))))
    : stat.mtimeMs;
}

function isUpToDate(target, sources) {
  return existsSync(target) && statSync(target).mtimeMs >= Math.max(...sources.map(newest));
}

function npm(...words) {
  if (!ran(...words)) {
    process.exit(1);
  }
}

function ran(...words) {
  const { status, error } = spawnSync('npm', [...words, '--loglevel=error'], { stdio: 'inherit' });
  if (error) {
    console.error(`npm could not be started (${error.message}); install Node.js 20 or later with npm.`);
  }
  return status === 0;
}

/** Whether whoever sums up the reports will see that a test failed. */
function isReported() {
  return existsSync(REPORT) && /<(failure|error)[ >]/.test(readFileSync(REPORT, 'utf8'));
}

function install() {
  if (!isUpToDate(INSTALLED, ['package.json', 'package-lock.json'])) {
    npm('ci', '--ignore-scripts');
  }
}

/** A compressed copy beside each file, so that the server compresses nothing. */
function compress(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      compress(path);
    } else {
      writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
    }
  }
}

/** What is loaded after the prices move: charts at once, the search for the limit when it is asked for. */
const LATER = /(charts|find-limit)-[^/]*$/;

/** Compressed files of both pages together: what prices need to move, and all. */
function weigh() {
  let [first, later] = [0, 0];
  for (const name of readdirSync(OUTPUT, { recursive: true }).filter((each) => each.endsWith('.gz'))) {
    const { size } = statSync(join(OUTPUT, name));
    if (LATER.test(name)) {
      later += size;
    } else {
      first += size;
    }
  }
  const weights = [
    { what: 'before prices move', bytes: first, mostBytes: 44_000 },
    { what: 'with charts and the search for the limit', bytes: first + later, mostBytes: 120_000 },
  ];
  for (const { what, bytes, mostBytes } of weights) {
    if (bytes > mostBytes || later === 0) {
      console.error(`The pages weigh ${bytes} bytes ${what}, compressed; ${mostBytes} are the most, and the charts must be found.`);
      process.exit(1);
    }
  }
  writeFileSync(WEIGHTS, JSON.stringify(weights, null, 2));
}

const [task, ignoreFailures] = process.argv.slice(2);
if (task === 'test') {
  install();
  rmSync(REPORT, { force: true });
  if (!ran('test') && !(ignoreFailures === 'true' && isReported())) {
    process.exit(1);
  }
} else if (!isUpToDate(LAST, SOURCES)) {
  install();
  npm('run', 'build');
  compress(OUTPUT);
  weigh();
  copyFileSync('node_modules/uplot/LICENSE', LAST);
}
