import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { IN_CI } from '../support/in-ci.ts'
import { whyNoPostgres } from '../store/postgres-harness.ts'
import { type PlayedDatabase, type PlayedServer, playOnPostgres, playOnSqlite } from './crash/databases.ts'
import type { Death } from './crash/effects.ts'
import { type Played, play } from './crash/rig.ts'
import { brokenPromises } from './crash/verdict.ts'

const TIMEOUT_MS = 280_000
/** `CRASH_STRIDE=1` ends the process at every single step, which takes many minutes. */
const GIVEN_STRIDE = Number(process.env['CRASH_STRIDE'] ?? Number.NaN) || undefined

/** Every so manieth step is one to end at; of those that tell somebody, every so manieth of them. */
interface Strides {
  readonly stride: number
  readonly tellings: number
}
const ON_SQLITE: Strides = { stride: GIVEN_STRIDE ?? 7, tellings: IN_CI ? 2 : 1 }
/** Each play takes a server a new database. */
const ON_POSTGRES: Strides = { stride: GIVEN_STRIDE ?? (IN_CI ? 80 : 40), tellings: GIVEN_STRIDE ?? (IN_CI ? 8 : 4) }
const reason = await whyNoPostgres()
if (reason !== undefined) process.stderr.write(`Skipped, ${reason}\n`)

async function playOn(database: PlayedDatabase, death?: Death): Promise<Played> {
  try {
    return await play(database, death)
  } finally {
    await database.close()
  }
}

/**
 * Where the process ends: before and after steps that tell people something, take up what is to be told or note that it
 * was told, and before and after every so manieth of those that are the same each minute.
 */
function deaths({ steps }: Played, { stride, tellings }: Strides): readonly Death[] {
  let told = 0
  const chosen = steps.flatMap((name, at) => {
    if (name === 'outbox.claim') return steps[at + 1]?.startsWith('notifier.') === true ? [at] : []
    const isTelling = name.startsWith('notifier.') || name.startsWith('outbox.')
    if (isTelling) told += 1
    return (isTelling && told % tellings === 0) || at % stride === 0 ? [at] : []
  })
  return chosen.flatMap((at) => (['before', 'after'] as const).map((when) => ({ step: at + 1, when })))
}

async function findings(open: () => Promise<PlayedDatabase>, strides: Strides): Promise<readonly string[]> {
  const usual = await playOn(await open())
  const found: string[] = [...brokenPromises(usual, usual)]
  for (const death of deaths(usual, strides))
    found.push(...brokenPromises(await playOn(await open(), death), usual, death))
  return found
}

describe('a process that ends at any step of poll, count, step, outbox, post and record', () => {
  it(
    'loses no incident, counts no line twice and repeats one post at most, on SQLite',
    async () => {
      expect(await findings(async () => playOnSqlite(), ON_SQLITE)).toEqual([])
    },
    TIMEOUT_MS,
  )

  describe.skipIf(reason !== undefined)(`on PostgreSQL${reason === undefined ? '' : `: ${reason}`}`, () => {
    let server: PlayedServer
    beforeAll(async () => {
      server = await playOnPostgres()
    })
    afterAll(() => server.drop())

    it(
      'loses no incident, counts no line twice and repeats one post at most',
      async () => {
        expect(await findings(() => server.database(), ON_POSTGRES)).toEqual([])
      },
      TIMEOUT_MS,
    )
  })
})
