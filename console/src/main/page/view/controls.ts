import type { ChannelInfo, PolicyInfo } from '../api';
import { HELP } from '../help';
import { askedPerSecond, BOUNDS, FEED_KEYS, wrong, type Settings } from '../settings';
import { count } from './format';
import { h } from './dom';
import { limitView, type LimitView } from './limit';

type Key = keyof Settings;

/** What an empty entry stands for, where one may be empty. */
const NOTHING: Partial<Record<Key, string>> = {
  framesPerSecond: "display's", p99LimitMs: 'none', screenLimitMs: 'none', lateLimitPercent: 'none',
};

export interface Controls {
  element: HTMLElement;
  show(settings: Settings): void;
  setRunning(isRunning: boolean, isBusy: boolean): void;
  /** Of how many; 0 left: none goes on. */
  setBenchmark(secondsLeft: number, of?: number): void;
  setSearch: LimitView['show'];
  /** Where prices come from: what others send cannot be set here. */
  setSource(source: string, isChannel: boolean): void;
}

export interface Wishes {
  changed(settings: Settings): void;
  toggle(): void;
  benchmark(seconds: number): void;
  /** Begins the search for the highest rate, or ends it. */
  findLimit(): void;
}

/** The panel of everything that can be set, each with a sentence that explains it. */
export function controls(
  initial: Settings, channels: ChannelInfo[], policies: PolicyInfo[], wishes: Wishes,
): Controls {
  let settings = { ...initial };
  const inputs = new Map<Key, HTMLInputElement | HTMLSelectElement>();
  const refusals = new Map<Key, HTMLElement>();
  const made = h('p', { class: 'derived', id: 'derived' });
  const policyHelp = h('span');
  let source = 'generator';
  let isChannel = false;
  let isRunning = false;
  let isBusy = false;
  let secondsLeft = 0;
  let isSearching = false;
  /** Whether the feed runs is known. */
  let isKnown = false;

  function change(key: Key, value: Settings[Key]): void {
    settings = { ...settings, [key]: value };
    derive();
    wishes.changed(settings);
  }

  function shown(key: Key): string {
    return key in NOTHING && settings[key] === 0 ? '' : String(settings[key]);
  }

  function derive(): void {
    const total = askedPerSecond(settings);
    made.textContent = Number.isFinite(total)
      ? `${settings.rate > 0 ? '' : 'at most '}${count(total)} messages/s, ${(total / settings.symbols).toPrecision(3)} per symbol`
      : 'as many messages as the thread can make';
    const isFile = source !== 'generator' && !isChannel;
    if (isChannel) {
      made.textContent = `Prices come from ${source}: their rate is set where they are sent.`;
    } else if (isFile) {
      made.textContent = `${made.textContent}. Prices come from ${source}, over and over; it brings its own symbols.`;
    }
    for (const key of FEED_KEYS) {
      inputs.get(key)!.disabled = isChannel || (key === 'sleepMs' && settings.rate > 0) || (key === 'symbols' && isFile);
    }
    policyHelp.textContent = policies.find((each) => each.name === settings.conflation)?.summary ?? '';
  }

  /** What is typed stays to be mended, and what was set before holds. */
  function refuse(input: HTMLElement, refusal: HTMLElement, sentence: string): void {
    refusal.hidden = sentence === '';
    refusal.textContent = sentence === '' ? '' : `${sentence} The setting stays as it was.`;
    input.setAttribute('aria-invalid', String(sentence !== ''));
  }

  function field(label: string, help: string, input: HTMLElement, unit = ''): HTMLElement {
    const id = `set-${inputs.size}`;
    input.id = id;
    input.setAttribute('aria-describedby', `${id}-help`);
    return h('div', { class: 'field' },
      h('label', { for: id }, label),
      h('span', { class: 'entry' }, input, unit ? h('span', { class: 'unit' }, unit) : undefined),
      h('p', { class: 'help', id: `${id}-help` }, help, input === inputs.get('conflation') ? ' ' : undefined,
        input === inputs.get('conflation') ? policyHelp : undefined));
  }

  function number(key: keyof typeof BOUNDS, label: string, help: string, unit = ''): HTMLElement {
    const [min, max, step] = BOUNDS[key];
    const refusal = h('p', { class: 'refusal', role: 'alert', hidden: true });
    const input = h('input', { type: 'number', min, max, step, value: shown(key), inputmode: 'decimal', placeholder: NOTHING[key] });
    input.addEventListener('change', () => {
      // an entry that the browser takes for no number has no value either
      const isNothing = key in NOTHING && input.value === '' && !input.validity?.badInput;
      const sentence = isNothing ? '' : wrong(key, label, input.value);
      refuse(input, refusal, sentence);
      if (sentence === '') {
        change(key, isNothing ? 0 : Number(input.value));
        input.value = shown(key);
      }
    });
    inputs.set(key, input);
    refusals.set(key, refusal);
    const row = field(label, help, input, unit);
    row.append(refusal);
    return row;
  }

  function choice(key: Key, label: string, help: string, options: [string, string][]): HTMLElement {
    const input = h('select', {},
      options.map(([value, title]) => h('option', { value, selected: String(settings[key]) === value }, title)));
    input.addEventListener('change', () =>
      change(key, typeof settings[key] === 'number' ? Number(input.value) : input.value));
    inputs.set(key, input);
    return field(label, help, input);
  }

  function check(key: Key, label: string, help: string): HTMLElement {
    const input = h('input', { type: 'checkbox', checked: settings[key] === true });
    input.addEventListener('change', () => change(key, input.checked));
    inputs.set(key, input);
    const row = field(label, help, input);
    row.classList.add('check');
    return row;
  }

  // on a phone the prices come first; nothing can be pressed before it is known whether the feed runs
  const open = matchMedia('(min-width: 801px)').matches;
  const start = h('button', { type: 'button', class: 'primary', disabled: true, click: () => wishes.toggle() }, 'Start feed');
  const seconds = h('select', { 'aria-label': 'Length of the benchmark' },
    ['60', '30', '10', '5'].map((each) => h('option', { value: each }, each === '60' ? '1 minute' : `${each} s`)));
  const run = h('button', {
    type: 'button', class: 'primary outline', disabled: true, click: () => wishes.benchmark(Number(seconds.value)),
  }, 'Run Benchmark');
  const progress = h('progress', { max: 1, value: 0, 'aria-label': 'Progress of the benchmark', hidden: true });
  const limit = limitView(() => wishes.findLimit());
  const help = h('button', { type: 'button', class: 'plain', 'aria-pressed': 'false' }, 'Explain');

  const element = h('aside', { class: 'controls', 'aria-label': 'Controls' },
    h('div', { class: 'actions' }, start, h('span', { class: 'bench' }, run, seconds), progress, limit.button, limit.element, help),
    h('details', { class: 'group', open },
      h('summary', {}, 'Server throughput'),
      number('symbols', 'Symbols', HELP.symbols),
      number('threads', 'Threads', HELP.threads),
      number('sleepMs', 'Sleep', HELP.sleep, 'ms'),
      number('rate', 'Rate instead', HELP.rate, 'msg/s'),
      made,
      number('messageBytes', 'Message size', HELP.messageBytes, 'bytes')),
    h('details', { class: 'group', open },
      h('summary', {}, 'Client subscription'),
      choice('channel', 'Channel', HELP.channel, channels.map((each) => [each.name, each.title])),
      number('maxFrequency', 'Max frequency', HELP.maxFrequency, '/s'),
      choice('conflation', 'Conflation', HELP.conflation, policies.map((each) => [each.name, each.name])),
      number('flushMs', 'Flush interval', HELP.flush, 'ms'),
      check('guaranteed', 'Guaranteed', HELP.guaranteed)),
    h('details', { class: 'group', open },
      h('summary', {}, 'Display'),
      check('rendering', 'Rendering', HELP.rendering),
      choice('renderer', 'Renderer', HELP.renderer, [['table', 'Table'], ['canvas', 'Tiles (canvas)']]),
      number('framesPerSecond', 'Frame rate', HELP.framesPerSecond, '/s'),
      check('flash', 'Flash', HELP.flash)),
    h('details', { class: 'group', open },
      h('summary', {}, 'Thresholds'),
      number('p99LimitMs', 'p99 at most', HELP.p99Limit, 'ms'),
      number('screenLimitMs', 'p99 to screen', HELP.screenLimit, 'ms'),
      number('lateLimitPercent', 'Frames late', HELP.lateLimit, '%')));

  /** One benchmark at a time, of a feed that runs; a search runs it by itself, where it can be set here. */
  function allow(): void {
    run.disabled = secondsLeft > 0 || isSearching || !isRunning || isBusy;
    seconds.disabled = secondsLeft > 0 || isSearching;
    limit.allow(secondsLeft === 0 && !isChannel && isKnown);
  }

  help.addEventListener('click', () => {
    const isOn = document.body.classList.toggle('explained');
    help.setAttribute('aria-pressed', String(isOn));
  });
  derive();

  return {
    element,
    show: (next) => {
      settings = { ...next };
      inputs.forEach((input, key) => {
        if (input instanceof HTMLInputElement && input.type === 'checkbox') {
          input.checked = settings[key] === true;
        } else {
          input.value = shown(key);
        }
        const refusal = refusals.get(key);
        if (refusal) {
          refuse(input, refusal, '');
        }
      });
      derive();
    },
    setRunning: (nowRunning, nowBusy) => {
      isRunning = nowRunning;
      isBusy = nowBusy;
      isKnown = true;
      start.textContent = isRunning ? 'Stop feed' : 'Start feed';
      start.classList.toggle('outline', isRunning);
      start.disabled = isBusy;
      run.classList.toggle('outline', !isRunning);
      allow();
    },
    setSource: (next, isOne) => {
      if (source !== next || isChannel !== isOne) {
        source = next;
        isChannel = isOne;
        derive();
        allow();
      }
    },
    setSearch: (progress) => {
      isSearching = !progress.isOver;
      limit.show(progress);
      allow();
    },
    setBenchmark: (left, whole = Number(seconds.value)) => {
      secondsLeft = left;
      progress.hidden = left <= 0;
      progress.value = left <= 0 ? 0 : 1 - left / whole;
      run.textContent = left > 0 ? `${Math.ceil(left)} s left` : 'Run Benchmark';
      allow();
    },
  };
}
