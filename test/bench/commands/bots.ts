import { once } from 'node:events'
import { join } from 'node:path'
import { startBot } from '../../support/bot-process.ts'
import { startFlags } from '../../support/start-command.ts'
import { usageOf } from '../process-usage.ts'
import { type Child, startChild } from '../wire/child.ts'
import type { PlatformOrder, PlatformTimes } from './platform.ts'
import type { Load, LoadResult } from './slack-load.ts'

const TEXT = 'storage stats {n}'
/** Zones have numbers of their own throughout, so that what the platform took for each is known. */
const FIRST_ZONE = 10_000

/** Something that answers commands, in a process of its own. */
export interface Answering {
  readonly name: string
  readonly pid: number
}

/** How a load went. Milliseconds; CPU is that of the whole process, for one command. */
export interface Went {
  readonly cpuMs: number
  readonly ackedMs: readonly number[]
  /** From typed to answered, less what the platform took. */
  readonly ownMs: readonly number[]
  readonly sample: string
}

/** Slack, the platform, and those that answer: everything the benches of commands are made of. */
export class CommandStage implements AsyncDisposable {
  readonly #slack: Child<{ readonly port: number }>
  readonly #platform: Child<{ readonly port: number }>
  readonly #processes = new AsyncDisposableStack()
  readonly #folder: string
  #nextZone = FIRST_ZONE

  private constructor(
    slack: Child<{ readonly port: number }>,
    platform: Child<{ readonly port: number }>,
    folder: string,
  ) {
    this.#slack = this.#processes.use(slack)
    this.#platform = this.#processes.use(platform)
    this.#folder = folder
  }

  /** `folder` takes the stores of bots and is removed by whoever made it. */
  static async start(folder: string): Promise<CommandStage> {
    const slack = await startChild<{ readonly port: number }>(new URL('slack-load.ts', import.meta.url))
    const platform = await startChild<{ readonly port: number }>(new URL('platform.ts', import.meta.url))
    return new CommandStage(slack, platform, folder)
  }

  /** The bot itself, as people start it. */
  async startOurs(name: string): Promise<Answering> {
    const bot = startBot(this.#settings(name))
    this.#processes.defer(async () => {
      bot.kill('SIGTERM')
      await bot.ended
    })
    await bot.says(/linked to Slack: ready/)
    return { name, pid: bot.pid }
  }

  /** The bot with `all` operations or with `three` of them. */
  async startCatalogue(name: string, catalogue: 'all' | 'three'): Promise<Answering> {
    const program = new URL('catalogue-app.ts', import.meta.url)
    const env = this.#settings(name)
    const child = this.#processes.use(await startChild(program, [catalogue], startFlags(), env))
    return { name, pid: child.pid }
  }

  /** Bare Bolt as people run it, or with as small a young space as the bot has. */
  async startBare(name: string, youngSpace: 'usual' | 'ours'): Promise<Answering> {
    const program = new URL('bare-bolt.ts', import.meta.url)
    const ports = [this.#slack.ready.port, this.#platform.ready.port].map(String)
    const child = this.#processes.use(
      await startChild(program, [...ports, name], youngSpace === 'ours' ? startFlags() : []),
    )
    return { name, pid: child.pid }
  }

  /** How long the platform takes for an answer from now on. */
  async platformTakes(delayMs: number): Promise<void> {
    await this.#platformTimes(delayMs)
  }

  /** Types commands at a pace, all answered before it resolves. Rejects when one is not, or is refused. */
  async type({ name, pid }: Answering, count: number, perSecond: number, platformMs = 0): Promise<Went> {
    const first = this.#nextZone
    this.#nextZone += count
    await this.#platformTimes(platformMs)
    const before = usageOf(pid)
    const load: Load = { bot: name, text: TEXT, first, count, perSecond }
    this.#slack.process.send(load)
    const [result] = (await once(this.#slack.process, 'message')) as [LoadResult]
    const after = usageOf(pid)
    if (result.problem !== undefined) throw new Error(`${name}: ${result.problem}`)
    const times = await this.#platformTimes(0)
    return {
      cpuMs: (after.cpuMs - before.cpuMs) / count,
      ackedMs: result.ackedMs,
      ownMs: result.answeredMs.map((ms, index) => ms - (times[first + index] ?? Number.NaN)),
      sample: result.sample,
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#processes.disposeAsync()
  }

  async #platformTimes(delayMs: number): Promise<PlatformTimes> {
    const order: PlatformOrder = { delayMs }
    this.#platform.process.send(order)
    const [times] = (await once(this.#platform.process, 'message')) as [PlatformTimes]
    return times
  }

  #settings(name: string): Record<string, string> {
    const platform = `http://127.0.0.1:${this.#platform.ready.port}/`
    return {
      SLACK_BOT_TOKEN: `xoxb-${name}`,
      SLACK_APP_TOKEN: `xapp-${name}`,
      SLACK_API_URL: `http://127.0.0.1:${this.#slack.ready.port}/api/`,
      CDN_API_URL: platform,
      CDN_LOGGING_URL: platform,
      CDN_API_KEY: 'k-0123456789',
      STORE_URL: join(this.#folder, `${name}.sqlite`),
      VIEWERS: '*',
    }
  }
}

/** What slices of one load came to together. */
export function together(slices: readonly Went[]): Went {
  const count = slices.reduce((sum, { ackedMs }) => sum + ackedMs.length, 0)
  return {
    cpuMs: slices.reduce((sum, { cpuMs, ackedMs }) => sum + cpuMs * ackedMs.length, 0) / count,
    ackedMs: slices.flatMap(({ ackedMs }) => ackedMs),
    ownMs: slices.flatMap(({ ownMs }) => ownMs),
    sample: slices[0]?.sample ?? '',
  }
}

/** The value that `share` of all do not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}
