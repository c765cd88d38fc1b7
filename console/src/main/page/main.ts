// Longer than the others: it alone owns the page's state and joins the worker, the controls and the views, which know nothing
// of each other.
import { Beat } from './beat';
import { api, send, type ChannelInfo, type PolicyInfo, type State } from './api';
import { Benchmark } from './benchmark';
import { FeedRate } from './feed-rate';
import type { FindLimit } from './find-limit';
import type { Summary } from './histogram';
import { LateFrames, Pictures, wantedFrameMs } from './pictures';
import type { BenchmarkResult, FromWorker, Opening, ServerClock, Stats, ToWorker } from './protocol';
import { keep, load, toCsv, toRow, type Row } from './rows';
import { Screen } from './screen';
import {
  askedPerSecond, BOUNDS, differ, DISPLAY_KEYS, FEED_KEYS, fitting, readLink, SESSION_KEYS, sessionQuery, toLink, type Settings,
} from './settings';
import { judgedNs, type Spread } from './spans';
import { safeStorage } from './storage';
import { judge, orNull } from './thresholds';
import { Discards, idleWords, isFrameLate, Keeping, NOTHING_LASTS, verdict } from './verdict';
import type { Charts } from './view/charts';
import type { Sample } from './view/feed-charts';
import { controls } from './view/controls';
import { h } from './view/dom';
import { figures, queueTexts } from './view/figures';
import { bytes, count, digits, ms, p99Text, rate, time } from './view/format';
import { grid } from './view/grid';
import { order, type Sort } from './view/order';
import { rowsView } from './view/rows';
import { themeButton } from './view/theme';
import { tilesView } from './view/tiles';
import './style.css';

const STATE_MS = 1000;
const ORDER_MS = 1000;
const RECONNECT_MS = 700;
/** So long it stays to be read why a session ended. */
const READ_MS = 10_000;
/** So long a row that is measured by itself may take, and its warm-up. */
const LONGEST_S = 86_400;
/** Steps of the search for the highest rate: three seconds are needed to see what lasts. */
const SEARCH = { mostRate: BOUNDS.rate[1], stepSeconds: 5, confirmationSeconds: 20 };
const FIRST_RATE = 1000;
/** So long the worker may say nothing. */
const UNHEARD_MS = 3_000;
/** Small parts of the window, after which is acknowledged. */
const ACK_FRAMES = 64;
const ACK_BYTES = 64_000;

type Ending = 'before' | 'stopped' | 'changed';

class Page {
  private readonly link = readLink(location.hash.slice(1));
  private settings: Settings = this.link.settings;
  private readonly automatic = new URLSearchParams(location.search);
  private readonly worker = new Worker(new URL('./worker/main.ts', import.meta.url), { type: 'module' });
  private names: string[] = [];
  private symbols: number[] = [];
  private table: Int32Array = new Int32Array(0);
  private isShared = false;
  private sort: Sort = { by: 'symbol', isDown: false };
  private filter = '';
  private readonly loaded = load(safeStorage());
  private rows: Row[] = this.loaded.rows;
  private state: State | undefined;
  private namesOf = '';
  private readonly feedRate = new FeedRate();
  /** When the server was last asked: a hidden page asks but once a minute, and is answered. */
  private askedMs = 0;
  private discards = new Discards();
  private keeping = new Keeping();
  private statsMs = performance.now();
  /** Why there is no session; empty where there is one, or is about to be. */
  private noSession = '';
  private isKeepingUp = false;
  /** Whether any message has come yet. */
  private hasReceived = false;
  private going: Benchmark | undefined;
  /** Takes the row that is measured, or why there is none, where it is a step of a search. */
  private measured: ((row: Row | string) => void) | undefined;
  private search: FindLimit | undefined;
  /** How the feed is to be when the search is over: as before it, not running, or as somebody has set it by then. */
  private afterSearch: Ending = 'before';
  private readonly pictures = new Pictures();
  private readonly lateFrames = new LateFrames();
  /** Tick to screen of the table; that of the canvas is reported by the worker. */
  private readonly screen = new Screen();
  private clock: ServerClock | undefined;
  private frameMs = 0;
  private readonly beat = new Beat();
  private charts: Charts<Sample> | undefined;
  private isCutOff = false;
  private isFailed = false;
  private readUntilMs = 0;
  private isBusy = false;
  private opened = 0;
  /** Counts what this page changes: what was asked before is not what is now. */
  private changes = 0;

