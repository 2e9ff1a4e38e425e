import { describe, expect, test } from 'vitest'
import { CdnError } from '../../../src/cdn/contract/errors.ts'
import { PlatformServer } from '../../cdn/platform-server.ts'
import { TurnedClock } from '../../support/turned-clock.ts'
import { BODY_FAULTS } from './body-faults.ts'
import { runCell } from './cell-run.ts'
import { body, cellsOf } from './fault.ts'
import { OPERATIONS } from './operations.ts'
import { wrongTypes } from './wrong-types.ts'

describe('the body', () => {
  test.each(cellsOf(BODY_FAULTS).map((cell) => [cell.name, cell] as const))('%s', async (_, cell) => {
    expect(await runCell(cell)).toEqual(cell.fault.name)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  test.each([...OPERATIONS])('body: wrong types, field by field: %s', async (endpoint, { call, kind, good }) => {
    const wrong = wrongTypes(endpoint)
    const lines = good.replaceAll('|200|', '|two hundred|')
    await using platform = await PlatformServer.start(...wrong.map(({ body: text }) => body(text)), body(lines))
    const clock = new TurnedClock()
    const client = platform.client({ clock })
    const told: unknown[] = []
    for (const _ of wrong) {
      const error: unknown = await call(client, clock.now()).catch((thrown: unknown) => thrown)
      told.push(error instanceof CdnError ? error.failure : error)
    }
    expect(told).toEqual(
      wrong.map(({ field }) => ({ kind: 'malformed', status: 200, why: expect.stringContaining(field) as string })),
    )
    expect(platform.received).toHaveLength(wrong.length)
    // A line of text has no types; one that does not hold a status where it stands is counted as none.
    if (kind === 'day file') expect(await call(client, clock.now())).toMatchObject({ lines: 5, malformedLines: 5 })
  })
})
