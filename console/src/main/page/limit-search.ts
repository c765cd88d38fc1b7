// Which rate to try next, and what is known by then: the highest rate that holds, between one that held and one that did not.

/** What became of a step; limit: what was met, as the verdict calls it, 'threshold' or 'session ended'; 'none' where it held. */
export interface Tried {
  isHeld: boolean;
  limit: string;
}

export interface Trial {
  phase: 'doubling' | 'bisection' | 'confirmation';
  rate: number;
  seconds: number;
}

export interface Bounds {
  /** The highest rate that held; 0 where none did. */
  held: number;
  /** The lowest rate that did not hold, above those that did; null where all did. */
  failed: number | null;
  /** What was met at that rate. */
  limit: string;
  isConfirmed: boolean;
}

export interface Plan {
  startRate: number;
  /** As much as the feed can be asked for. */
  mostRate: number;
  stepSeconds: number;
  confirmationSeconds: number;
}

export const LEAST_RATE = 100;
/** Rates that are nearer to each other are not distinguished. */
const CLOSE = 1.05;
/** A single stall fails no rate: what did not hold is tried once more. */
const TRIES = 2;
/** If three rates cannot be confirmed, the answer of this machine varies. */
const CONFIRMATIONS = 3;

/** Three digits: more would say more than is known. */
function round(rate: number): number {
  return Number(rate.toPrecision(3));
}

export class LimitSearch {
  private readonly held: number[] = [];
  private failed: number | undefined;
  private limit = 'none';
  private tries = 0;
  private confirmations = 0;
  private isConfirmed = false;
  private current: Trial | undefined;

  constructor(private readonly plan: Plan) {
    this.current = this.trial('doubling', Math.min(Math.max(LEAST_RATE, plan.startRate), plan.mostRate));
  }

  /** The step to make; undefined where the search is over. */
  next(): Trial | undefined {
    return this.current;
  }

  took({ isHeld, limit }: Tried): void {
    const { current } = this;
    if (!current) {
      return;
    }
    this.tries++;
    if (!isHeld && this.tries < TRIES && current.phase !== 'confirmation') {
      return;
    }
    this.tries = 0;
    if (isHeld) {
      this.isConfirmed = current.phase === 'confirmation';
      this.held.push(current.rate);
    } else {
      this.failed = current.rate;
      this.limit = limit;
      // a longer step knows more: what held for a short time at this rate did not hold
      this.held.splice(0, this.held.length, ...this.held.filter((each) => each < current.rate));
    }
    this.current = this.isConfirmed ? undefined : this.following();
  }

  bounds(): Bounds {
    return { held: this.best(), failed: this.failed ?? null, limit: this.limit, isConfirmed: this.isConfirmed };
  }

  private best(): number {
    return Math.max(0, ...this.held);
  }

  private following(): Trial | undefined {
    const best = this.best();
    const { failed } = this;
    const { mostRate } = this.plan;
    if (best === 0) {
      // not even the first: downwards, as long as there is something
      const lower = round(failed! / 2);
      return lower >= LEAST_RATE ? this.trial('doubling', lower) : undefined;
    }
    if (failed === undefined) {
      return best >= mostRate ? this.confirmation(best) : this.trial('doubling', Math.min(mostRate, round(2 * best)));
    }
    const middle = round(Math.sqrt(best * failed));
    return failed / best > CLOSE && middle > best && middle < failed ? this.trial('bisection', middle) : this.confirmation(best);
  }

  private confirmation(rate: number): Trial | undefined {
    return this.confirmations++ < CONFIRMATIONS ? this.trial('confirmation', rate) : undefined;
  }

  private trial(phase: Trial['phase'], rate: number): Trial {
    return { phase, rate, seconds: phase === 'confirmation' ? this.plan.confirmationSeconds : this.plan.stepSeconds };
  }
}
