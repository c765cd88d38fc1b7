import type { Page } from '../data';
import { h } from '../dom';
import { digits, time } from '../format';
import { card } from './card';
import { scrolling } from './latency-table';

/** What the machine does by itself. */
export function noise(data: Page): HTMLDetailsElement | undefined {
  const floor = data.noise;
  if (!floor || floor.cores.length === 0) {
    return undefined;
  }
  const columns = ['core', 'shortest pass', '99.99 %', 'longest gap', 'gaps over 10 µs a second', 'time lost'];
  return card(
    'noise',
    'Noise floor',
    [],
    h(
      'p',
      {},
      `A loop that does nothing but read the clock ran on each core for ${time(floor.durationNs)} before and after ` +
        'each trial. A gap in it is the machine at work on something else: no latency below its longest gap can ' +
        'be attributed to the engine with certainty.',
    ),
    scrolling(
      'Noise floor by core',
      h(
        'table',
        {},
        h('caption', {}, 'Largest of the run, by core'),
        h('thead', {}, h('tr', {}, columns.map((column) => h('th', { scope: 'col' }, column)))),
        h(
          'tbody',
          {},
          floor.cores.map((core) =>
            h(
              'tr',
              {},
              h('th', { scope: 'row' }, core.core < 0 ? 'not pinned' : String(core.core)),
              [
                time(core.minNs),
                core.p9999Ns === undefined ? '–' : time(core.p9999Ns),
                time(core.maxNs),
                digits(core.gapsOver10UsPerSecond),
                `${digits(100 * core.stolenPart)} %`,
              ].map((cell) => h('td', {}, cell)),
            ),
          ),
        ),
      ),
    ),
  );
}
