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
    await launch(['node', '-v']).ended
    const second = await launch(['node', '-v']).ended
    expect(installs()).toHaveLength(1)
    expect(installs()[0]).toMatch(/^ci --include=dev /)
    expect(second).toMatchObject({ code: 0, out: `${process.version}\n`, complaint: '' })

    writeFileSync(join(root, 'package-lock.json'), '{ }')
    await launch(['node', '-v']).ended
    expect(installs()).toHaveLength(2)
  })

  describe('where somebody ran npm themselves', () => {
    const there = {
      '.node': { name: 'own', version: '24.0.0', dev: true },
      'node_modules/own': { resolved: '.node', link: true },
      'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
      'node_modules/tool': { version: '2.0.0', integrity: 'sha512-t', dev: true },
      'node_modules/node-here': {
        version: '24.0.0',
        integrity: 'sha512-n',
        optional: true,
        os: process.platform,
        cpu: [process.arch],
      },
    }
    const elsewhere = { version: '24.0.0', integrity: 'sha512-e', optional: true, os: ['plan9'], cpu: [process.arch] }
    const otherLibrary = { ...there['node_modules/node-here'], libc: ['of-another-kind'] }
    const needless = { 'node_modules/elsewhere': elsewhere, 'node_modules/other': otherLibrary }
    const without = (path: string) => Object.fromEntries(Object.entries(there).filter(([name]) => name !== path))
    const beginning = (packages: object, record: string | object) => {
      mkdirSync(join(root, 'node_modules'))
      const lockfile = { name: 'x', packages: { '': { name: 'x' }, ...packages } }
      writeFileSync(join(root, 'package-lock.json'), JSON.stringify(lockfile))
      const text = typeof record === 'string' ? record : JSON.stringify({ name: 'x', packages: record })
      writeFileSync(join(root, 'node_modules', '.package-lock.json'), text)
    }

    it('installs nothing', async () => {
      beginning({ ...there, ...needless }, there)
      expect(await launch(['node', '-v']).ended).toMatchObject({ code: 0, out: `${process.version}\n`, complaint: '' })
      expect(installs()).toEqual([])
    })

    it.each([
      ['left the tools out', without('node_modules/tool')],
      ['left out what is optional', without('node_modules/node-here')],
      ['had another version', { ...there, 'node_modules/a': { version: '1.0.1', integrity: 'sha512-a' } }],
      ['had other contents', { ...there, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-b' } }],
      ['had one package more', { ...there, 'node_modules/b': { version: '1.0.0', integrity: 'sha512-b' } }],
      ['was interrupted', '{ "name": "x", "pack'],
    ])('installs where that %s', async (_what, record) => {
      beginning(there, record)
      expect(await launch(['node', '-v']).ended).toMatchObject({ code: 0 })
      expect(installs()).toHaveLength(1)
    })
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

  it('takes over from an installation whose process is gone', async () => {
    const gone = spawn(process.execPath, ['-e', ''])
    await new Promise((resolve) => gone.on('exit', resolve))
    writeFileSync(join(root, '.node', 'installing.pid'), String(gone.pid))
    expect(await launch(['node', '-v']).ended).toMatchObject({ code: 0 })
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

  it('leaves it to a terminal to tell the command of Ctrl-C, once', async () => {
    const counts = "let times = 0; process.on('SIGINT', () => console.log('heard ' + ++times));"
    const ends = "process.on('SIGTERM', () => setImmediate(() => process.exit(console.log('in all ' + times))));"
    const script = `${counts} ${ends} setInterval(() => {}, 1000); console.log('launcher ' + process.ppid)`
    writeFileSync(join(root, 'counts.mjs'), script)
    const line = [process.execPath, join(root, '.node', 'run.mjs'), 'node', join(root, 'counts.mjs')].join(' ')
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

  it('tells the command once that whoever started both is gone', async () => {
    const notes = "require('fs').appendFileSync('signals.txt', 'SIGTERM ')"
    // It stays while the launcher looks three times more.
    const ends = 'let looks = 0; setInterval(() => ++looks === 3 && process.exit(), 500)'
    const script = `process.on('SIGTERM', () => { ${notes}; ${ends} }); setInterval(() => {}, 1000); console.log(process.pid)`
    writeFileSync(join(root, 'notes.cjs'), script)
    const launcher = [join(root, '.node', 'run.mjs'), 'node', join(root, 'notes.cjs')]
    const between = `require('child_process').spawn(process.execPath, ${JSON.stringify(launcher)}, { stdio: 'inherit' })`
    const parent = spawn(process.execPath, ['-e', between], {
      env: { ...process.env, npm_execpath: join(root, 'npm.mjs') },
    })
    let out = ''
    parent.stdout.on('data', (bytes: Buffer) => (out += bytes.toString()))
    await vi.waitFor(() => expect(out).toMatch(/^\d+\n/), 5_000)
    const closed = new Promise((resolve) => parent.on('close', resolve))
    parent.kill('SIGKILL')
    await closed
    expect(readFileSync(join(root, 'signals.txt'), 'utf8')).toBe('SIGTERM ')
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
