import {
  causesOf, curveOf, finished, held, Kept, lagOf, latencyOf, leftOutOf, levelOf, OWNERS, rateOf, sharesOf, stalledOf, stallsOf,
  type Entry, type Part, type Row, type Share, type TailBand, type Tick,
} from './runs/lines';
import { Player } from './runs/player';
import type { Charts } from './view/charts';
import { h, text } from './view/dom';
import { count, rate, time } from './view/format';
import type { percentiles } from './view/percentiles';
import type { RunSample } from './view/run-charts';
import { safeStorage } from './storage';
import { themeButton } from './view/theme';
import './style.css';
import './runs.css';

const LOOK_MS = 1000;
const LIMIT = 'tickmark.run-limit';

/** A percentile, where there are enough latencies for it. */
const timeText = (ns: number | undefined): string => (ns === undefined ? '–' : time(ns));

function latencyText(row: Row): string {
  const interval = latencyOf(row)?.interval;
  return interval ? `${timeText(interval.p50Ns)}, ${timeText(interval.p99Ns)}, ${time(interval.maxNs)}` : '–';
}

const SPEEDS = [1, 4, 16, 64];
const WORDS: Record<string, string> = { pass: 'passed', fail: 'failed', void: 'void' };

async function get<T>(path: string): Promise<T> {
  const answer = await fetch(path);
  if (!answer.ok) {
    const problem = (await answer.json().catch(() => ({}))) as { detail?: string };
    throw new Error(problem.detail ?? `the server answers ${answer.status}`);
  }
  return (await answer.json()) as T;
}

class Runs {
  private entries: Entry[] = [];
  private entry: Entry | undefined;
  private kept = new Kept();
  private next = 0;
  private player = this.newPlayer();
  private charts: Charts<RunSample> | undefined;
  private draw: typeof percentiles | undefined;
  private isReading = false;

  private readonly storage = safeStorage();
  private readonly list = h('ul', { class: 'run-list' });
  private readonly none = h('p', { class: 'empty', hidden: true }, 'No runs here yet. Start one in another terminal: ./tickmark run');
  private readonly notice = h('p', { class: 'notice', role: 'alert', hidden: true });
  private readonly title = h('h2', { id: 'run-title', tabindex: -1 }, 'Choose a run');
  private readonly status = h('p', { class: 'verdict', role: 'status' }, 'Runs in progress are followed; others can be replayed.');
  /** Most that the p99 may be, µs. */
  private readonly limit = h('input', {
    type: 'number', min: 0, step: 'any', inputmode: 'decimal', placeholder: 'none', id: 'run-limit', value: this.storage.getItem(LIMIT) ?? '',
    input: () => {
      this.storage.setItem(LIMIT, this.limit.value);
      this.show();
    },
  });
  private readonly limitState = h('output', { for: 'run-limit', id: 'run-limit-state' });
  private readonly playButton = h('button', { type: 'button', class: 'primary', disabled: true, click: () => this.toggle() }, 'Play');
  private readonly speed = h('select', { 'aria-label': 'Speed', change: () => (this.player.speed = Number(this.speed.value)) },
    SPEEDS.map((each) => h('option', { value: each }, `${each}×`)));
  private readonly slider = h('input', { type: 'range', min: 0, max: 1, step: 0.1, value: 0, 'aria-label': 'Time in the run', disabled: true, input: () => this.seek() });
  private readonly clock = h('output', { class: 'run-clock' }, '0 s');
  private readonly figures = new Map<string, { value: HTMLElement; note: HTMLElement }>();
  private readonly roleRows = h('tbody', {});
  private readonly resultRows = h('tbody', {});
  private readonly tailRows = h('tbody', {});
  private readonly curve = h('div', { class: 'curve' });
  private readonly leftOut = h('span', {});
  private readonly curveTitle = h('p', { class: 'curve-title' });
  private readonly curveArea = h('section', { class: 'rows', 'aria-labelledby': 'curve-head', hidden: true },
    h('div', { class: 'head' }, h('h2', { id: 'curve-head' }, 'Percentiles, and what they consist of')),
    this.curveTitle,
    h('ul', { class: 'keys owners' },
      h('li', { class: 'key series-1' }, 'as measured'), h('li', { class: 'key series-4 dashed' }, 'without what the machine disturbed', this.leftOut),
      Object.entries(OWNERS).map(([owner, name]) => h('li', { 'data-owner': owner }, name))),
    this.curve);

