// What can be set on the page; a link carries all of it behind the #.

export interface Settings {
  symbols: number;
  threads: number;
  sleepMs: number;
  rate: number;
  messageBytes: number;
  channel: string;
  maxFrequency: number;
  conflation: string;
  flushMs: number;
  guaranteed: boolean;
  framesPerSecond: number;
  rendering: boolean;
  renderer: 'table' | 'canvas';
  flash: boolean;
  /** Thresholds; 0 is none. */
  p99LimitMs: number;
  screenLimitMs: number;
  lateLimitPercent: number;
}

export const DEFAULTS: Settings = {
  symbols: 1000,
  threads: 1,
  sleepMs: 1,
  rate: 0,
  messageBytes: 40,
  channel: 'ws-binary',
  maxFrequency: 0,
  conflation: 'merge',
  flushMs: 1,
  guaranteed: false,
  framesPerSecond: 0,
  rendering: true,
  renderer: 'table',
  flash: false,
  p99LimitMs: 0,
  screenLimitMs: 0,
  lateLimitPercent: 0,
};

/** For so long a price that changed is lit, where it flashes. */
export const FLASH_MS = 300;

/** Pictures a second that can be asked for; 0 is the display's. */
export const MOST_FRAMES = 60;

/** Settings as text, without defaults. */
export function toLink(settings: Settings): string {
  const link = new URLSearchParams();
  for (const [name, value] of Object.entries(settings)) {
    if (value !== DEFAULTS[name as keyof Settings]) {
      link.set(name, String(value));
    }
  }
  return link.toString();
}

type Numbers = { [K in keyof Settings]: Settings[K] extends number ? K : never }[keyof Settings];

/** Least, most and step of each number, as the server has them. */
export const BOUNDS: Record<Numbers, [least: number, most: number, step: number | 'any']> = {
  symbols: [1, 100_000, 1],
  threads: [1, 64, 1],
  sleepMs: [0, 60_000, 'any'],
  rate: [0, 10_000_000, 'any'],
  messageBytes: [40, 4096, 8],
  maxFrequency: [0, 1_000_000, 'any'],
  flushMs: [0, 60_000, 'any'],
  framesPerSecond: [0, MOST_FRAMES, 1],
  p99LimitMs: [0, 60_000, 'any'],
  screenLimitMs: [0, 60_000, 'any'],
  lateLimitPercent: [0, 100, 'any'],
};

/** Why a number cannot be taken; empty where it can. */
export function wrong(key: Numbers, label: string, text: string): string {
  const [least, most, step] = BOUNDS[key];
  const number = Number(text);
  const isWithin = text.trim() !== '' && Number.isFinite(number) && number >= least && number <= most
    && (step === 'any' || (number - least) % step === 0);
  const what = step === 'any' ? 'a number' : step === 1 ? 'a whole number' : `a multiple of ${step}`;
  return isWithin ? '' : `${label}: takes ${what} from ${least} to ${most}, not '${text}'.`;
}

/** Settings out of a link; what it does not say, or says wrongly, is as by default. */
export function fromLink(link: string): Settings {
  return readLink(link).settings;
}

/** The same, and a sentence for each that it says wrongly. */
export function readLink(link: string): { settings: Settings; words: string } {
  const words: string[] = [];
  const given = new URLSearchParams(link);
  const settings: Record<string, unknown> = { ...DEFAULTS };
  for (const [name, byDefault] of Object.entries(DEFAULTS)) {
    const value = given.get(name);
    if (value === null) {
      continue;
    }
    if (typeof byDefault === 'number') {
      const sentence = wrong(name as Numbers, name, value);
      if (sentence === '') {
        settings[name] = Number(value);
      } else {
        words.push(`The link has ${sentence} ${byDefault} is used instead.`);
      }
    } else if (typeof byDefault === 'boolean' ? value === 'true' || value === 'false' : name !== 'renderer' || value === 'canvas' || value === 'table') {
      settings[name] = typeof byDefault === 'boolean' ? value === 'true' : value;
    } else {
      words.push(`The link has ${name}: takes ${typeof byDefault === 'boolean' ? 'true or false' : 'table or canvas'}, not '${value}'. ${byDefault} is used instead.`);
    }
  }
  for (const name of given.keys()) {
    if (name !== '' && !(name in DEFAULTS)) {
      words.push(`The link has '${name}', which is not a setting; it is ignored.`);
    }
  }
  return { settings: settings as unknown as Settings, words: words.join(' ') };
}

/** What of a link this server does not have becomes its first; told in words. */
export function fitting(settings: Settings, channels: string[], policies: string[]): { settings: Settings; words: string } {
  const words: string[] = [];
  const one = (what: string, wanted: string, all: string[]): string => {
    if (all.includes(wanted)) {
      return wanted;
    }
    words.push(`This console has no ${what} '${wanted}'; ${all[0]} is used instead.`);
    return all[0]!;
  };
  const channel = one('channel', settings.channel, channels);
  const conflation = one('conflation policy', settings.conflation, policies);
  return { settings: { ...settings, channel, conflation }, words: words.join(' ') };
}

/** Those that make another feed. */
export const FEED_KEYS = ['symbols', 'threads', 'sleepMs', 'rate', 'messageBytes'] as const;
/** Those that make another session. */
export const SESSION_KEYS = ['channel', 'maxFrequency', 'conflation', 'flushMs', 'guaranteed'] as const;
/** Those of the page alone. */
export const DISPLAY_KEYS = ['framesPerSecond', 'rendering', 'renderer', 'flash'] as const;

/** Whether any of these differ. */
export function differ<K extends keyof Settings>(keys: readonly K[], one: Pick<Settings, K>, other: Pick<Settings, K>): boolean {
  return keys.some((key) => one[key] !== other[key]);
}

/**
 * What may be on its way without acknowledgement: 60 ms of 800,000 messages a second. Less closes the window
 * whenever a page of that rate is late by a few frames; a hidden page is owed no more than this.
 */
const WINDOW = { windowFrames: '1024', windowBytes: '2M' };

/** The settings that the server has for a session. */
export function sessionQuery(settings: Settings): string {
  return new URLSearchParams({
    maxFrequency: String(settings.maxFrequency),
    conflation: settings.conflation,
    flush: `${settings.flushMs}ms`,
    guaranteed: String(settings.guaranteed),
    ...WINDOW,
  }).toString();
}

/** How the pace of the feed is shown: a rate, or what a sleep comes to at most. */
export function paceWords(settings: Pick<Settings, 'rate' | 'sleepMs' | 'threads'>): string {
  return settings.rate > 0 ? `${settings.rate}/s` : `sleep ${settings.sleepMs} ms`;
}

/** The most that the feed can make: a sleep is a gap after each send. */
export function askedPerSecond(settings: Pick<Settings, 'rate' | 'sleepMs' | 'threads'>): number {
  return settings.rate > 0
    ? settings.rate
    : settings.sleepMs > 0
      ? (settings.threads * 1000) / settings.sleepMs
      : Number.POSITIVE_INFINITY;
}
