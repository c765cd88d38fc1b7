// The worker: receives, decodes, times. It continues at full speed where the page is hidden.

import type { BenchmarkResult, FromWorker, Opening, Stats, ToWorker } from '../protocol';
import { Beat } from '../beat';
import { Pictures } from '../pictures';
import { Screen } from '../screen';
import type { Note } from '../wire/tick';
import { Tiles } from './canvas';
import { open, type Channel } from './channel';
import { Clock } from './clock';
import { Session } from './session';
import { Table } from './table';

const STATS_MS = 250;
const RESUME_MS = 300;

interface Scope {
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  requestAnimationFrame?(callback: (time: number) => void): number;
  readonly crossOriginIsolated: boolean;
}

const scope = self as unknown as Scope;
let clock: Clock | undefined;
let channel: Channel | undefined;
let session: Session | undefined;
let tiles: Tiles | undefined;
let isCanvas = false;
let isFlashing = false;
const beat = new Beat();
const pictures = new Pictures();
const screen = new Screen();
let opened = 0;
let intervalBeganMs = performance.now();
let before = { messages: 0, frames: 0, bytes: 0 };
let busyMs = 0;
let benchmark: Benchmark | undefined;
/** Of a benchmark that waits for its session; 0: none waits. */
let wantedSeconds = 0;

/** What a benchmark counts from. */
interface Benchmark {
  beganMs: number;
  seconds: number;
  busyMs: number;
  messages: number;
  frames: number;
  bytes: number;
  statuses: number;
  merged: number;
  dropped: number;
  lost: number;
  /** The worst while it went on; null where it was not known. */
  clockBoundNs: number | null;
}

/** Works on what came in; a message counts as handled when its frame is taken up, on the server's clock. */
function work(what: () => void): void {
  const beganMs = performance.now();
  if (session && clock?.offset) {
    session.frameNs = beganMs * 1e6 + clock.offset.ns;
  }
  what();
  busyMs += performance.now() - beganMs;
}

function start(opening: Opening): void {
  close();
  opened = opening.number;
  clock = new Clock(`${opening.origin.replace(/^http/, 'ws')}/feed/clock?token=${opening.token}`, () => connect(opening));
  clock.open();
}

function connect(opening: Opening): void {
  const mine = new Session(session?.table ?? new Table(0, false));
  mine.onNote = (note) => noted(note, mine);
  session = mine;
  before = { messages: 0, frames: 0, bytes: 0 };
  attach(opening, mine);
}

function attach(opening: Opening, mine: Session): void {
  mine.lastFrame = 0;
  channel = open(opening, mine, work, { ended: (reason) => session === mine && ended(opening, mine, reason) });
}

/** A guaranteed session continues where it was; any other restarts when the page requests it. */
function ended(opening: Opening, mine: Session, reason: string): void {
  const isOver = mine.status?.note === 'end';
  const resumes = opening.guaranteed && mine.id !== '' && !isOver;
  scope.postMessage({
    type: 'ended', number: opening.number, reason: isOver ? String(mine.status!['reason']) : reason, resumes,
  });
  if (resumes) {
    setTimeout(() => session === mine && attach(opening, mine), RESUME_MS);
  }
}

function noted(note: Note, of: Session): void {
  if (note.note === 'hello') {
    const symbols = Number(note['symbols']);
    of.lost += Number(note['missing']);
    if (of.table.symbols !== symbols) {
      of.table = new Table(symbols, scope.crossOriginIsolated);
    }
    scope.postMessage({
      type: 'table',
      table: of.table.shared,
      symbols: Number(note['symbolCount']),
      firstSymbol: Number(note['firstSymbol']),
    });
    beginWanted();
  }
}

function close(): void {
  channel?.close();
  clock?.close();
  channel = undefined;
  clock = undefined;
  endBenchmark();
  screen.pause();
  if (session) {
    session = new Session(session.table);
  }
}

function report(): void {
  const nowMs = performance.now();
  const seconds = (nowMs - intervalBeganMs) / 1000;
  intervalBeganMs = nowMs;
  if (session && channel) {
    const look = stats(session, seconds);
    scope.postMessage(look);
    if (benchmark) {
      const { clockBoundNs: worst } = benchmark;
      benchmark.busyMs += busyMs;
      benchmark.clockBoundNs = worst === null || look.clockBoundNs === null ? null : Math.max(worst, look.clockBoundNs);
      if (nowMs - benchmark.beganMs >= benchmark.seconds * 1000) {
        scope.postMessage(result(session, benchmark, nowMs));
        endBenchmark();
      }
    }
    before = { messages: session.messages, frames: session.frames, bytes: session.bytes };
  }
  busyMs = 0;
}

