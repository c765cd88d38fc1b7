// Lays out the pages of the site: `node stage.mjs ROOT PAGES [RESULT_FOLDER...]`.
//
// Pages keep their places, so that their links hold. What else they link to (plans, samples, schemas) is copied into
// `files/`; a folder becomes a page that shows its files. A link to something that is not there, or to a heading that a
// page does not have, ends the build, with page and line; links to other hosts are only counted. Each result folder becomes
// a report to look into, and a part of the page of results.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join, normalize, relative } from 'node:path'

import { nav, sidebar } from './.vitepress/nav.mjs'

const [root, pages, ...results] = process.argv.slice(2)
const base = process.env.SITE_BASE ?? '/'
const LONGEST_SHOWN_BYTES = 64 * 1024

/** The first that a row has is shown: what users feel before what the engine alone takes. */
const LATENCIES = [
  ['responseNs', 'response time'], ['roundTripNs', 'round trip'], ['serviceNs', 'service time'], ['oneWayNs', 'one way'],
]

const HEAD = [
  '| test | channel | bytes | rate/s | latency | p50 | p99 | p99.9 | lost | no echo |',
  '|---|---|---:|---:|---|---:|---:|---:|---:|---:|',
]

const sources = [
  'README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'samples/README.md', 'samples/ci/README.md',
  ...markdownIn('docs'),
].filter(page => existsSync(join(root, page)))
const made = new Set()
const anchors = new Map()
const broken = []
const elsewhere = new Set()
let isReplayed = false

process.on('uncaughtException', e => {
  console.error(`site: ${e.message}`)
  process.exit(1)
})
rmSync(pages, { recursive: true, force: true })
for (const page of sources) {
  write(page, forSite(page, readFileSync(join(root, page), 'utf8')))
}
if (existsSync(join(root, 'docs/images'))) {
  cpSync(join(root, 'docs/images'), join(pages, 'docs/images'), { recursive: true })
}
writeResults()
linksOf([...nav, ...sidebar]).forEach(checkBar)
if (broken.length > 0) {
  console.error(broken.map(link => `site: ${link}`).join('\n'))
  process.exit(1)
}
if (elsewhere.size > 0) {
  console.error(`site: links to other hosts are not checked; the pages have ${elsewhere.size}.`)
}
if (results.length > 0 && !isReplayed) {
  console.error('site: no run given has a live.jsonl, so the page of results replays none in the console.')
}

function linksOf(entries) {
  return entries.flatMap(entry => [...(entry.link ? [entry] : []), ...linksOf(entry.items ?? [])])
}

function checkBar({ text, link }) {
  const wrong = wrongFromRoot(link)
  if (wrong) broken.push(`site/.vitepress/nav.mjs: '${text}' leads to ${link}, and ${wrong}`)
}

/** What is wrong with a link that begins with `/`. It names a page as the site has it: `/docs/` is `docs/README.md`. */
function wrongFromRoot(link) {
  const [path, anchor] = link.split('#')
  if (path === '/results') return ''
  const page = path.endsWith('/') ? `${path.slice(1)}README.md` : `${path.slice(1).replace(/[.](md|html)$/, '')}.md`
  if (!sources.includes(page)) return `there is no ${page}.`
  return anchor && !anchorsOf(page).has(decodeURIComponent(anchor)) ? `${page} has no heading #${anchor}.` : ''
}

function markdownIn(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry =>
    entry.isDirectory() ? markdownIn(join(folder, entry.name))
      : entry.name.endsWith('.md') ? [join(folder, entry.name)] : [])
}

