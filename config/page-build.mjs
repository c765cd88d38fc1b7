// Builds or tests a module's page for Maven, and does nothing where the built page is newer than its sources.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCES = [
  'src/main/page', 'package.json', 'package-lock.json', 'tsconfig.json', 'vite.config.ts', 'page-build.mjs', fileURLToPath(import.meta.url),
];
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
    console.error(`npm could not be started (${error.message}); install Node.js 20.19 or later with npm.`);
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

/**
 * Does what the command line asks for, in the module's folder.
 *
 * @param output folder of the built page
 * @param finish what else is done with the built files
 */
export function run(output, finish = () => {}) {
  // written last, so that a build that was aborted is not taken for a complete one
  const last = join(output, 'uPlot-LICENSE.txt');
  const [task, ignoreFailures] = process.argv.slice(2);
  if (task === 'test') {
    install();
    rmSync(REPORT, { force: true });
    if (!ran('test') && !(ignoreFailures === 'true' && isReported())) {
      process.exit(1);
    }
  } else if (!isUpToDate(last, SOURCES)) {
    install();
    npm('run', 'build');
    finish();
    copyFileSync('node_modules/uplot/LICENSE', last);
  }
}
