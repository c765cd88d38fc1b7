// What leads to the pages of the site; `stage.mjs` refuses links to pages that are not there.

/** Links of the side bar: [page, words]. */
function links(...of) {
  return of.map(([page, text]) => ({ text, link: `/docs/${page}` }))
}

export const nav = [
  { text: 'Start', link: '/docs/quick' },
  { text: 'Results', link: '/results' },
  { text: 'Commands', link: '/docs/#all-commands' },
  { text: 'Changes', link: '/CHANGELOG' },
]

export const sidebar = [
  {
    text: 'Start',
    items: [{ text: 'What it is', link: '/' }, ...links(['installing', 'Installing'], ['quick', 'In a minute'], ['run', 'A first run'],
      ['report', 'Reading the report'], ['comparing', 'Better or worse?'])],
  },
  {
    text: 'Measure',
    items: links(['latency', 'Latency'], ['stream', 'Streams'], ['socket', 'Bare sockets'], ['stores', 'Stores'], ['search', 'Highest rate'],
      ['burst', 'Bursts and loss'], ['dds', 'DDS'], ['market', 'Market data'], ['fix', 'FIX fan-out'], ['feed', 'Price feeds'],
      ['console', 'In a browser'], ['wire', 'On the wire'], ['engines', 'Engines']),
  },
  {
    text: 'The machine',
    items: links(['doctor', 'Doctor'], ['jitter', 'Jitter'], ['cores', 'Cores'], ['calibrate', 'Calibrate']),
  },
  {
    text: 'Many machines, many runs',
    items: links(['hosts', 'Hosts'], ['kubernetes', 'Kubernetes'], ['history', 'History'], ['live', 'Live']),
  },
  {
    text: 'Market data in detail',
    items: links(['market-consumer', 'Consumer'], ['market-provider', 'Provider'], ['market-publisher', 'Publisher'],
      ['market-hub', 'Hub'], ['market-transport', 'Transport'], ['market-files', 'Files']),
  },
  {
    text: 'Reference',
    items: [...links(['', 'All pages and commands'], ['plans', 'Plans'], ['result-format', 'Results'], ['measuring', 'How figures are made'],
      ['performance', 'What the bench costs'],
      ['first-screens', 'First screens']), { text: 'Sample plans', link: '/samples/' }],
  },
  {
    text: 'Coming from',
    items: links(['coming-from/connext-latency-test', 'Connext latency test'], ['coming-from/ema-performance-tools', 'EMA tools'],
      ['coming-from/lcds-performance-console', 'LCDS console'], ['coming-from/fix-antenna-fan-out', 'FIX Antenna fan-out'],
      ['coming-from/um-perf', 'um_perf'], ['coming-from/openmessaging-benchmark', 'OpenMessaging Benchmark']),
  },
  {
    text: 'Extend',
    items: [...links(['plugins', 'Plug-ins'], ['migrating', 'Migrating']), { text: 'Architecture', link: '/ARCHITECTURE' },
      { text: 'Contributing', link: '/CONTRIBUTING' }],
  },
]
