// Installs what package-lock.json names, once, then runs a command with Node 24 first on PATH.
//   node .node/run.mjs vitest run
// It is plain JavaScript without dependencies because the machine's own, older Node has to run it.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { fileURLToPath } from 'node:url'

const NEEDED = [24, 11]
const PARENT_CHECK_MS = 500
const LOCK_CHECK_MS = 200
const LOCK_TIMEOUT_MS = 10 * 60_000

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const windows = process.platform === 'win32'
const lockfile = join(root, 'package-lock.json')
const stamp = join(root, 'node_modules', '.installed')
const npmsRecord = join(root, 'node_modules', '.package-lock.json')
const lock = join(root, '.node', 'installing.pid')

if (!isInstalled()) await alone(installOnce)
const path = [ownNode(), join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
// What Node has compiled once it need not compile again, which takes a quarter off the time to start.
const compiled = process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'compiled')
const environment = { ...process.env, PATH: path, NODE_COMPILE_CACHE: compiled }
refuseOldNode()
const [command = 'node', ...rest] = process.argv.slice(2)
const { code, signal } = await run(command, rest, { env: environment, shell: windows })
if (signal !== null) process.kill(process.pid, signal)
else process.exitCode = code

/** The stamp goes with node_modules when npm starts over, and comes last: half an installation has none. */
function isInstalled() {
  return (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted()) || isInstalledByHand()
}

function wanted() {
  const hash = createHash('sha256').update(readFileSync(lockfile)).digest('hex')
  return `${hash} ${process.platform}-${process.arch}`
}

/** Somebody ran npm themselves: it writes down last what is there, which has to be all that is named for this machine. */
function isInstalledByHand() {
  try {
    const [there, named] = [npmsRecord, lockfile].map((file) => JSON.parse(readFileSync(file, 'utf8')).packages)
    const same = ({ version, integrity }, other) => version === other?.version && integrity === other?.integrity
    return (
      Object.keys(there).every((path) => same(there[path], named[path])) &&
      Object.keys(named).every((path) => path === '' || path in there || !isNeededHere(named[path]))
    )
  } catch {
    return false // no record, or half of one
  }
}

/** What is optional is for some machines only, and where it says so by more than the system, npm knows better than this. */
function isNeededHere({ optional, os, cpu, libc }) {
  const fits = [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch)
  return !optional || (fits && libc === undefined)
}

/** Two commands at once: one installs, the other waits for it. A lock whose process is gone is taken over. */
async function alone(work) {
  for (let waitedMs = 0; !takeLock(); waitedMs += LOCK_CHECK_MS) {
    if (waitedMs === 0) console.error('Another command is installing the packages: waiting for it …')
    if (waitedMs >= LOCK_TIMEOUT_MS) fail(`It takes too long. If nothing is being installed, delete ${lock}.`)
    await sleep(LOCK_CHECK_MS)
  }
  const unlock = () => rmSync(lock, { force: true })
  process.on('exit', unlock)
  await work()
  process.off('exit', unlock)
  unlock()
}

function takeLock() {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') fail(`${lock} cannot be written: ${error.message}`)
    dropDeadLock()
    return false
  }
}

function dropDeadLock() {
  const mine = `${lock}.${process.pid}`
  try {
    if (isAlive(readFileSync(lock, 'utf8'))) return
    renameSync(lock, mine)
    // Somebody may have been faster and have a lock of their own there by now: it goes back.
    if (isAlive(readFileSync(mine, 'utf8'))) renameSync(mine, lock)
    else rmSync(mine)
  } catch (error) {
    if (error.code !== 'ENOENT') fail(`${lock} cannot be read: ${error.message}`)
  }
}

function isAlive(pid) {
  if (pid === '') return true // made a moment ago, and about to be filled in
  try {
    return process.kill(Number(pid), 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

async function installOnce() {
  if (isInstalled()) return
  console.error('Installing the packages of package-lock.json (once) …')
  const args = ['ci', '--include=dev', '--include=optional', '--loglevel=error', '--no-audit', '--no-fund']
  const npm = process.env.npm_execpath // set by `npm run`
  // Standard output belongs to the command: a hook of the Slack CLI answers there.
  const stdio = ['inherit', 2, 'inherit']
  const ended = npm
    ? await run(process.execPath, [npm, ...args], { stdio })
    : await run('npm', args, { stdio, shell: windows })
  if (ended.code !== 0)
    fail('The packages could not be installed; npm says above why. Nothing was started.', ended.code)
  writeFileSync(stamp, wanted())
}

/** npm 10 installs the package without a link in .bin, so its own folder is named. */
function ownNode() {
  return join(root, 'node_modules', `node-${windows ? 'win' : process.platform}-${process.arch}`, 'bin')
}

function refuseOldNode() {
  const { stdout } = spawnSync('node', ['-p', 'process.versions.node'], { env: environment, encoding: 'utf8' })
  const found = stdout?.trim() ?? ''
  const [major = 0, minor = 0] = found.split('.').map(Number)
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return
  fail(`CDN Ops needs Node ${NEEDED.join('.')} or newer; found ${found || 'none'}. Install Node 24 and run this again.`)
}

/** Runs a program to its end, passing signals on, and tells how it ended. */
function run(program, args, options) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', ...options })
    // Ctrl-C in a terminal reaches the child by itself: passed on, it would be the second signal, which ends it at once.
    // Whoever starts this may have taken its standard input away, as the Slack CLI does.
    const isInTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor))
    const passOn = (name) => (name === 'SIGINT' && isInTerminal) || child.kill(name)
    const names = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const name of names) process.on(name, passOn)
    // npm does not pass a signal on through the shell it starts: stop with the parent rather than stay behind.
    const parent = process.ppid
    const watch = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(watch)
      child.kill('SIGTERM')
    }, PARENT_CHECK_MS)
    child.on('error', (error) => fail(`${program} could not be started: ${error.message}`))
    child.on('exit', (exitCode, exitSignal) => {
      clearInterval(watch)
      for (const name of names) process.off(name, passOn)
      resolve({ code: exitCode ?? 1, signal: exitSignal })
    })
  })
}

function fail(sentence, exitCode = 1) {
  console.error(sentence)
  process.exit(exitCode)
}
