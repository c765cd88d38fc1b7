// Finds the highest rate that this browser holds: makes the steps that the search asks for, and says what came of them.

import { LimitSearch, type Bounds, type Plan, type Tried, type Trial } from './limit-search';
import type { Row } from './rows';
import { outcome, words as inWords } from './thresholds';
import { isBehind, missedPart } from './verdict';
import { count } from './view/format';

/** After a rate was set the feed restarts, and a page that has to warm up does it in this time. */
export const SETTLE_MS = 2000;

export interface Step extends Trial {
  /** 'holds', or what was met. */
  outcome: string;
  /** What was measured; null of a step that was broken off, as the next. */
  perSecond: number | null;
  p99Ns: number | null;
  screenP50Ns: number | null;
  latePart: number | null;
  /** By how many more messages wait each second. */
  queuePerSecond: number | null;
}

/** What a row keeps of the search that led to it. */
export interface Search extends Bounds {
  steps: Step[];
}

export interface Progress extends Search {
  words: string;
  isOver: boolean;
}

export interface Bench {
  /** False where the feed cannot be set to that rate. */
  setRate(rate: number): Promise<boolean>;
  wait(ms: number): Promise<void>;
  /** A row, or why there is none. */
  measure(seconds: number): Promise<Row | string>;
  changed(progress: Progress): void;
  /** The rate at which the page kept up before the search; 0 where it did not, or had none. */
  heldBefore?: number;
}

/** What a row says of the rate at which it was measured; 'unknown' where it does not say whether that holds. A short step may leave thresholds open. */
export function tried(row: Row, rate: number, isShort = false): Tried {
  const judged = outcome(row.thresholds ?? []);
  const made = row.feedPerSecond ?? rate; // it is asked for no more
  const limit = row.limit !== 'none' ? row.limit
    : row.messages === 0 ? 'network'
    : isBehind(rate, made) ? 'server'
    : isBehind(made, made - (row.queuePerSecond ?? 0)) ? 'queue'
    : missedPart({ flushes: row.flushes ?? 0, lateFlushes: row.lateFlushes ?? 0 }) > 0 ? 'flush'
    : judged === 'fails' ? 'threshold'
    : (judged === 'unknown' && !isShort) || row.feedPerSecond === null || typeof row.queuePerSecond !== 'number' ? 'unknown'
    : 'none';
  return { isHeld: limit === 'none', limit };
}

/** Why it does not. */
function whyUnknown({ limit, feedPerSecond, thresholds = [] }: Row): string {
  const unknown = thresholds.filter((each) => each.state === 'unknown');
  return limit === 'none' && feedPerSecond === null ? 'the server did not say what the feed made'
    : limit === 'none' && unknown.length > 0 ? unknown.map(inWords).join('; ')
    : 'the server said nothing about this session, or no message could be timed';
}

const STOPPED = Symbol('stopped');

export class FindLimit {
  private readonly search: LimitSearch;
  private readonly steps: Step[] = [];
  /** By rate, the latest of those that held. */
  private readonly held = new Map<number, Row>();
  private last: Row | undefined;
  private why = '';
  private setting = Promise.resolve(true);
  private stopNow: (stopped: typeof STOPPED) => void = () => {};
  private readonly stopped = new Promise<typeof STOPPED>((stop) => (this.stopNow = stop));

  constructor(plan: Plan, private readonly bench: Bench) {
    this.search = new LimitSearch(plan);
  }

  /** Ends the search with what is known; why: in words, where the user did not request it. */
  stop(why = ''): void {
    this.why ||= why || 'Stopped.';
    this.stopNow(STOPPED);
  }

  /** What was found, and the row that shows it: of the confirmation, else of the best that held, else of the last. */
  async run(): Promise<{ found: Progress; row: Row | undefined }> {
    for (let trial = this.search.next(); trial && this.why === ''; trial = this.search.next()) {
      this.show(`Trying ${count(trial.rate)}/s${trial.phase === 'confirmation' ? ` for ${trial.seconds} s, to confirm it` : ''}.`);
      const row = await Promise.race([this.step(trial), this.stopped]);
      if (row === STOPPED) {
        break;
      }
      this.take(trial, row);
    }
    await this.setting; // a later change of the feed must not be overtaken
    const best = this.held.get(this.search.bounds().held);
    const words = [this.why, boundsText(this.search.bounds(), best, this.why !== ''), variesText(this.steps, this.bench.heldBefore ?? 0)];
    const found = this.progress(words.filter((each) => each !== '').join(' '), true);
    this.bench.changed(found);
    return { found, row: best ?? this.last };
  }

