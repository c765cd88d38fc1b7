import type { Block, Test } from './data';

/** What a run measured, as its own report shows it. */
export interface Run {
  name: string;
  tests: Test[];
  /** Sentences about what could not be read. */
  missing: string[];
}

/** Tests of several runs. */
export interface Together {
  /** Each test once, with the channels of all runs in it; those of the same place beside each other. */
  tests: Test[];
  /** The run that measured a channel: 0 is the first. */
  runOf: Map<Block, number>;
}

/** Puts tests of the same name together; where every run has a single test, these. */
export function together(runs: Run[]): Together {
  const areSingle = runs.every((run) => run.tests.length === 1);
  const byName = new Map<string, Part[]>();
  runs.forEach(({ name, tests }, at) =>
    tests.forEach((test) => {
      const key = areSingle ? '' : test.name;
      byName.set(key, [...(byName.get(key) ?? []), { run: name, at, test }]);
    }),
  );
  const runOf = new Map<Block, number>();
  return { tests: [...byName.values()].map((parts) => joined(parts, runOf)), runOf };
}

interface Part {
  run: string;
  at: number;
  test: Test;
}

function joined(parts: Part[], runOf: Map<Block, number>): Test {
  const tests = parts.map((part) => part.test);
  const names = [...new Set(tests.map((test) => test.name))];
  const loops = [...new Set(tests.map((test) => test.loop))];
  const most = Math.max(...tests.map((test) => test.blocks.length));
  const blocks = Array.from({ length: most }, (_, place) =>
    parts.flatMap(({ run, at, test }) => {
      const own = test.blocks[place];
      if (!own) {
        return [];
      }
      const block = { ...own, channel: channelOf(run, own.channel) };
      runOf.set(block, at);
      return [block];
    }),
  ).flat();
  return {
    name: names.join(' / '),
    loop: loops.length === 1 ? (loops[0] ?? 'general') : 'general',
    sentence: '',
    circumstances: circumstances(parts),
    latencyColumns: parts[0]?.test.latencyColumns ?? [],
    overviewColumns: parts[0]?.test.overviewColumns ?? [],
    tables: parts.flatMap(({ run, test }) => test.tables.map((table) => ({ ...table, title: `${run}: ${table.title}` }))),
    slowest: {
      columns: parts[0]?.test.slowest.columns ?? [],
      lists: parts.flatMap(({ run, test }) => test.slowest.lists.map((list) => ({ ...list, title: `${run}: ${list.title}` }))),
      notes: parts.flatMap(({ run, test }) => test.slowest.notes.map((note) => `${run}: ${note}`)),
    },
    blocks,
  };
}

/** A run of a matrix may have the name of its channel. */
function channelOf(run: string, channel: string): string {
  return channel === '' || run.includes(channel) ? run : `${run}, ${channel}`;
}

function circumstances(parts: Part[]): string {
  const each = new Set(parts.map(({ test }) => test.circumstances));
  return each.size === 1 ? [...each].join('') : parts.map(({ run, test }) => `${run}: ${test.circumstances}`).join(' ');
}
