// Builds or tests the page for Maven, and does nothing where the built page is newer than its sources.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const OUTPUT = 'target/page/io/tickmark/report/page';
const SOURCES = ['src/main/page', 'package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts', 'page-build.mjs'];
// written last, so that a build that was broken off is not taken for a whole one
const LAST = join(OUTPUT, 'uPlot-LICENSE.txt');
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
  copyFileSync('node_modules/uplot/LICENSE', LAST);
}