  private readonly wrongLink: string;
  private readonly panel;
  private readonly strip = figures();
  private readonly grid = grid(safeStorage(), {
    sorted: (by) => this.sortBy(by),
    shown: (wantedUs) => this.screen.shows(wantedUs),
    say: (words) => (this.said.textContent = words),
  });
  private readonly tiles = tilesView((message, transfer) => this.post(message, transfer));
  private readonly list;
  private readonly said = h('p', { class: 'said', role: 'status' });
  private readonly market = h('div', { class: 'market' });
  private readonly exposed = h('aside', { class: 'notice', id: 'exposed', 'aria-label': 'Who can reach this console', hidden: true },
    'This console is exposed: others on the network can reach it with its token.');
  private readonly notice = h('p', { class: 'notice', role: 'alert', hidden: true });

  constructor(private readonly channels: ChannelInfo[], policies: PolicyInfo[], private readonly token: string) {
    const { settings, words } = fitting(this.settings, channels.map((each) => each.name), policies.map((each) => each.name));
    this.settings = settings;
    this.wrongLink = [this.link.words, words].filter((each) => each !== '').join(' ');
    this.warnForAWhile([this.wrongLink, this.loaded.words].filter((each) => each !== '').join(' '));
    this.panel = controls(this.settings, channels, policies, {
      changed: (settings) => {
        this.endSearch('changed', 'A setting was changed.');
        this.change(settings);
      },
      toggle: () => {
        if (!this.endSearch('stopped', 'The feed was stopped.')) {
          void this.toggle();
        }
      },
      benchmark: (seconds) => this.benchmark(seconds),
      findLimit: () => void this.findLimit(),
    });
    this.list = rowsView({
      rename: (row, name) => this.replace(row, { ...row, name }),
      remove: (row) => this.keepRows(this.rows.filter((each) => each !== row)),
      use: (row) => this.change(row.settings, true),
      link: (row) => void this.copyLink(row.settings),
      exportCsv: () => download('tickmark-console.csv', 'text/csv', toCsv(this.rows)),
      exportJson: () => download('tickmark-console.json', 'application/json', JSON.stringify(this.rows, null, 2)),
      save: () => void this.save(),
    });
    this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.hear(data);
    this.build();
  }

  private build(): void {
    const filter = h('input', { type: 'search', placeholder: 'Filter symbols', 'aria-label': 'Filter symbols' });
    filter.addEventListener('input', () => {
      this.filter = filter.value;
      this.reorder();
    });
    const charts = h('section', { class: 'charts', 'aria-label': 'Charts' });
    document.body.append(
      h('a', { class: 'skip', href: '#prices' }, 'To the prices'),
      h('header', { class: 'bar' },
        h('h1', {}, h('img', { src: '/icon.svg', alt: '', width: 26, height: 26 }), 'tickmark ', h('span', {}, 'console')),
        h('nav', { 'aria-label': 'Pages' }, h('a', { href: '/', 'aria-current': 'page' }, 'Price feed'), h('a', { href: '/runs.html' }, 'Runs')),
        h('button', { type: 'button', class: 'plain', click: () => void this.copyLink(this.settings) }, 'Copy link'),
        themeButton()),
      this.exposed,
      this.notice,
      h('main', {},
        h('div', { class: 'beside' }, this.panel.element),
        h('div', { class: 'desk' },
          this.strip.element,
          h('section', { class: 'prices', id: 'prices', tabindex: -1, 'aria-labelledby': 'prices-title' },
            h('div', { class: 'head' }, h('h2', { id: 'prices-title' }, 'Prices'), this.grid.tools, filter),
            this.said,
            this.market),
          charts),
        this.list.element));
    this.list.show(this.rows);
    this.showRenderer();
    this.grid.setSort(this.sort);
    void Promise.all([import('./view/charts'), import('./view/feed-charts')])
      .then(([module, specs]) => (this.charts = module.charts(charts, specs.feedCharts(() => this.settings))));
  }

