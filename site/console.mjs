// Puts the console's page of runs into the site, with one run to replay: `node console.mjs ROOT PAGES RESULT_FOLDER`.
// The console itself serves the run once; what it answers goes into files, which the page then reads instead.
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'

const [root, pages, result] = process.argv.slice(2)
const base = `${process.env.SITE_BASE ?? '/'}console/`
const home = join(pages, 'public/console')
const LONGEST_START_MS = 60_000

mkdirSync(home, { recursive: true })
const runs = mkdtempSync(join(tmpdir(), 'tickmark-site-'))
cpSync(result, join(runs, basename(resolve(result))), { recursive: true })
const server = spawn(join(root, 'tickmark'), ['console', '--port', '0', '--results', runs],
  { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, TICKMARK_BUILD: 'never' } })
try {
  const address = await addressOf(server)
  const ask = async path => {
    const answer = await fetch(new URL(path, address), { headers: { authorization: `Bearer ${address.searchParams.get('token')}` } })
    if (!answer.ok) throw new Error(`the console answers ${answer.status} to ${path}.`)
    return answer.json()
  }
  const [entry] = await ask('/api/runs')
  const lines = []
  let part = { next: 0 }
  for (let from = -1; from !== part.next;) {
    from = part.next
    part = await ask(`/api/run-lines?run=${encodeURIComponent(entry.id)}&from=${from}`)
    lines.push(...part.lines)
  }
  writeFileSync(join(home, 'runs.json'), JSON.stringify([entry]))
  writeFileSync(join(home, 'lines.json'), JSON.stringify({ ...part, lines }))
  layOutThePage(entry, part)
} catch (e) {
  console.error(`site: ${e.message}`)
  process.exitCode = 1
} finally {
  server.kill('SIGINT')
  rmSync(runs, { recursive: true, force: true })
}

function addressOf(server) {
  return new Promise((found, failed) => {
    let said = ''
    const late = setTimeout(() => failed(new Error('the console did not start within a minute.')), LONGEST_START_MS)
    server.stdout.on('data', text => {
      said += text
      const address = said.match(/http:\/\/\S+token=\S+/)
      if (address) {
        clearTimeout(late)
        found(new URL(address[0]))
      }
    })
    server.on('exit', code => failed(new Error(`the console ended with exit code ${code} before it said its address.`)))
  })
}

/** Its files name each other from the root of a server; here they lie in a folder. */
function layOutThePage(entry, part) {
  const built = join(root, 'console/target/page/io/tickmark/console/page')
  for (const name of readdirSync(built, { recursive: true })) {
    if (statSync(join(built, name)).isDirectory() || name.endsWith('.gz') || name === 'index.html') continue
    const to = join(home, name)
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, /\.(html|js|css|webmanifest)$/.test(name) ? moved(readFileSync(join(built, name), 'utf8')) : readFileSync(join(built, name)))
  }
  const page = join(home, 'runs.html')
  writeFileSync(page, readFileSync(page, 'utf8').replace('<script', `<script>${shim(entry.id, part)}</script>\n    <script`))
}

function moved(text) {
  return text
    .replace(/(["'`(])\/(assets\/|icon\.svg|runs\.html|console\.webmanifest)/g, `$1${base}$2`)
    .replace('return`/`+', `return\`${base}\`+`)
    .replace(/href:`\/`/g, `href:\`${base}runs.html\``)
}

/** There is no server: what it would answer lies beside the page, and this run is chosen at once. */
function shim(id, part) {
  const rest = JSON.stringify({ ...part, lines: [] })
  return `location.hash ||= ${JSON.stringify(encodeURIComponent(id))};
    const ask = window.fetch.bind(window);
    window.fetch = (to, ...more) => {
      const [path, query] = String(to).split('?');
      if (path === '/api/runs') return ask('${base}runs.json');
      if (path !== '/api/run-lines') return ask(to, ...more);
      return new URLSearchParams(query).get('from') === '0' ? ask('${base}lines.json') : Promise.resolve(new Response(${JSON.stringify(rest)}));
    };`
}
