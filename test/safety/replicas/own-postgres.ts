import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { closedPort } from '../../support/bot.ts'
import { eventually } from '../../support/eventually.ts'

/** A PostgreSQL server that a test may restart and forbid to write, and a pooler in front of it. */

const INSTALLED = '/usr/lib/postgresql'
const POOLER = '/usr/sbin/pgbouncer'
const PATIENCE_MS = 20_000

/** Why there can be none here; undefined when there can. */
export function whyNoOwnPostgres(): string | undefined {
  if (!existsSync(INSTALLED)) return 'PostgreSQL is not installed'
  return existsSync(POOLER) ? undefined : 'pgbouncer is not installed'
}

export interface OwnPostgres {
  readonly url: string
  /** The same databases behind pgbouncer, which gives each transaction any connection. */
  readonly pooledUrl: string
  /** Ends all connections at once, and is there again a moment later. */
  restart(): Promise<void>
  /** New transactions may read only, until it is told otherwise. */
  forbidWriting(isForbidden: boolean): Promise<void>
  /** How many are held by anybody. */
  advisoryLocks(): Promise<unknown>
  stop(): Promise<void>
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const [version = ''] = readdirSync(INSTALLED)
  const bin = join(INSTALLED, version, 'bin')
  const folder = mkdtempSync('/tmp/cdn-ops-postgres-')
  const user = Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' }))
  chownSync(folder, user, user)
  chmodSync(folder, 0o700)
  const data = join(folder, 'data')
  const as = { uid: user, cwd: folder, stdio: 'pipe' } as const
  const [port, pooledPort] = [await closedPort(), await closedPort()]
  execFileSync(join(bin, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync'], as)
  const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off`
  const control = (...args: string[]): void => {
    execFileSync(join(bin, 'pg_ctl'), ['-D', data, '-l', join(folder, 'log'), '-w', ...args], {
      ...as,
      stdio: 'ignore',
    })
  }
  control('-o', settings, 'start')
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const pooledUrl = `postgres://postgres@127.0.0.1:${pooledPort}/postgres`
  writeFileSync(join(folder, 'users'), '"postgres" ""\n')
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    [
      '[databases]',
      `* = host=127.0.0.1 port=${port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${pooledPort}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${join(folder, 'users')}`,
      'pool_mode = transaction',
      'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout',
      'default_pool_size = 20',
    ].join('\n'),
  )
  chownSync(join(folder, 'users'), user, user)
  chownSync(join(folder, 'pgbouncer.ini'), user, user)
  const pooler: ChildProcess = spawn(POOLER, [join(folder, 'pgbouncer.ini')], { ...as, stdio: 'ignore' })
  await answers(pooledUrl)
  return {
    url,
    pooledUrl,
    async restart() {
      control('-m', 'immediate', 'stop')
      control('-o', settings, 'start')
      await answers(url)
    },
    forbidWriting: (isForbidden) =>
      once(url, async (client) => {
        await client.query(`alter system set default_transaction_read_only = ${isForbidden ? 'on' : 'off'}`)
        await client.query('select pg_reload_conf()')
      }),
    advisoryLocks: () =>
      once(url, async (client) => {
        const { rows } = await client.query("select count(*)::int as held from pg_locks where locktype = 'advisory'")
        return (rows as readonly { readonly held: number }[])[0]?.held // as asked for
      }),
    async stop() {
      pooler.kill('SIGKILL')
      control('-m', 'immediate', 'stop')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function once<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function answers(url: string): Promise<void> {
  const isThere = () => once(url, async (client) => client.query('select 1')).catch(() => undefined)
  if ((await eventually(isThere, PATIENCE_MS)) === undefined) throw new Error(`${url} does not answer`)
}