  async start(): Promise<void> {
    await this.readState();
    await this.readNames();
    this.connect();
    setInterval(() => void this.readState(), STATE_MS);
    setInterval(() => this.sort.by !== 'symbol' && this.reorder(), ORDER_MS);
    requestAnimationFrame((now) => this.frame(now));
    document.addEventListener('visibilitychange', () => this.reportRendering());
    setInterval(() => this.watch(), STATE_MS);
    if (this.automatic.has('benchmark')) {
      await this.automaticRow(Number(this.automatic.get('benchmark')), Number(this.automatic.get('warmup') ?? 2));
    }
  }

  /** What is measured: the feed may be another than the controls show, where a link was opened beside it. */
  private measuredSettings(): Settings {
    if (!this.state) {
      return this.settings;
    }
    const { symbols, threads, sleepMs, rate: made, messageBytes } = this.state.feed;
    return { ...this.settings, symbols, threads, sleepMs, rate: made, messageBytes };
  }

  /** The feed as it runs, or as the console was configured, is what the controls show, unless a link says another. */
  private adopt(): void {
    if (this.state && location.hash === '') {
      this.showFeed();
    }
  }

  /** The controls show the feed there is. */
  private showFeed(): void {
    this.settings = this.measuredSettings();
    this.panel.show(this.settings);
    if (location.hash !== '') {
      history.replaceState(null, '', `${location.pathname}${location.search}#${toLink(this.settings)}`);
    }
  }

  /** For scripts: ?benchmark=10&warmup=3#settings measures one row and reports it to the server. */
  private async automaticRow(seconds: number, warmUpSeconds: number): Promise<void> {
    const isWrong = !(seconds > 0 && seconds <= LONGEST_S && warmUpSeconds >= 0 && warmUpSeconds <= LONGEST_S);
    const why = isWrong
      ? `benchmark and warmup take seconds, up to ${LONGEST_S}, not '${this.automatic.get('benchmark')}' and '${this.automatic.get('warmup') ?? 2}'.`
      : this.wrongLink;
    if (why === '' && await this.applyFeed(true)) {
      setTimeout(() => this.benchmark(seconds), 1000 * warmUpSeconds);
    } else {
      this.noRow(why || this.notice.textContent!);
    }
  }

  private post(message: ToWorker, transfer: Transferable[] = []): void {
    this.worker.postMessage(message, transfer);
  }

  private connect(): void {
    const channel = this.channels.find((each) => each.name === this.settings.channel) ?? this.channels[0]!;
    const opening: Opening = {
      type: 'open',
      number: ++this.opened,
      origin: location.origin,
      token: this.token,
      channel: channel.name,
      transport: channel.transport,
      encoding: channel.encoding,
      query: sessionQuery(this.settings),
      guaranteed: this.settings.guaranteed,
      ackFrames: ACK_FRAMES,
      ackBytes: ACK_BYTES,
    };
    this.discards = new Discards();
    this.keeping = new Keeping();
    this.clock = undefined;
    this.breakOff();
    this.post(opening);
    this.reportRendering();
  }