function endBenchmark(): void {
  benchmark = undefined;
  wantedSeconds = 0;
  session?.spans.end();
  screen.spans.end();
}

/** The server's ns now; undefined where they are not known. */
function serverNs(): number | undefined {
  return clock?.offset && performance.now() * 1e6 + clock.offset.ns;
}

function stats(of: Session, seconds: number): Stats {
  return {
    type: 'stats',
    seconds,
    messages: of.messages,
    perSecond: (of.messages - before.messages) / seconds,
    framesPerSecond: (of.frames - before.frames) / seconds,
    bytesPerSecond: (of.bytes - before.bytes) / seconds,
    latency: of.spans.close(),
    nowNs: of.nowNs,
    busy: busyMs / (seconds * 1000),
    waiting: of.figure('waiting'),
    bytesOnTheWay: of.figure('bytesOnTheWay'),
    offered: of.figure('offered'),
    statuses: of.statuses,
    receivedAtStatus: of.receivedAtStatus,
    failedPosts: of.failedPosts,
    heldBack: of.figure('heldBack'),
    flushes: of.figure('flushes'),
    lateFlushes: of.figure('lateFlushes'),
    merged: of.figure('merged'),
    dropped: of.figure('dropped'),
    lost: of.lost,
    clockBoundNs: clock?.boundNs(performance.now()) ?? null,
    canvasFrameMs: pictures.take(performance.now()),
    canvasPictures: pictures.counts(),
    canvasScreen: screen.spans.close(),
    clock: clock?.offset && { number: opened, ns: clock.offset.ns, originMs: performance.timeOrigin },
  };
}

/** What is measured is a session: before the server has said hello there is none. */
function beginWanted(): void {
  if (session?.id && wantedSeconds > 0) {
    begin(session, wantedSeconds);
    wantedSeconds = 0;
  }
}

function begin(of: Session, seconds: number): void {
  of.spans.begin();
  screen.spans.begin();
  busyMs = 0;
  intervalBeganMs = performance.now();
  before = { messages: of.messages, frames: of.frames, bytes: of.bytes };
  benchmark = {
    beganMs: performance.now(),
    seconds,
    busyMs: 0,
    ...before,
    statuses: of.statuses,
    merged: of.figure('merged'),
    dropped: of.figure('dropped'),
    lost: of.lost,
    clockBoundNs: 0,
  };
}

function result(of: Session, from: Benchmark, nowMs: number): BenchmarkResult {
  const seconds = (nowMs - from.beganMs) / 1000;
  const latency = of.spans.end();
  const since = (name: 'merged' | 'dropped'): number | null => (of.statuses > from.statuses ? of.figure(name) - from[name] : null);
  return {
    type: 'benchmarked',
    seconds,
    messages: of.messages - from.messages,
    frames: of.frames - from.frames,
    bytes: of.bytes - from.bytes,
    latency: latency.summary(),
    canvasScreen: screen.spans.end().summary(),
    buckets: latency.buckets(),
    merged: since('merged'),
    dropped: since('dropped'),
    lost: of.lost - from.lost,
    busy: from.busyMs / (seconds * 1000),
    clockBoundNs: from.clockBoundNs,
  };
}

function draw(timeMs: number): void {
  scope.requestAnimationFrame?.(draw);
  screen.next(serverNs());
  if (isCanvas && tiles && session && beat.isDue(timeMs)) {
    tiles.draw(session.table, timeMs);
    screen.drawn();
    pictures.drawn(performance.now());
  }
}

scope.onmessage = ({ data }) => {
  switch (data.type) {
    case 'open':
      start(data);
      break;
    case 'close':
      close();
      break;
    case 'canvas':
      if (!tiles) {
        scope.requestAnimationFrame?.(draw); // once: a canvas that follows is drawn by the same pictures
      }
      tiles = new Tiles(data.canvas, data.names, (wantedUs) => screen.shows(wantedUs));
      tiles.flash(isFlashing);
      break;
    case 'view':
      tiles?.show(data, session?.table);
      break;
    case 'render':
      beat.rate = data.framesPerSecond;
      isCanvas = data.isCanvas;
      pictures.pause(data.framesPerSecond);
      screen.pause();
      isFlashing = data.flash;
      tiles?.flash(isFlashing);
      break;
    case 'benchmark':
      endBenchmark();
      wantedSeconds = data.seconds;
      beginWanted();
      break;
    case 'snapshot':
      if (session && !session.table.shared) {
        const copy = session.table.ints.slice().buffer as ArrayBuffer;
        scope.postMessage({ type: 'snapshot', table: copy }, [copy]);
      }
      break;
  }
};
setInterval(report, STATS_MS);
