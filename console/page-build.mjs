// Builds or tests the pages of the console; what Maven runs. The built files are compressed and weighed.
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { run } from '../config/page-build.mjs';

const OUTPUT = 'target/page/io/tickmark/console/page';
const WEIGHTS = 'target/page-weight.json';

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

/** What is loaded after the prices move: charts and curves at once, the search for the limit when it is asked for. */
const LATER = /(charts|percentiles|find-limit)-[^/]*$/;

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

run(OUTPUT, () => {
  compress(OUTPUT);
  weigh();
});