  constructor() {
    const chartsArea = h('section', { class: 'charts', 'aria-label': 'Charts' });
    document.body.append(
      h('a', { class: 'skip', href: '#run-title' }, 'To the run'),
      h('header', { class: 'bar' },
        h('h1', {}, h('img', { src: '/icon.svg', alt: '', width: 26, height: 26 }), 'tickmark ', h('span', {}, 'runs')),
        h('nav', { 'aria-label': 'Pages' }, h('a', { href: '/' }, 'Price feed'), h('a', { href: '/runs.html', 'aria-current': 'page' }, 'Runs')),
        themeButton()),
      this.notice,
      h('main', {},
        h('section', { class: 'controls', 'aria-labelledby': 'list-title' }, h('div', { class: 'head' }, h('h2', { id: 'list-title' }, 'Runs')), this.none, this.list),
        h('div', { class: 'desk' },
          h('section', { class: 'live', 'aria-labelledby': 'run-title' },
            h('div', { class: 'head' }, this.title,
              h('div', { class: 'run-limit' }, this.limitState, h('label', { for: 'run-limit' }, 'p99 at most, µs'), this.limit)),
            this.status,
            h('div', { class: 'player' }, this.playButton, this.speed, this.slider, this.clock),
            this.strip()),
          chartsArea,
          this.curveArea,
          this.table('Roles', ['Role', 'Instances', 'Step', 'Counts', 'A second', 'Latencies p50, p99, max'], this.roleRows),
          this.table('Rows that are final', ['Test', 'Channel', 'Repeat', 'Step', 'A second', 'p50, p99, max', 'Lost', 'Verdict'], this.resultRows),
          this.table('Tail above the median, and whose it was', ['Test', 'Channel', 'Repeat', 'Step', 'Percentiles', 'Messages', 'Shares', 'Mostly'], this.tailRows))));
    addEventListener('resize', () => this.show());
    void Promise.all([import('./view/charts'), import('./view/run-charts'), import('./view/percentiles')])
      .then(([module, specs, curves]) => {
        this.draw = curves.percentiles;
        this.charts = module.charts(chartsArea, specs.runCharts(() => this.limitUs()), true);
        this.show();
      });
  }

  private newPlayer(): Player {
    return new Player(() => this.kept.seconds(), () => this.entry?.state === 'running');
  }

  private strip(): HTMLElement {
    const add = (key: string, label: string): HTMLElement => {
      const value = h('div', { class: 'value', id: `run-${key}` }, '–');
      const note = h('div', { class: 'note' });
      this.figures.set(key, { value, note });
      return h('div', {}, h('dt', {}, label), h('dd', {}, value, note));
    };
    return h('dl', { class: 'strip' },
      add('sent', 'Sent'), add('received', 'Received'), add('p50', 'p50'), add('p99', 'p99'), add('max', 'Max'),
      add('stalled', 'Stalled'), add('lag', 'Lag'), add('missing', 'Missing'), add('noise', 'Noise floor'));
  }

  private table(title: string, head: string[], body: HTMLElement): HTMLElement {
    const id = `table-${title.replace(/ .*/, '').toLowerCase()}`;
    return h('section', { class: 'rows', 'aria-labelledby': id },
      h('div', { class: 'head' }, h('h2', { id }, title)),
      h('div', { class: 'rows-scroll', tabindex: 0, role: 'group', 'aria-labelledby': id },
        h('table', {}, h('thead', {}, h('tr', {}, head.map((each) => h('th', { scope: 'col' }, each)))), body)));
  }