function write(path, text) {
  const file = join(pages, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** A page as the site needs it: its links, and its braces; code blocks stay as they are. */
function forSite(page, text) {
  let isCode = false
  return text.split('\n').map((line, at) => {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode
    if (isCode) return line
    // braces of prose are no template; those in code are left alone, see config.mts
    const plain = line.split('`').map((part, i) => i % 2 ? part : part.replaceAll('{{', '&#123;&#123;')).join('`')
    // code shows links, and has none
    const prose = line.replace(/`[^`]*`/g, '')
    for (const [address] of prose.matchAll(/https?:\/\/[^\s<>()[\]"']+/gi)) elsewhere.add(address)
    for (const [, to] of prose.matchAll(/<[a-z][^>]*\s(?:href|src)\s*=\s*["']([^"']+)["']/gi)) {
      checkHtml(page, at + 1, to)
    }
    return plain
      .replace(/\]\(([^)\s]+)(\s+(?:"[^"]*"|'[^']*'))?\)/g,
        (_, to, title = '') => `](${placed(page, at + 1, to)}${title})`)
      // what a link by reference stands for; a note at the foot of the page is none
      .replace(/^( {0,3}\[(?!\^)[^\]]+\]:\s*<?)([^\s<>]+)/, (_, name, to) => name + placed(page, at + 1, to))
  }).join('\n')
}

function isElsewhere(to) {
  return /^([a-z]+:|\/\/)/i.test(to)
}

/** Nothing rewrites what is written in HTML: it names what the site has. */
function checkHtml(page, line, to) {
  if (isElsewhere(to)) return
  if (to.startsWith('/')) {
    broken.push(`${page}:${line}: ${to} is written in HTML and would miss the site's base; write it relative to the page.`)
  } else {
    target(page, line, to.replace(/[.]html(?=#|$)/, '.md'), to)
  }
}

/** What a link in Markdown becomes. */
function placed(page, line, to) {
  if (isElsewhere(to)) return to
  if (!to.startsWith('/')) return target(page, line, to)
  const wrong = wrongFromRoot(to)
  if (wrong) broken.push(`${page}:${line}: ${to}: ${wrong}`)
  return to
}

/** What a link becomes that is relative to its page; `shown` is how the page has it. */
function target(page, line, to, shown = to) {
  const [path, anchor] = to.split('#')
  const file = path === '' ? page : normalize(join(dirname(page), path)).replace(/\/$/, '')
  const hash = anchor ? '#' + anchor : ''
  if (file.startsWith('..') || !existsSync(join(root, file))) {
    broken.push(`${page}:${line}: there is no ${shown}.`)
    return to
  }
  if (sources.includes(file)) {
    if (anchor && !anchorsOf(file).has(decodeURIComponent(anchor))) {
      broken.push(`${page}:${line}: ${file} has no heading #${anchor}.`)
    }
    return to
  }
  if (file.startsWith('docs/images/')) return to
  if (statSync(join(root, file)).isDirectory()) {
    const readme = join(file, 'README.md')
    return relative(dirname(page), sources.includes(readme) ? readme : folderPage(file)) + hash
  }
  if (statSync(join(root, file)).size <= LONGEST_SHOWN_BYTES) return relative(dirname(page), filePage(file)) + hash
  const copy = join('public/files', file)
  mkdirSync(dirname(join(pages, copy)), { recursive: true })
  cpSync(join(root, file), join(pages, copy))
  return `/files/${file}${hash}`
}

/** The names by which links reach the headings of a page, and what it names in HTML. */
function anchorsOf(page) {
  if (!anchors.has(page)) {
    const all = new Set()
    let isCode = false
    for (const line of readFileSync(join(root, page), 'utf8').split('\n')) {
      if (/^\s*(```|~~~)/.test(line)) isCode = !isCode
      const heading = !isCode && /^#{1,6}\s+(.*?)\s*#*$/.exec(line)
      if (heading) {
        const own = anchorOf(heading[1])
        let name = own
        for (let again = 1; all.has(name); again++) name = `${own}-${again}`
        all.add(name)
      }
      for (const [, id] of isCode ? [] : line.matchAll(/<[a-z][^>]*\s(?:id|name)="([^"]+)"/gi)) all.add(id)
    }
    anchors.set(page, all)
  }
  return anchors.get(page)
}

/** As the generator names a heading: its text in lower case, hyphens for all between letters and digits. */
function anchorOf(heading) {
  const own = /\{#([\w-]+)\}$/.exec(heading)
  if (own) return own[1]
  return heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]*>/g, '')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'\u201c\u201d\u2018\u2019<>,.?/]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .replace(/^(\d)/, '_$1')
    .toLowerCase()
}

function folderPage(folder) {
  const page = `files/${folder}.md`
  if (!made.has(page)) {
    made.add(page)
    const opening = "Read the files of this folder as they are in tickmark's source, or copy them."
    write(page, [`# ${folder}`, opening, ...filesIn(folder).map(shown)].join('\n\n') + '\n')
  }
  return page
}

function filePage(file) {
  const page = `files/${file}.md`
  if (!made.has(page)) {
    made.add(page)
    write(page, `# ${file}\n\nRead this file as it is in tickmark's source, or copy it.\n\n${code(file)}\n`)
  }
  return page
}

function filesIn(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry =>
    entry.isDirectory() ? filesIn(join(folder, entry.name)) : [join(folder, entry.name)])
}

function shown(file) {
  return `## ${basename(file)}\n\n${code(file)}`
}

function code(file) {
  const size = statSync(join(root, file)).size
  const kind = { '.java': 'java', '.yaml': 'yaml', '.yml': 'yaml', '.py': 'python', '.json': 'json' }[extname(file)] ?? 'text'
  const text = size > LONGEST_SHOWN_BYTES ? `${size} bytes` : readFileSync(join(root, file), 'utf8').trimEnd()
  return `~~~~${kind}\n${text}\n~~~~`
}

/** The page of results: whose machine, which build, which plan; the report below each. */
function writeResults() {
  const parts = results.map((folder, at) => result(folder, at))
  write('results.md', [
    '---\naside: false\npageClass: wide\n---',
    '# Results',
    'See what a run leaves, and from which machine, build and plan each figure came. The tables that compare the '
      + 'bench with other programs are on the page [Performance](docs/performance.md), each with its machine, commit and command '
      + 'above it; a few older ones name only the commit that brought their figures.',
    ...(parts.length > 0 ? parts : ['No run was given when this site was made.']),
    ...(parts.length > 0 && !isReplayed
      ? ['None of these runs has a `live.jsonl`, from which the console would replay it here.'] : []),
  ].join('\n\n') + '\n')
}

function result(folder, at) {
  const result = readJson(join(folder, 'result.json'))
  const report = join(folder, 'report.html')
  if (!existsSync(report)) {
    throw new Error(`${folder} has no report.html: './tickmark report ${folder}' writes it.`)
  }
  const name = `${at + 1}-${slug(result.plan)}`
  const home = join(pages, 'public/runs', name)
  mkdirSync(home, { recursive: true })
  for (const file of ['report.html', 'result.json', 'plan.yaml']) {
    if (existsSync(join(folder, file))) cpSync(join(folder, file), join(home, file))
  }
  const plan = existsSync(join(home, 'plan.yaml')) ? `[plan.yaml](/runs/${name}/plan.yaml)` : 'not kept'
  const { cpu = {}, kernel = {}, jvm = {}, libraries = {} } = result.environment ?? {}
  const measured = result.trials.filter(trial => trial.verdict !== 'void')
  const rows = result.aggregates.map(row => {
    const figure = key => row.figures[key]?.median
    // what a minority of the repeats lost is not in a median
    const sum = (key, of) => figure(key) === undefined ? ''
      : measured.filter(trial => rowOf(trial) === rowOf(row)).reduce((all, trial) => all + of(trial), 0)
    const kind = LATENCIES.find(([key]) => figure(`${key}.p50`) !== undefined)
    const times = ['p50', 'p99', 'p999'].map(p => time(kind && figure(`${kind[0]}.${p}`)))
    return `| ${cell(row.test)} | ${cell(row.channel)} | ${row.payloadBytes} | `
      + `${rate(figure('echoedRatePerSecond') ?? figure('achievedRatePerSecond'))} | ${kind ? kind[1] : ''} | `
      + `${times.join(' | ')} | ${sum('lost', trial => trial.lost)} | `
      + `${sum('notEchoed', trial => trial.counts.timedOut ?? 0)} |`
  })
  // nothing of these is in the aggregates
  const known = new Set(measured.map(rowOf))
  for (const trial of result.trials) {
    if (known.has(rowOf(trial))) continue
    known.add(rowOf(trial))
    rows.push(`| ${cell(trial.test)} | ${cell(trial.channel)} | ${trial.payloadBytes} |  | void |  |  |  |  |  |`)
  }
  return [
    `## ${cell(result.plan)}, ${result.startedAt.slice(0, 10)}`,
    `- machine: ${cell(cpu.model ?? 'unknown processor')}, ${cpu.logicalCores ?? '?'} cores, Linux `
      + `${cell((kernel.release ?? '?').replace(/-.*/, ''))}, Java ${cell(jvm.version ?? '?')}\n`
      + `- build: tickmark ${cell(libraries.tickmark ?? `${result.tickmark}, commit unknown`)}\n`
      + `- plan: ${plan}; everything: [result.json](/runs/${name}/result.json)\n`
      + [
        ...(result.answer ? [`- answer: ${cell(result.answer.headline)}`] : []),
        // as on the terminal
        ...(result.answer && result.verdict === 'pass' ? [] : [`- verdict: ${cell(result.verdict)}`]),
      ].join('\n'),
    ...(rows.length > 0 ? [[...HEAD, ...rows].join('\n')] : []),
    `<iframe src="${base}runs/${name}/report.html" title="Report of ${cell(result.plan)}" class="report"></iframe>`,
    `[The report by itself](/runs/${name}/report.html)`,
    ...(isKeptBySecond(folder) && !isReplayed ? replay() : []),
  ].join('\n\n')
}

/** Repeats of the same have the same name. */
function rowOf({ test, channel, step }) {
  return JSON.stringify([test, channel, step])
}

/** As `deploy/site` chooses the run that it hands to `console.mjs`. */
function isKeptBySecond(folder) {
  const file = join(folder, 'live.jsonl')
  return existsSync(file) && statSync(file).size > 0
}

/** The console shows one run second by second; `console.mjs` puts it there. */
function replay() {
  isReplayed = true
  return [
    `The same run in the console, as it went: press *Play*.`,
    `<iframe src="${base}console/runs.html" title="The run in the console" class="report"></iframe>`,
  ]
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (e) {
    throw new Error(`${file} cannot be read as the result of a run: ${e.message}`)
  }
}

function slug(text) {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-')
}

/** Text of a run is text, and no markup. */
function cell(text) {
  return String(text).replace(/[&<>"|{}`*_[\]\\]/g, c => `&#${c.charCodeAt(0)};`)
}

function rate(perSecond) {
  return perSecond === undefined ? '' : Math.round(perSecond).toLocaleString('en')
}

function time(ns) {
  if (ns === undefined) return ''
  const [unit, oneNs] = [['ns', 1], ['us', 1e3], ['ms', 1e6]].find(([, each]) => ns < 999.5 * each) ?? ['s', 1e9]
  const value = ns / oneNs
  return `${value < 100 && oneNs > 1 ? value.toPrecision(3) : Math.round(value)} ${unit}`
}
