import { join } from 'node:path'
import { systemClock } from '../../../src/shared/clock.ts'
import type { BotProcess, Variables } from '../../support/bot.ts'
import { eventually } from '../../support/eventually.ts'
import { type KillStage, openStage } from '../kill/stage.ts'

const REPLICAS = 3
/** What a bot says when it takes up the work in the background, and when it lays it down. */
const SAID = /(working in the background|on standby) from now on/g
/** Of both ways to a log. */
const ZONE = /(\d+)(?:\.log|\/logs)/
const PATIENCE_MS = 40_000
const STARTS = 3
const KEPT_CHARACTERS = 20_000

/** A request for log lines, as the platform counts it. */
interface LogRequest {
  readonly zone: string
  readonly atMs: number
  readonly isRefused: boolean
}

export interface TrioOptions {
  /** Another one than the usual one. */
  readonly server?: string
  /** Where the bots find its databases. */
  readonly pooled?: string
  /** The folder of an older version, of which one bot runs beside the three, and has made the store. */
  readonly beside?: string | undefined
}

/** Three bots on one PostgreSQL store, one workspace whose deliveries their links take in turn, and one platform. */
export class Trio {
  readonly stage: KillStage
  readonly #logRequests: LogRequest[] = []
  #bots: BotProcess[] = []
  readonly #working = new Set<BotProcess>()
  /** A bot that is frozen is none of those that work. */
  readonly #frozen = new Set<BotProcess>()
  readonly #settings: Variables
  #older: BotProcess | undefined
  #seen = 0

  private constructor(stage: KillStage, settings: Variables) {
    this.stage = stage
    this.#settings = settings
  }

  static async start({ server, pooled, beside }: TrioOptions = {}): Promise<Trio> {
    const stage = await openStage('postgres', server)
    const url = new URL(stage.store.settings.STORE_URL)
    const settings = { STORE_URL: Object.assign(url, { host: new URL(pooled ?? url).host }).href }
    const trio = new Trio(stage, settings)
    try {
      if (beside !== undefined) trio.#older = await trio.#startOne(join(beside, 'src', 'main.ts'))
      await Promise.all(Array.from({ length: REPLICAS }, () => trio.#add()))
      await trio.holder()
      return trio
    } catch (error) {
      await trio.close()
      throw error
    }
  }

  /** The one that says that it works in the background; resolves once there is one that is not frozen. */
  async holder(other?: BotProcess): Promise<BotProcess> {
    const works = (bot: BotProcess): boolean =>
      bot !== other && !this.#frozen.has(bot) && bot.isAlive() && this.#working.has(bot)
    const found = await eventually(() => this.#bots.find(works), PATIENCE_MS)
    if (found === undefined) throw new Error('Nobody works in the background')
    return found
  }

  /** Ends the holder and starts another bot in its place. Resolves with how long nobody worked, in milliseconds. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number> {
    const victim = await this.holder()
    const startedMs = systemClock.monotonicMs()
    victim.kill(signal)
    const taken = this.holder(victim).then(() => systemClock.monotonicMs() - startedMs)
    await victim.ended
    this.#bots = this.#bots.filter((bot) => bot !== victim)
    await this.#add()
    return taken
  }

  /** Stops the holder in the middle of whatever it does, and lets it go on once somebody else works. */
  async freeze(forMs: number): Promise<void> {
    const victim = await this.holder()
    victim.kill('SIGSTOP')
    this.#frozen.add(victim)
    await this.holder(victim)
    await systemClock.sleep(forMs)
    victim.kill('SIGCONT')
    this.#frozen.delete(victim)
  }

  /** All end as they do when they are asked to. Resolves with what was wrong with that. */
  async stop(): Promise<readonly string[]> {
    const ends = await Promise.all(
      this.#all().map(async (bot) => {
        bot.kill('SIGTERM')
        return bot.ended
      }),
    )
    return ends.filter(({ code }) => code !== 0).map(({ code, signal }) => `a bot ended with ${code ?? signal}`)
  }

  async close(): Promise<void> {
    for (const bot of this.#all()) bot.kill('SIGKILL')
    await Promise.all(this.#all().map(({ ended }) => ended))
    await this.stage.close()
  }

  #all(): readonly BotProcess[] {
    return this.#older === undefined ? this.#bots : [...this.#bots, this.#older]
  }

  async #add(): Promise<void> {
    this.#bots.push(await this.#startOne())
  }

  /** As a supervisor does: what gives up at its start, on a busy machine for instance, is started again. */
  async #startOne(main?: string): Promise<BotProcess> {
    for (let start = 1; ; start += 1) {
      const bot = this.#spawn(main)
      const end = await Promise.race([bot.linked, bot.ended])
      if (end === undefined) return bot
      if (start === STARTS) throw new Error(`A bot ended with ${end.code}: ${bot.errors()}${bot.output().slice(-500)}`)
    }
  }

  #spawn(main: string | undefined): BotProcess {
    const onText = (text: string): void => {
      const last = [...text.matchAll(SAID)].at(-1)?.[1]
      if (last === 'on standby') this.#working.delete(bot)
      else if (last !== undefined) this.#working.add(bot)
    }
    const bot = this.stage.start(undefined, this.#settings, { keptCharacters: KEPT_CHARACTERS, main, onText })
    return bot
  }

  /** Every request for a log so far. The platform keeps the newest ten thousand of all: to be asked now and then. */
  logRequests(): readonly LogRequest[] {
    const { cdn } = this.stage
    const fresh = cdn.count('queryLogs') + cdn.count('streamDayFile') - this.#seen
    this.#seen += fresh
    const kept = cdn.requests.filter(({ endpoint }) => endpoint === 'queryLogs' || endpoint === 'streamDayFile')
    for (const { path, at, status } of fresh === 0 ? [] : kept.slice(-fresh))
      this.#logRequests.push({ zone: ZONE.exec(path)?.[1] ?? '', atMs: at.getTime(), isRefused: status === 429 })
    return this.#logRequests
  }
}

/** The most requests for the log of one zone in any ten seconds. */
export function worstWindow(requests: readonly LogRequest[], windowMs = 10_000): number {
  const byZone = Map.groupBy(requests, ({ zone }) => zone)
  let worst = 0
  for (const own of byZone.values()) {
    const times = own.map(({ atMs }) => atMs).toSorted((one, other) => one - other)
    times.forEach((atMs, index) => {
      let end = index
      while ((times[end] ?? Infinity) < atMs + windowMs) end += 1
      worst = Math.max(worst, end - index)
    })
  }
  return worst
}
