// Benchmark rows: eight parameters, three results of the seed, and what else there is to know.

import type { Search } from './find-limit';
import type { Summary } from './histogram';
import type { BenchmarkResult } from './protocol';
import { DEFAULTS, paceWords, type Settings } from './settings';
import { judge, orNull, outcome, words, type Judged } from './thresholds';

export interface Row {
  id: string;
  name: string;
  at: string;
  settings: Settings;
  seconds: number;
  messages: number;
  perSecond: number;
  /** Null where nothing was timed; so the maximum. */
  meanNs: number | null;
  /** Null with fewer than ten messages above it. */
  p50Ns: number | null;
  p99Ns: number | null;
  maxNs: number | null;
  notPositive: number;
  frames: number;
  bytes: number;
  /** Null where the server said nothing about the session; so the dropped. */
  merged: number | null;
  dropped: number | null;
  lost: number;
  busy: number;
  /** Null where none was drawn. */
  frameMs: number | null;
  /** Part of the time for which the page was hidden, and nothing was drawn, 0 to 1; rows of earlier versions do not know it. */
  hiddenPart?: number;
  /** Null where the server's clock was not known. */
  clockBoundNs: number | null;
  /** Null where the server did not say what the feed made. */
  feedPerSecond: number | null;
  limit: string;
  /** Part of the time for which the page, or the feed, did not keep up, 0 to 1; rows of earlier versions do not know it. */
  behindPart?: number;
  browser: string;
  /** Where prices came from: the generator, a file or a channel. */
  source?: string;
  buckets: [number, number][];
  /** Tick to screen; null with too few messages above it. Rows of earlier versions know none of what follows. */
  screenP50Ns?: number | null;
  screenP99Ns?: number | null;
  screenMaxNs?: number | null;
  /** Part of the pictures that were late, 0 to 1; null where none was due. */
  latePart?: number | null;
  /** By how many more messages waited each second. */
  queuePerSecond?: number | null;
  /** Flushes of the server, and those of them that were late by an interval or more. */
  flushes?: number;
  lateFlushes?: number;
  /** Those that were set. */
  thresholds?: Judged[];
  /** The search for the highest rate that ended with this row. */
  search?: Search;
}

export function toRow(
  settings: Settings,
  result: BenchmarkResult,
  /** Tick to screen, where prices were drawn. */
  screen: Summary | undefined,
  about: Pick<Row, 'name' | 'at' | 'limit' | 'behindPart' | 'frameMs' | 'hiddenPart' | 'feedPerSecond' | 'browser' | 'source' | 'latePart' | 'queuePerSecond' | 'flushes' | 'lateFlushes'>,
): Row {
  return {
    id: about.at,
    ...about,
    settings: { ...settings },
    seconds: result.seconds,
    messages: result.messages,
    perSecond: result.messages / result.seconds,
    meanNs: orNull(result.latency.meanNs),
    p50Ns: orNull(result.latency.p50Ns),
    p99Ns: orNull(result.latency.p99Ns),
    maxNs: orNull(result.latency.maxNs),
    notPositive: result.latency.notPositive,
    frames: result.frames,
    bytes: result.bytes,
    merged: result.merged,
    dropped: result.dropped,
    lost: result.lost,
    busy: result.busy,
    clockBoundNs: result.clockBoundNs,
    buckets: result.buckets,
    screenP50Ns: orNull(screen?.p50Ns),
    screenP99Ns: orNull(screen?.p99Ns),
    screenMaxNs: orNull(screen?.maxNs),
    thresholds: judge(settings, { latency: result.latency, screen, latePart: about.latePart ?? undefined }),
  };
}

/** How rows were drawn, and for which part of the time they were not. */
export function rendering(row: Row): string {
  const how = row.settings.rendering ? row.settings.renderer : 'off';
  const hidden = row.settings.rendering ? Math.round(100 * (row.hiddenPart ?? 0)) : 0;
  return hidden === 0 ? how : hidden === 100 ? 'tab hidden' : `${how}, ${hidden} % hidden`;
}

/** How its thresholds came out, and each of them in words; empty where none was set. */
export function thresholds(row: Row): { outcome: string; words: string } {
  const judged = row.thresholds ?? [];
  return { outcome: outcome(judged), words: judged.map(words).join('; ') };
}

/** How fast the feed was asked to be; of a feed that others send, where it came from. */
export function pace(row: Row): string {
  return row.source?.includes(':') ? row.source : paceWords(row.settings);
}

function inMs(ns: number | null | undefined): number | '' {
  return ns === null || ns === undefined ? '' : ns / 1e6;
}