  private change(next: Settings, isShown = false): void {
    const before = this.settings;
    this.settings = { ...next };
    if (isShown) {
      this.panel.show(next);
    }
    history.replaceState(null, '', `${location.pathname}${location.search}#${toLink(next)}`);
    if (differ(FEED_KEYS, before, next) && this.state?.feed.isRunning) {
      void this.applyFeed(true);
    } else if (differ(SESSION_KEYS, before, next)) {
      this.connect();
    } else if (differ(DISPLAY_KEYS, before, next)) {
      this.breakOff();
    }
    if (before.renderer !== next.renderer) {
      this.showRenderer();
    }
    this.reportRendering();
    this.charts?.redraw();
  }

  private async toggle(): Promise<void> {
    await this.applyFeed(!(this.state?.feed.isRunning ?? false));
  }

  /** False where the feed could not be changed; the notice says why. */
  private async applyFeed(isRunning: boolean): Promise<boolean> {
    const { symbols, threads, sleepMs, rate: wanted, messageBytes } = this.settings;
    this.isBusy = true;
    this.changes++;
    this.panel.setRunning(this.state?.feed.isRunning ?? false, true);
    try {
      this.take(await api.feed({ isRunning, symbols, threads, sleepMs, rate: wanted, messageBytes }));
      await this.readNames();
      this.warn('');
      this.connect();
      return true;
    } catch (error) {
      this.warn((error as Error).message);
      return false;
    } finally {
      this.isBusy = false;
      this.changes++;
      this.panel.setRunning(this.state?.feed.isRunning ?? false, false);
    }
  }

  private async readState(): Promise<void> {
    this.askedMs = performance.now();
    this.showMade();
    try {
      const { changes } = this;
      const state = await api.state();
      if (changes === this.changes) {
        this.take(state);
        await this.readNames();
      }
      this.exposed.hidden = this.state?.isExposed !== true;
      if (this.isCutOff) {
        this.isCutOff = false;
        this.warn('');
      }
      const failure = this.state?.failure ?? '';
      if (failure !== '' || this.isFailed) {
        this.warn(failure && `The server cannot continue: ${failure}. Stop the feed and start it again.`);
      }
      this.isFailed = failure !== '';
    } catch (error) {
      this.isCutOff = true;
      this.warn(`The server does not answer: ${(error as Error).message}`);
    }
  }

  private take(next: State): void {
    const { feed } = next;
    const before = this.state?.feed;
    this.state = next;
    if (!before) {
      this.adopt();
    }
    this.feedRate.take(feed, performance.now());
    this.panel.setSource(feed.source, feed.isChannel);
    if (!this.isBusy) {
      this.panel.setRunning(feed.isRunning, false);
      if (before && differ(FEED_KEYS, before, feed)) {
        this.endSearch('changed', 'The feed was changed elsewhere.');
        this.showFeed(); // a script changed it, or another page
      } else if (!before && feed.source !== 'generator') {
        this.settings = { ...this.settings, symbols: feed.symbols }; // a file brings its own
        this.panel.show(this.settings);
      }
    }
    this.showMade();
  }

  private made(): number | undefined {
    return this.feedRate.perSecondAt(this.askedMs);
  }

  private showMade(): void {
    const made = this.made();
    const { symbols = 0, lost = 0 } = this.state?.feed ?? {};
    this.strip.show('made', made === undefined ? '–' : rate(made),
      `${made === undefined ? '' : `${digits(made / symbols)} per symbol`}${lost > 0 ? `, ${count(lost)} lost on the way to the server` : ''}`);
  }

  private async readNames(): Promise<void> {
    const of = `${this.state?.feed.source} ${this.state?.feed.symbols}`;
    if (this.namesOf !== of) {
      this.names = await api.symbols();
      this.namesOf = of;
      this.reorder();
    }
  }

  private hear(message: FromWorker): void {
    switch (message.type) {
      case 'table':
        this.noSession = '';
        this.isShared = message.table !== undefined;
        this.table = message.table ? new Int32Array(message.table) : new Int32Array(0);
        this.symbols = Array.from({ length: message.symbols }, (_, i) => message.firstSymbol + i);
        this.reorder();
        if (message.symbols > this.names.length) {
          void this.readState(); // another feed than this page knows
        }
        this.notice.hidden ||= performance.now() >= this.readUntilMs;
        break;
      case 'snapshot':
        this.table = new Int32Array(message.table);
        break;
      case 'stats':
        this.show(message);
        break;
      case 'benchmarked':
        this.hearRow(message);
        break;
      case 'ended':
        if (message.number === this.opened) { // else another one was opened meanwhile
          this.ended(message.number, message.reason, message.resumes);
        }
        break;
    }
  }