  async start(): Promise<void> {
    await this.look();
    const asked = decodeURIComponent(location.hash.slice(1));
    const first = this.entries.find((each) => each.id === asked) ?? this.entries.find((each) => each.state === 'running');
    if (first) {
      await this.choose(first);
    }
    setInterval(() => void this.look(), LOOK_MS);
    const frame = (now: number): void => {
      if (this.player.advance(now)) {
        this.show();
      }
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  private async look(): Promise<void> {
    if (this.isReading || document.visibilityState === 'hidden') {
      return;
    }
    this.isReading = true;
    try {
      this.showList(await get<Entry[]>('/api/runs'));
      if (this.entry?.state === 'running') {
        await this.read();
      }
      this.warn('');
    } catch (error) {
      this.warn(`The server does not answer: ${(error as Error).message}`);
    } finally {
      this.isReading = false;
    }
  }

  private warn(words: string): void {
    this.notice.textContent = words;
    this.notice.hidden = words === '';
  }

  private showList(entries: Entry[]): void {
    if (JSON.stringify(entries) === JSON.stringify(this.entries)) {
      return;
    }
    this.entries = entries;
    const focused = (document.activeElement as HTMLElement | null)?.dataset['run'];
    this.none.hidden = entries.length > 0;
    this.list.replaceChildren(...entries.map((entry) => {
      const words = entry.state === 'finished' ? (WORDS[entry.verdict] ?? entry.verdict) : entry.state;
      return h('li', {},
        h('button', {
          type: 'button', class: 'run', disabled: !entry.canReplay, 'data-run': entry.id,
          'aria-current': entry.id === this.entry?.id ? 'true' : undefined, click: () => void this.choose(entry),
        },
        h('strong', {}, entry.plan), h('span', { class: 'when' }, entry.startedAt === '' ? entry.id : new Date(entry.startedAt).toLocaleString()),
        h('span', { class: 'state', 'data-state': entry.state, 'data-verdict': entry.verdict }, entry.canReplay || entry.state === 'damaged' || entry.state === 'not listed' ? words : 'not kept')));
    }));
    this.list.querySelector<HTMLElement>(`[data-run="${CSS.escape(focused ?? '')}"]`)?.focus();
  }

  private async choose(entry: Entry): Promise<void> {
    this.entry = entry;
    this.kept = new Kept();
    this.next = 0;
    this.player = this.newPlayer();
    this.player.speed = Number(this.speed.value);
    history.replaceState(null, '', `#${encodeURIComponent(entry.id)}`);
    this.list.querySelectorAll<HTMLElement>('[data-run]').forEach((each) =>
      each.dataset['run'] === entry.id ? each.setAttribute('aria-current', 'true') : each.removeAttribute('aria-current'));
    try {
      await this.read();
    } catch (error) {
      this.warn((error as Error).message);
    }
    if (this.entry.state === 'running') {
      this.player.play();
    } else {
      this.player.position = this.kept.seconds();
    }
    this.player.advance(performance.now());
    this.show();
  }

  /** All there is from where we are. */
  private async read(): Promise<void> {
    const entry = this.entry!;
    for (let before = -1; before !== this.next && entry === this.entry;) {
      before = this.next;
      const part = await get<Part>(`/api/run-lines?run=${encodeURIComponent(entry.id)}&from=${before}`);
      if (entry !== this.entry) {
        return; // another was chosen meanwhile
      }
      this.kept.add(part.lines);
      this.kept.damagedLines += part.damagedLines;
      this.next = part.next;
      entry.state = part.state;
    }
  }

  private toggle(): void {
    if (this.player.isPlaying) {
      this.player.pause();
    } else {
      this.player.play();
    }
    this.show();
  }

  private seek(): void {
    this.player.seek(Number(this.slider.value));
    this.show();
  }

  private show(): void {
    if (!this.entry) {
      return;
    }
    const { position, isPlaying } = this.player;
    const isRunning = this.entry.state === 'running';
    const shown = this.kept.until(position);
    const tick = shown.ticks.at(-1);
    text(this.title, this.entry.plan);
    this.showStatus(tick, shown.isOver);
    this.playButton.disabled = false;
    text(this.playButton, isPlaying ? 'Pause' : isRunning ? 'Follow' : 'Play');
    this.speed.disabled = isRunning;
    this.slider.disabled = false;
    const length = this.kept.seconds();
    this.slider.max = String(length);
    this.slider.value = String(position);
    const shownTime = `${position.toFixed(0)} s of ${(isRunning ? Math.max(length, this.kept.expectedSeconds) : length).toFixed(0)} s`;
    this.slider.setAttribute('aria-valuetext', shownTime);
    text(this.clock, shownTime);
    this.showFigures(tick, finished(tick, shown.rows, shown.isOver));
    this.showLimit(shown.ticks.filter((each) => each.phase === 'measuring'));
    this.charts?.show(shown.ticks.filter((each) => each.phase === 'measuring' && each.roles.length > 0).map((each) => ({ atMs: each.seconds * 1000, tick: each })));
    this.roleRows.replaceChildren(...(tick?.roles ?? []).map((role) => h('tr', {},
      h('th', { scope: 'row' }, role.role), h('td', {}, count(role.instances)), h('td', {}, role.step),
      h('td', {}, Object.entries(role.counts).map(([name, value]) => `${name} ${count(value)}`).join(', ')),
      h('td', {}, Object.entries(role.perSecond).map(([name, value]) => `${name} ${rate(value)}`).join(', ')),
      h('td', {}, Object.entries(role.latencies).map(([name, each]) => `${name.replace(/Ns$/, '')} ${timeText(each.p50Ns)}, ${timeText(each.p99Ns)}, ${time(each.maxNs)}`).join('; ')))));
    this.resultRows.replaceChildren(...shown.rows.map((row) => h('tr', {},
      h('th', { scope: 'row' }, row.test), h('td', {}, row.channel), h('td', {}, count(row.repeat)), h('td', {}, row.label),
      h('td', {}, row.ratePerSecond === undefined ? '–' : rate(row.ratePerSecond)), h('td', {}, latencyText(row)), h('td', {}, count(row.lost)),
      h('td', {}, h('span', { class: 'state', 'data-verdict': row.verdict }, WORDS[row.verdict] ?? row.verdict), row.reasons.length > 0 ? ` ${row.reasons[0]}` : ''))));
    this.showCurve(shown.rows.findLast((row) => curveOf(row).length > 1));
    this.tailRows.replaceChildren(...shown.rows.flatMap((row) => (row.tail ?? []).map((band) => this.tailRow(row, band))));
  }

  /** Of the last row that is final where we are. */
  private showCurve(row: Row | undefined): void {
    this.curveArea.hidden = row === undefined;
    text(this.curveTitle, row === undefined ? '' : [
      row.test, row.channel, row.label, `repeat ${row.repeat}`, `${latencyOf(row)?.name}`,
      (row.tail ?? []).length > 0 ? 'the bars divide the latency above the median' : 'where it comes from is not known',
    ].filter((each) => each !== '').join(', '));
    text(this.leftOut, row === undefined ? '' : leftOutOf(row));
    this.draw?.(this.curve, row);
  }

  private bar(share: Share): HTMLElement {
    const bar = h('span', { 'data-owner': share.owner, title: `${share.name} ${(100 * share.part).toFixed(1)} %` });
    bar.style.flexGrow = String(share.part);
    return bar;
  }

  private tailRow(row: Row, band: TailBand): HTMLElement {
    const shares = sharesOf(band);
    const words = shares.map((each) => `${each.name} ${(100 * each.part).toFixed(1)} %`).join(', ');
    return h('tr', {},
      h('th', { scope: 'row' }, row.test), h('td', {}, row.channel), h('td', {}, count(row.repeat)), h('td', {}, row.label),
      h('td', {}, `${band.fromPercentile} to ${band.toPercentile} %`), h('td', {}, count(band.messages)),
      h('td', {}, h('div', { class: 'shares', role: 'img', 'aria-label': words },
        shares.map((each) => this.bar(each)))),
      h('td', { class: 'mostly' }, this.mostly(band)));
  }

  private mostly(band: TailBand): string {
    const causes = causesOf(band).slice(0, 3).map((each) => `${(100 * each.part).toFixed(0)} % ${each.words}`);
    return causes.length > 0 ? causes.join('; ') : band.cause === '' ? 'no stall explains it' : band.cause;
  }

  private limitUs(): number {
    return Math.max(0, this.limit.valueAsNumber || 0);
  }

  /** Whether it holds where we are, and for how much of the run until there. */
  private showLimit(ticks: Tick[]): void {
    const limitNs = this.limitUs() * 1000;
    const { seconds, held: holds, nowNs } = held(ticks, limitNs);
    const state = limitNs === 0 ? '' : nowNs === undefined ? 'unknown' : nowNs <= limitNs ? 'passes' : 'fails';
    this.limitState.dataset['state'] = state;
    text(this.limitState, state === '' ? '' : `${{ passes: '✓ passes', fails: '✕ fails', unknown: '… unknown' }[state]}; held in ${holds} of ${seconds} looks`);
  }

  private showStatus(tick: Tick | undefined, isOver: boolean): void {
    const at = tick ? `Trial ${tick.number} of ${tick.of}: ${tick.test}${tick.channel ? ` on ${tick.channel}` : ''}, ${tick.phase}` : 'Nothing yet';
    const { verdict, damagedLines } = this.kept;
    const damaged = damagedLines > 0 ? ` What is kept of it is damaged: ${count(damagedLines)} lines cannot be read and are left out.` : '';
    text(this.status, (isOver ? `The run ${verdict === 'void' ? 'is void' : WORDS[verdict] ?? verdict}.` : this.entry?.state === 'broken off' && this.player.position >= this.kept.seconds()
      ? `${at}. Then the run was broken off.` : `${at}.`) + damaged);
    this.status.dataset['level'] = levelOf(isOver, verdict);
  }

  /** Of this second; between trials, and after the last, of the row that is final. */
  private showFigures(tick: Tick | undefined, row: Row | undefined): void {
    const set = (key: string, value: string, note = ''): void => {
      const figure = this.figures.get(key)!;
      text(figure.value, value);
      text(figure.note, note);
    };
    const shownRate = (value: number | undefined): string => (value === undefined ? '–' : `${rate(value)}/s`);
    const latency = row ? latencyOf(row) : tick && latencyOf(tick);
    const lag = tick && lagOf(tick);
    set('sent', row ? shownRate(row.ratePerSecond) : shownRate(tick && rateOf(tick, 'sent')), row ? 'of the whole row' : '');
    set('received', row ? '–' : shownRate(tick && rateOf(tick, 'received', 'echoed')));
    set('p50', timeText(latency?.interval.p50Ns), latency && (row ? `${latency.name}, of the whole row` : latency.name));
    set('p99', timeText(latency?.interval.p99Ns));
    set('max', latency ? time(latency.interval.maxNs) : '–');
    const stalled = tick && stalledOf(tick);
    const most = tick && stallsOf(tick)?.reduce((most, each) => (each.ns > most.ns ? each : most));
    set('stalled', stalled === undefined ? '–' : time(stalled), most && most.ns > 0 ? `mostly ${most.name}` : 'a thread, in this second');
    set('lag', lag === undefined ? '–' : time(lag));
    set('missing', row ? count(row.lost) : tick?.missing === undefined ? '–' : count(tick.missing), row ? 'lost' : tick?.missing ? 'on their way, or lost' : '');
    set('noise', tick?.noiseMaxNs === undefined ? '–' : time(tick.noiseMaxNs), 'longest gap');
  }
}

void new Runs().start();