const CSV: [string, (row: Row) => string | number | boolean][] = [
  ['name', (row) => row.name],
  ['at', (row) => row.at],
  ['symbols', (row) => row.settings.symbols],
  ['threads', (row) => row.settings.threads],
  ['sleepOrRate', (row) => pace(row)],
  ['channel', (row) => row.settings.channel],
  ['maxFrequency', (row) => row.settings.maxFrequency],
  ['conflation', (row) => row.settings.conflation],
  ['frameRate', (row) => row.settings.framesPerSecond || 'display'],
  ['rendering', (row) => (row.settings.rendering ? row.settings.renderer : 'off')],
  ['hiddenPart', (row) => row.hiddenPart ?? ''],
  ['behindPart', (row) => row.behindPart ?? ''],
  ['messages', (row) => row.messages],
  ['messagesPerSecond', (row) => row.perSecond],
  ['meanLatencyMs', (row) => inMs(row.meanNs)],
  ['p50Ms', (row) => inMs(row.p50Ns)],
  ['p99Ms', (row) => inMs(row.p99Ns)],
  ['maxMs', (row) => inMs(row.maxNs)],
  ['flushMs', (row) => row.settings.flushMs],
  ['guaranteed', (row) => row.settings.guaranteed],
  ['messageBytes', (row) => row.settings.messageBytes],
  ['merged', (row) => row.merged ?? ''],
  ['dropped', (row) => row.dropped ?? ''],
  ['lost', (row) => row.lost],
  ['notPositive', (row) => row.notPositive],
  ['feedPerSecond', (row) => row.feedPerSecond ?? ''],
  ['frames', (row) => row.frames],
  ['bytes', (row) => row.bytes],
  ['seconds', (row) => row.seconds],
  ['busy', (row) => row.busy],
  ['longestFrameMs', (row) => row.frameMs ?? ''],
  ['clockBoundMs', (row) => inMs(row.clockBoundNs)],
  ['source', (row) => row.source ?? 'generator'],
  ['limit', (row) => row.limit],
  ['screenP50Ms', (row) => inMs(row.screenP50Ns)],
  ['screenP99Ms', (row) => inMs(row.screenP99Ns)],
  ['screenMaxMs', (row) => inMs(row.screenMaxNs)],
  ['latePart', (row) => row.latePart ?? ''],
  ['queuePerSecond', (row) => row.queuePerSecond ?? ''],
  ['flash', (row) => row.settings.flash ?? false],
  ['thresholds', (row) => thresholds(row).outcome],
  ['thresholdWords', (row) => thresholds(row).words],
  ['limitHeldPerSecond', (row) => row.search?.held ?? ''],
  ['limitFailedPerSecond', (row) => row.search?.failed ?? ''],
  ['limitConfirmed', (row) => row.search?.isConfirmed ?? ''],
  ['flushes', (row) => row.flushes ?? ''],
  ['lateFlushes', (row) => row.lateFlushes ?? ''],
  ['browser', (row) => row.browser],
];

/** What a spreadsheet would take for a formula gets an apostrophe. */
export function unformulated(value: string | number | boolean): string {
  return typeof value === 'string' && /^[=+\-@\t]/.test(value) ? `'${value}` : String(value);
}

/** A cell as RFC 4180 requires it. */
function cell(value: string | number | boolean): string {
  const plain = unformulated(value);
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

export function toCsv(rows: Row[]): string {
  const lines = rows.map((row) => CSV.map(([, value]) => cell(value(row))).join(','));
  return [CSV.map(([name]) => name).join(','), ...lines].join('\r\n') + '\r\n';
}

const KEY = 'tickmark.rows';
const MOST = 200;

/** Rows kept in this browser, and in words what of them cannot be read. */
export function load(storage: Pick<Storage, 'getItem'>): { rows: Row[]; words: string } {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
    const all = Array.isArray(kept) ? (kept as Row[]) : [];
    const rows = all.filter((row) => row && row.settings && row.messages >= 0)
      // earlier versions kept 0 where nothing was timed, and where it was not known what the feed made
      .map(({ meanNs, maxNs, feedPerSecond, settings, ...row }) => ({
        ...row, settings: { ...DEFAULTS, ...settings }, meanNs: meanNs || null, maxNs: maxNs || null,
        feedPerSecond: feedPerSecond || (row.messages > 0 ? null : 0),
      }));
    const left = Array.isArray(kept) ? all.length - rows.length : 1;
    return { rows, words: left === 0 ? '' : `${left} of the rows kept in this browser cannot be read, and are left out.` };
  } catch {
    return { rows: [], words: 'The rows kept in this browser cannot be read, and are left out.' };
  }
}

/** What of the rows is not kept, in words; empty where all are. */
export function keep(storage: Pick<Storage, 'setItem'>, rows: Row[]): string {
  try {
    storage.setItem(KEY, JSON.stringify(rows.slice(-MOST)));
    return rows.length > MOST ? `Only the last ${MOST} of ${rows.length} rows are kept when this page is closed.` : '';
  } catch {
    return 'This browser keeps no rows: they are gone when this page is closed. Export them.';
  }
}

/** How a figure compares with that of another row: 1.5 is half as much again. */
export function ratio(value: number, other: number): string {
  return other > 0 && value > 0 ? `${(value / other).toFixed(2)} ×` : '–';
}