  private hearRow(message: BenchmarkResult): void {
    const { going } = this;
    if (!going) {
      return; // it was broken off meanwhile
    }
    const table = this.screen.spans.end().summary();
    const row = toRow(this.measuredSettings(), message, this.drawn(message.canvasScreen, table), {
      name: `Row ${this.rows.length + 1}`,
      at: new Date().toISOString(),
      limit: going.limit(),
      behindPart: going.behindPart(),
      frameMs: going.worstFrameMs || null,
      hiddenPart: going.hiddenPart(),
      feedPerSecond: going.feedPerSecond(this.state?.feed, this.made()),
      source: this.state?.feed.source ?? 'generator',
      browser: navigator.userAgent,
      latePart: (this.settings.rendering ? this.lateFrames.run() : undefined) ?? null,
      queuePerSecond: going.queuePerSecond(),
      ...going.flushed(),
    });
    this.panel.setBenchmark(0);
    this.going = undefined;
    if (this.measured) {
      this.measured(row);
      return;
    }
    this.keepRows([...this.rows, row]);
    const mean = row.meanNs === null ? 'none timed' : `${time(row.meanNs)} on average`;
    this.list.say(`Measured: ${count(row.messages)} messages, ${digits(row.perSecond)} a second, ${mean}.`);
    this.report(row, 'measured');
  }

  /** The message about the active renderer; empty where nothing is drawn. */
  private drawn<T>(canvas: T, table: T): T | undefined {
    return !this.settings.rendering ? undefined : this.drawsTiles() ? canvas : table;
  }

  /** What is being changed is reopened automatically, without a warning; unless the change fails. */
  private ended(number: number, reason: string, resumes: boolean): void {
    if (resumes && !this.isBusy) {
      this.warn(reason); // what is missing comes again
    }
    if (resumes) {
      return;
    }
    if (!this.isBusy) {
      this.noSession = reason;
      this.warnForAWhile(reason);
    }
    this.breakOff(reason);
    setTimeout(() => number === this.opened && this.connect(), RECONNECT_MS);
  }

  /** A page that is not visible cannot be judged as good; and what does not end is ended. */
  private watch(): void {
    if (this.going?.isOverdue(performance.now())) {
      const why = 'The worker of this page reported no row in time.';
      if (this.search) {
        this.search.stop(why);
      } else {
        this.breakOff(why);
      }
    }
    if (performance.now() - this.statsMs > UNHEARD_MS && this.state?.feed.isRunning && document.visibilityState === 'visible') {
      this.strip.say({ level: 'bad', limit: 'unknown', words: 'Nothing is known: for three seconds nothing was reported.' });
    }
  }

