import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

/** Stands in for npm: notes that it ran, takes a moment, and leaves node_modules behind, or fails when told so. */
const FAKE_NPM = `
import { appendFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
rmSync('node_modules', { recursive: true, force: true })
appendFileSync('installs.txt', process.argv.slice(2).join(' ') + '\\n')
while (existsSync('hold')) await new Promise((resolve) => setImmediate(resolve))
mkdirSync('node_modules')
console.log('added 1 package')
process.exit(existsSync('broken') ? 7 : 0)
`
const LONG = ['node', '-e', "console.log('up'); setInterval(() => {}, 1000)"]

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cdn-ops-launcher-'))
  mkdirSync(join(root, '.node'))
  cpSync('.node/run.mjs', join(root, '.node', 'run.mjs'))
  writeFileSync(join(root, 'package-lock.json'), '{}')
  writeFileSync(join(root, 'npm.mjs'), FAKE_NPM)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('the launcher', () => {
  it('installs once, with development packages, and again when the lockfile has changed', async () => {
    const first = await launch(['node', '-v']).ended
    // What npm prints is no part of the answer of a hook.
    expect(first).toMatchObject({ code: 0, out: `${process.version}\n` })
    expect(first.complaint).toContain('added 1 package')
    const second = await launch(['node', '-v']).ended
    expect(installs()).toHaveLength(1)
    expect(installs()[0]).toMatch(/^ci --include=dev /)
    expect(second).toMatchObject({ code: 0, out: `${process.version}\n`, complaint: '' })

    writeFileSync(join(root, 'package-lock.json'), '{ }')
    await launch(['node', '-v']).ended
    expect(installs()).toHaveLength(2)
  })

  it('installs again what was not finished, and starts nothing until then', async () => {
    writeFileSync(join(root, 'broken'), '')
    const first = await launch(['node', '-v']).ended
    expect(first).toMatchObject({ code: 7, out: '' })
    expect(first.complaint).toContain('Nothing was started.')

    rmSync(join(root, 'broken'))
    expect(await launch(['node', '-v']).ended).toMatchObject({ code: 0 })
    expect(installs()).toHaveLength(2)
    expect(existsSync(join(root, '.node', 'installing.pid'))).toBe(false)
  })

  it('lets one of two commands install while the other waits', async () => {
    writeFileSync(join(root, 'hold'), '')
    const [one, two] = [launch(['node', '-v']), launch(['node', '-v'])]
    await vi.waitFor(() => expect(one.complaint() + two.complaint()).toContain('waiting for it'), 5_000)
    rmSync(join(root, 'hold'))
    expect(await Promise.all([one.ended, two.ended])).toMatchObject([{ code: 0 }, { code: 0 }])
    expect(installs()).toHaveLength(1)
  })

  it('passes on arguments, the exit code, and what ends the command', async () => {
    const script = "console.log(process.argv.slice(1).join('|')); process.exit(78)"
    const coded = await launch(['node', '-e', script, '--', 'two words', '$HOME']).ended
    expect(coded).toMatchObject({ code: 78, out: 'two words|$HOME\n' })
    expect(await launch(['node', '-e', "process.kill(process.pid, 'SIGKILL')"]).ended).toMatchObject({
      signal: 'SIGKILL',
    })
  })

  it('passes signals on', async () => {
    const launched = launch(LONG)
    await vi.waitFor(() => expect(launched.out()).toBe('up\n'), 5_000)
    launched.process.kill('SIGTERM')
    expect(await launched.ended).toMatchObject({ signal: 'SIGTERM' })
  })

  it.each(['', ' < /dev/null'])('leaves it to a terminal to tell the command of Ctrl-C, once%s', async (input) => {
    const counts = "let times = 0; process.on('SIGINT', () => console.log('heard ' + ++times));"
    const ends = "process.on('SIGTERM', () => setImmediate(() => process.exit(console.log('in all ' + times))));"
    const script = `${counts} ${ends} setInterval(() => {}, 1000); console.log('launcher ' + process.ppid)`
    writeFileSync(join(root, 'counts.mjs'), script)
    const line = [process.execPath, join(root, '.node', 'run.mjs'), 'node', join(root, 'counts.mjs')].join(' ') + input
    const terminal = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
      env: { ...process.env, npm_execpath: join(root, 'npm.mjs') },
    })
    let out = ''
    terminal.stdout.on('data', (bytes: Buffer) => (out += bytes.toString()))
    const ended = new Promise((resolve) => terminal.on('close', resolve))
    await vi.waitFor(() => expect(out).toContain('launcher'), 5_000)
    terminal.stdin.write('\u0003')
    await vi.waitFor(() => expect(out).toContain('heard 1'), 5_000)
    const launcher = Number(/launcher (\d+)/.exec(out)?.[1])
    // Its own signal of Ctrl-C may melt into that of the command, so it gets one that cannot.
    process.kill(launcher, 'SIGINT')
    process.kill(launcher, 'SIGTERM')
    await ended
    expect(out).toContain('in all 1')
  })

  it('says which command cannot be started', async () => {
    const { code, complaint } = await launch(['no-such-command']).ended
    expect([code, complaint]).toEqual([1, expect.stringContaining('no-such-command could not be started')])
  })
})

interface Ended {
  readonly code: number | null
  readonly signal: string | null
  readonly out: string
  readonly complaint: string
}

interface Launched {
  readonly process: ChildProcess
  readonly out: () => string
  readonly complaint: () => string
  readonly ended: Promise<Ended>
}

function launch(command: readonly string[]): Launched {
  const child = spawn(process.execPath, [join(root, '.node', 'run.mjs'), ...command], {
    env: { ...process.env, npm_execpath: join(root, 'npm.mjs') },
  })
  let out = ''
  let complaint = ''
  child.stdout.on('data', (bytes: Buffer) => (out += bytes.toString()))
  child.stderr.on('data', (bytes: Buffer) => (complaint += bytes.toString()))
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, out, complaint }))
  })
  return { process: child, out: () => out, complaint: () => complaint, ended }
}

function installs(): readonly string[] {
  const file = join(root, 'installs.txt')
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
}
