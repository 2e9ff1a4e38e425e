// Installs what package-lock.json names, once, then runs a command with Node 24 first on PATH.
//   node .node/run.mjs vitest run
// It is plain JavaScript without dependencies because the machine's own, older Node has to run it.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NEEDED = [24, 11]
const PARENT_CHECK_MS = 500

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const windows = process.platform === 'win32'
const bin = join(root, 'node_modules', '.bin')

installOnce()
const env = { ...process.env, PATH: [ownNode(), bin, process.env.PATH].join(delimiter) }
refuseOldNode(env)
run(process.argv.slice(2), env)

/** Installs when the lockfile is not the one that was installed last. */
function installOnce() {
  const stamp = join(root, 'node_modules', '.installed')
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.error('Installing the packages of package-lock.json (once) …')
  const args = ['ci', '--include=dev', '--include=optional', '--loglevel=error', '--no-audit', '--no-fund']
  const npm = process.env.npm_execpath // set by `npm run`
  const { status } = npm
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: windows })
  if (status !== 0) {
    console.error('The packages could not be installed; npm says above why. Nothing was started.')
    process.exit(status ?? 1)
  }
  writeFileSync(stamp, wanted)
}

/** npm 10 installs the package without a link in .bin, so its own folder is named. */
function ownNode() {
  const platform = windows ? 'win' : process.platform
  return join(root, 'node_modules', `node-${platform}-${process.arch}`, 'bin')
}

function refuseOldNode(environment) {
  const found =
    spawnSync('node', ['-p', 'process.versions.node'], { env: environment, encoding: 'utf8' }).stdout?.trim() ?? ''
  const [major = 0, minor = 0] = found.split('.').map(Number)
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return
  console.error(
    `CDN Ops needs Node ${NEEDED.join('.')} or newer; found ${found || 'none'}. Install Node 24 and run this again.`,
  )
  process.exit(1)
}

function run([command, ...rest], environment) {
  const child = spawn(command, rest, { cwd: root, env: environment, stdio: 'inherit', shell: windows })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // npm does not pass a signal on through the shell it starts: stop with the parent rather than stay behind.
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM')
  }, PARENT_CHECK_MS).unref()
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
  child.on('error', (error) => {
    console.error(`${command} could not be started: ${error.message}`)
    process.exit(1)
  })
}