  private show(stats: Stats): void {
    this.statsMs = performance.now();
    this.clock = stats.clock;
    if (stats.latency.run && this.going?.begins()) { // with the session, which the button need not have had
      this.screen.spans.begin();
      this.lateFrames.begin();
    }
    if (this.readUntilMs > 0 && performance.now() >= this.readUntilMs) {
      this.readUntilMs = 0;
      this.warn('');
    }
    const latency = stats.latency.interval;
    const isAny = latency.count > 0;
    this.strip.show('received', rate(stats.perSecond), `${bytes(stats.bytesPerSecond)}/s, ${rate(stats.framesPerSecond)} frames/s`);
    this.strip.show('now', isAny ? `${ms(stats.nowNs)} ms` : '–', stats.clockBoundNs === null
      ? 'the server\'s clock is not known'
      : isAny ? `± ${time(stats.clockBoundNs)} of the clocks` : '');
    this.strip.show('p50', inMs(latency.p50Ns), isAny ? `average ${ms(latency.meanNs)} ms` : '');
    this.strip.show('p99', inMs(latency.p99Ns), latency.notPositive > 0 ? `${count(latency.notPositive)} too short to time` : '');
    this.strip.show('max', inMs(latency.maxNs), stats.lost > 0 ? `${count(stats.lost)} lost` : '');
    const ofTable = this.screen.spans.close(); // also where the canvas draws: its turns are those of the worker
    const screen = this.drawn(stats.canvasScreen, ofTable);
    this.strip.show('screen', screen ? inMs(screen.recent.p50Ns) : '–', screen ? `p50 of 10 s; ${p99Text(screen.recent)}` : 'nothing is drawn');
    const isCanvas = this.drawsTiles() && this.settings.rendering;
    this.lateFrames.take(isCanvas ? stats.canvasPictures : this.pictures.counts());
    const latePart = this.settings.rendering ? this.lateFrames.recent() : undefined;
    this.frameMs = isCanvas ? stats.canvasFrameMs : this.pictures.take(performance.now());
    this.strip.show('frame', this.frameMs > 0 ? `${digits(this.frameMs)} ms` : '–',
      `${latePart === undefined ? '' : `${digits(100 * latePart)} % late, `}decoding ${Math.round(stats.busy * 100)} %`);
    this.strip.show('queue', ...queueTexts(stats));
    this.judge(stats);
    this.holdAgainst(stats.latency, screen);
    this.charts?.add({
      atMs: performance.now(),
      p50Ms: orNull(latency.p50Ns / 1e6),
      p99Ms: orNull(latency.p99Ns / 1e6),
      maxMs: orNull(latency.maxNs / 1e6),
      screenMs: screen ? orNull(screen.interval.p50Ns / 1e6) : null,
      received: stats.perSecond,
      made: this.made() ?? null,
      frameMs: this.frameMs > 0 ? this.frameMs : null,
      busyPercent: stats.busy * 100,
      latePercent: latePart === undefined ? null : 100 * latePart,
    });
  }

  /** The thresholds: over the running benchmark, otherwise over the last ten seconds. */
  private holdAgainst(latency: Spread, screen: Spread | undefined): void {
    const span = (of: Spread): Summary => (this.going && of.run) || of.recent;
    const latePart = this.going ? this.lateFrames.run() : this.lateFrames.recent();
    this.strip.judged(judge(this.settings, {
      latency: span(latency), screen: screen && span(screen), latePart: this.settings.rendering ? latePart : undefined,
    }), this.going ? 'Thresholds, in this benchmark so far:' : 'Thresholds, in the last ten seconds:');
  }

  private judge(stats: Stats): void {
    this.discards.take(stats);
    const isHidden = document.visibilityState === 'hidden';
    const pictures = {
      frameMs: this.frameMs,
      wantedFrameMs: wantedFrameMs(this.settings.framesPerSecond),
      rendering: this.settings.rendering && !isHidden,
    };
    const feed = {
      askedPerSecond: this.state?.feed.isRunning && !this.state.feed.isChannel ? this.state.feed.rate : 0,
      madePerSecond: this.made(),
    };
    const isRunning = this.state?.feed.isRunning === true;
    const lasting = this.keeping.take({ ...stats, ...feed, nowMs: performance.now(), isFrameLate: isFrameLate(pictures) });
    const found = verdict({
      ...feed,
      ...pictures,
      lasting: isRunning ? lasting : NOTHING_LASTS,
      noSession: this.noSession,
      waiting: stats.waiting,
      failedPosts: stats.failedPosts,
      receivedPerSecond: stats.perSecond,
      busy: stats.busy,
      flushMs: this.settings.flushMs,
      discarded: this.discards.part,
      missed: this.discards.missed,
      maxFrequency: this.settings.maxFrequency,
      isTimed: stats.latency.interval.count > 0,
      isFew: Number.isNaN(stats.latency.recent.p99Ns),
      p99Ns: judgedNs(stats.latency),
    });
    this.isKeepingUp = isRunning && found.limit === 'none' && found.level !== 'idle';
    this.strip.say(found.level === 'idle' ? { ...found, words: idleWords(this.state?.feed.isRunning, this.hasReceived) } : found);
    this.hasReceived ||= stats.perSecond >= 1;
    if (this.going) {
      if (stats.latency.run) { // not of the time before it began
        this.going.saw(found, stats.seconds, this.frameMs, isHidden);
        this.going.counted(stats, performance.now());
      }
      this.panel.setBenchmark(this.going.secondsLeft(performance.now()), this.going.seconds);
    }
  }