  private async step(trial: Trial): Promise<Row | string> {
    this.setting = this.bench.setRate(trial.rate);
    if (!(await this.setting)) {
      this.stop('The feed could not be set.');
    }
    await this.bench.wait(SETTLE_MS);
    return this.why === '' ? this.bench.measure(trial.seconds) : this.why;
  }

  private take(trial: Trial, row: Row | string): void {
    const isRow = typeof row !== 'string';
    if (isRow && (row.hiddenPart ?? 0) > 0) {
      this.stop('The page was hidden, and drew nothing.');
      return;
    }
    // Too few samples for a threshold in a short step: the confirmation judges it.
    const was = isRow ? tried(row, trial.rate, trial.phase !== 'confirmation') : { isHeld: false, limit: 'session ended' };
    if (isRow) {
      this.last = row;
    }
    if (isRow && was.limit === 'unknown') {
      this.stop(`${count(trial.rate)}/s could not be judged: ${whyUnknown(row)}.`);
      return;
    }
    if (isRow && was.isHeld) {
      this.held.set(trial.rate, row);
    }
    this.steps.push({
      ...trial,
      outcome: was.isHeld ? 'holds' : was.limit,
      perSecond: isRow ? row.perSecond : null,
      p99Ns: isRow ? row.p99Ns : null,
      screenP50Ns: isRow ? row.screenP50Ns ?? null : null,
      latePart: isRow ? row.latePart ?? null : null,
      queuePerSecond: isRow ? row.queuePerSecond ?? null : null,
    });
    this.search.took(was);
  }

  private progress(words: string, isOver: boolean): Progress {
    return { ...this.search.bounds(), steps: [...this.steps], words, isOver };
  }

  private show(words: string): void {
    this.bench.changed(this.progress(words, false));
  }
}

/** That a rate was both too much and not: then the answer is one of the machine at that time. A longer step knows more, and is no such case. */
function variesText(steps: Step[], heldBefore: number): string {
  const held = Math.max(heldBefore, ...steps.filter((step) => step.outcome === 'holds').map((step) => step.rate));
  const failed = steps.filter((step) => step.outcome !== 'holds' && step.phase !== 'confirmation' && step.rate <= held);
  const highest = failed.reduce<Step | undefined>((most, step) => (most && most.rate >= step.rate ? most : step), undefined);
  return highest === undefined ? ''
    : `The answer varies: ${count(highest.rate)}/s was too much (${highest.outcome}) at one time and held at another. Something else may be using this machine; search again when it is quiet.`;
}

/** The answer in words. */
function boundsText({ held, failed, limit, isConfirmed }: Bounds, row: Row | undefined, isStopped: boolean): string {
  if (held === 0) {
    return failed === null ? 'No rate was measured.' : `No rate held; ${count(failed)}/s was too much (${limit}). Not confirmed.`;
  }
  const merged = row?.merged ? row.merged / (row.messages + row.merged) : 0;
  const lost = merged > 0.01 ? ` ${Math.round(100 * merged)} % of them were merged before they came, as the subscription asks.` : '';
  const above = failed === null ? '' : limit === 'server'
    ? ` The feed does not make ${count(failed)}/s: the server is the limit, not this browser.`
    : limit === 'flush' ? ` At ${count(failed)}/s the server did not hold the flush interval.`
    : ` ${count(failed)}/s was too much (${limit}).`;
  if (isConfirmed) {
    return `This browser holds ${count(held)} messages a second, confirmed over ${row?.seconds.toFixed(0)} s${
      failed === null ? '; no more can be asked for' : ''}.${above}${lost}`;
  }
  return `${count(held)}/s held.${above || ' Nothing higher was tried.'} Not confirmed${isStopped ? '' : ': no long step held'}.`;
}
