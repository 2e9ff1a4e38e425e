import pg from 'pg'
import { describe } from 'vitest'
import { createPostgresDatabase, whyNoPostgres } from '../store/postgres-harness.ts'
import { Scene, type SceneOptions } from './scene.ts'

/** A scene on an empty store of one kind, which goes with the scene. */
export type StartScene = (options?: SceneOptions) => Promise<Scene>

/** What has to hold on both stores. A server for the second one has to be there already. */
export function onBothStores(suite: (start: StartScene) => void): void {
  describe('on SQLite', () => {
    suite((options) => Scene.start(options))
  })
  onPostgres(suite)
}

/** What holds for several bots on one store, which is PostgreSQL then. */
export function onPostgres(suite: (start: StartScene) => void): void {
  describe.skipIf(missing !== undefined)(`on PostgreSQL${missing === undefined ? '' : `: ${missing}`}`, () => {
    suite(startOnPostgres)
  })
}

const missing = await whyNoPostgres()

async function startOnPostgres(options: SceneOptions = {}): Promise<Scene> {
  const database = await createPostgresDatabase()
  try {
    const { url: storeUrl } = await database.harness()
    return await Scene.start({ ...options, storeUrl, atEnd: () => database.drop() })
  } catch (error) {
    await database.drop()
    throw error
  }
}

/**
 * Lets the time end in which a change may be approved. The clock of a bot is put forward for that; a server judges by its
 * own, so there the end is put back.
 */
export async function runOutOfTime(scene: Scene, changeId: string): Promise<void> {
  if (!scene.store.startsWith('postgres')) return scene.clock.turn(APPROVAL_MS)
  const client = new pg.Client({ connectionString: scene.store })
  await client.connect()
  try {
    await client.query('update changes set expires_at = 1 where id = $1', [changeId])
  } finally {
    await client.end()
  }
}

const APPROVAL_MS = 8 * 3_600_000