  private benchmark(seconds: number): void {
    this.going = new Benchmark(seconds, performance.now(), this.state?.feed);
    this.panel.setBenchmark(seconds, seconds);
    this.list.say('');
    this.post({ type: 'benchmark', seconds });
  }

  /** Finds the highest rate that this browser holds, or stops the running search. */
  private async findLimit(): Promise<void> {
    const { FindLimit } = await import('./find-limit');
    if (this.search) {
      this.search.stop();
      return;
    }
    const { rate: before } = this.settings;
    const wasRunning = this.state?.feed.isRunning === true;
    const asked = askedPerSecond(this.settings);
    this.afterSearch = 'before';
    this.search = new FindLimit({ ...SEARCH, startRate: Number.isFinite(asked) ? asked : FIRST_RATE }, {
      setRate: (next) => {
        this.settings = { ...this.settings, rate: next };
        this.panel.show(this.settings);
        return this.applyFeed(true);
      },
      wait: (forMs) => new Promise((over) => setTimeout(over, forMs)),
      measure: (seconds) => new Promise((measured) => {
        this.measured = measured;
        this.benchmark(seconds);
      }),
      changed: (progress) => this.panel.setSearch(progress),
      heldBefore: this.isKeepingUp && wasRunning && Number.isFinite(asked) ? asked : 0,
    });
    const { found, row } = await this.search.run();
    this.search = undefined;
    this.dropBenchmark();
    this.measured = undefined;
    if (row) {
      const name = found.isConfirmed ? `Limit ${rate(found.held)}/s` : found.held > 0 ? `Limit ${rate(found.held)}/s?` : 'No limit found';
      this.keepRows([...this.rows, { ...row, name, search: { held: found.held, failed: found.failed, limit: found.limit, isConfirmed: found.isConfirmed, steps: found.steps } }]);
    }
    const after = this.afterSearch as Ending; // it may be another by now
    if (after !== 'changed') {
      this.settings = { ...this.settings, rate: before };
      this.panel.show(this.settings);
      await this.applyFeed(wasRunning && after === 'before');
    }
  }

  /** False where there is none. */
  private endSearch(after: Ending, why: string): boolean {
    if (!this.search) {
      return false;
    }
    this.afterSearch = after;
    this.search.stop(why);
    return true;
  }

  private dropBenchmark(): void {
    if (this.going) {
      this.going = undefined;
      this.post({ type: 'benchmark', seconds: 0 });
      this.screen.spans.end();
      this.panel.setBenchmark(0);
    }
  }

  /** A row is of one session and one way to show it: where that ends, or is changed, there is none. */
  private breakOff(reason = 'What it measured was changed.'): void {
    if (this.going) {
      this.dropBenchmark();
      if (this.measured) {
        this.measured(reason);
        return;
      }
      this.list.say(`The benchmark was broken off: ${reason}`);
      this.noRow(reason);
    }
  }

  /** Ends the wait for a row that this page should have measured by itself. */
  private noRow(reason: string): void {
    this.report({ brokenOff: reason }, 'broken off');
  }

  /** For a script, which waits for the title: again until the server answers, which counts once what comes with one key. */
  private report(row: unknown, title: string, key = Math.random()): void {
    if (this.automatic.has('benchmark')) {
      send('POST', `/api/rows?key=${key}`, row).then(
        (taken) => (document.title = taken.ok ? title : 'refused'),
        () => setTimeout(() => this.report(row, title, key), RECONNECT_MS),
      );
    }
  }

  private frame(nowMs: number): void {
    requestAnimationFrame((next) => this.frame(next));
    this.screen.next(this.serverNs());
    if (!this.settings.rendering || this.drawsTiles()) {
      this.pictures.drawn(nowMs);
    } else if (this.beat.isDue(nowMs)) {
      if (!this.isShared) {
        this.post({ type: 'snapshot' });
      }
      this.grid.draw(this.table, nowMs);
      this.screen.drawn();
      this.pictures.drawn(nowMs);
    }
  }

  /** The server's time as the worker measured it, on this thread's clock; undefined where it is not known of this session. */
  private serverNs(): number | undefined {
    const { clock } = this;
    return clock?.number === this.opened
      ? (performance.now() + performance.timeOrigin - clock.originMs) * 1e6 + clock.ns
      : undefined;
  }

  private drawsTiles(): boolean {
    return this.settings.renderer === 'canvas' && 'OffscreenCanvas' in window;
  }

  private sortBy(by: Sort['by']): void {
    this.sort = { by, isDown: this.sort.by === by ? !this.sort.isDown : by !== 'symbol' };
    this.grid.setSort(this.sort);
    this.reorder();
  }

  private reorder(): void {
    if (this.names.length === 0) {
      return;
    }
    const shown = order(this.symbols.filter((each) => each < this.names.length), this.names, this.table, this.filter, this.sort);
    this.grid.setOrder(shown, this.names);
    if (this.drawsTiles()) {
      this.tiles.setOrder(shown, this.names);
    }
  }

  private showRenderer(): void {
    this.grid.tools.hidden = this.drawsTiles();
    this.lateFrames.clear();
    this.market.replaceChildren(this.drawsTiles() ? this.tiles.element : this.grid.element);
    this.reorder();
  }

  private reportRendering(): void {
    const { framesPerSecond, rendering, flash } = this.settings;
    this.pictures.pause(framesPerSecond);
    this.screen.pause();
    this.grid.flash(flash);
    this.market.classList.toggle('still', !rendering);
    this.beat.rate = framesPerSecond;
    this.post({ type: 'render', framesPerSecond, isCanvas: rendering && this.drawsTiles(), flash });
  }

  private keepRows(rows: Row[]): void {
    this.rows = rows;
    const words = keep(safeStorage(), rows);
    this.list.show(rows);
    if (words !== '') {
      this.warnForAWhile(words);
    }
  }

  private replace(row: Row, by: Row): void {
    this.keepRows(this.rows.map((each) => (each === row ? by : each)));
  }

  private async copyLink(settings: Settings): Promise<void> {
    const link = `${location.origin}/#${toLink(settings)}`;
    try {
      await navigator.clipboard.writeText(link);
      this.list.say('Copied: anyone who opens the link gets these settings.');
    } catch {
      this.list.say(link);
    }
  }

  private async save(): Promise<void> {
    try {
      const { folder } = await api.save(this.rows);
      this.list.say(`Written to ${folder}, with a report.`);
    } catch (error) {
      this.list.say((error as Error).message);
    }
  }

  private warn(words: string): void {
    this.notice.textContent = words;
    this.notice.hidden = words === '';
  }

  private warnForAWhile(words: string): void {
    this.warn(words);
    this.readUntilMs = words === '' ? 0 : performance.now() + READ_MS;
  }
}

function inMs(ns: number): string {
  return Number.isNaN(ns) ? '–' : `${ms(ns)} ms`;
}

function download(name: string, type: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const [channels, policies, token] = await Promise.all([api.channels(), api.policies(), api.token()]);
await new Page(channels, policies, token).start();
