import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { messageProblems } from '../../support/slack-rules.ts'
import type { NamedZone } from '../../../src/operations/field.ts'
import type { Operation, OperationContext } from '../../../src/operations/operation.ts'
import { zonesAdd, zonesList, zonesRemove } from '../../../src/operations/zones/zones.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import type { Store } from '../../../src/store/store.ts'
import { entry } from '../../store/harness.ts'
import { createSqliteHarness, type SqliteHarness } from '../../store/sqlite-harness.ts'
import { checkContext, invocationOf, operationContext, problemsOf } from '../../support/operation-context.ts'

const MANAGED: readonly NamedZone[] = [
  { kind: 'dns', name: 'Shop', zoneId: '201', managed: true },
  { kind: 'pull', name: 'www', zoneId: '301', managed: true },
]

let harness: SqliteHarness
let store: Store
beforeEach(async () => {
  harness = createSqliteHarness()
  store = await harness.open()
})
afterEach(() => harness.close())

async function ask(operation: Operation, values: RawValues, changes: Partial<OperationContext> = {}) {
  const zones = [...MANAGED, ...(await store.zones.list())]
  const context = operationContext({}, { store, zones, ...changes })
  const { message } = await invocationOf(operation, values, checkContext({ zones })).run(context)
  expect(messageProblems(message)).toEqual([])
  return message.text
}
const problems = (operation: Operation, values: RawValues, more: readonly NamedZone[] = []) =>
  problemsOf(operation, values, checkContext({ zones: [...MANAGED, ...more] }))

describe('names from the configuration', () => {
  it('are listed with those that people gave, and told from them', async () => {
    await ask(zonesAdd, { kind: 'pull', id: '7', name: 'img' })
    const text = await ask(zonesList, {})
    expect(text).toContain('3 names of zones.')
    expect(text).toContain('Name Shop, Kind DNS zone, Id 201, Named from the configuration')
    expect(text).toContain('Name img, Kind pull zone, Id 7, Named 2026-11-20 12:00 UTC')
    expect(await ask(zonesList, { kind: 'dns' })).toContain('1 name of DNS zones.')
  })

  it.each(['shop', 'SHOP'])('cannot be given to another zone: %s', (name) => {
    expect(problems(zonesAdd, { kind: 'dns', id: '7', name })).toEqual([
      'name: Shop is the name of DNS zone 201 by the configuration, which no command changes. Take another name.',
    ])
  })

  it('may be given to a zone of another kind', () => {
    expect(problems(zonesAdd, { kind: 'storage', id: '7', name: 'shop' })).toEqual([])
  })

  it.each<RawValues>([{ name: 'shop' }, { kind: 'dns', name: 'shop' }])('cannot be taken away: %j', (values) => {
    expect(problems(zonesRemove, values)).toEqual([
      'name: Shop is the name of DNS zone 201 by the configuration: it goes when it is taken out there.',
    ])
  })

  it('go before the same name that somebody gave earlier, which is told and can be taken away', async () => {
    const { actor, now } = operationContext()
    const given = { kind: 'dns', name: 'SHOP', zoneId: '9', addedBy: actor.id, addedAt: now } as const
    await store.zones.add(given, entry('zone_added'))
    expect(await ask(zonesList, {})).toContain(
      'Name SHOP, Kind DNS zone, Id 9, Named 2026-11-20 12:00 UTC, but the configuration goes first',
    )
    expect(await ask(zonesRemove, { name: 'shop' })).toContain('The name SHOP of DNS zone 9 is removed.')
    expect(await store.zones.list()).toEqual([])
  })

  it('leave the same name of another kind to be removed', () => {
    const given: readonly NamedZone[] = [{ kind: 'pull', name: 'shop', zoneId: '7' }]
    expect(problems(zonesRemove, { kind: 'pull', name: 'shop' }, given)).toEqual([])
    expect(problems(zonesRemove, { name: 'shop' }, given)).toEqual([
      'kind: shop is the name of a DNS zone and of a pull zone: say which kind.',
    ])
  })
})

it('changes the names once for each delivery, however often it comes', async () => {
  const once = (key: string) => ({ once: { key, notAfterMs: Number.MAX_SAFE_INTEGER } })
  const names = async () => (await store.zones.list()).map(({ name }) => name)
  await ask(zonesAdd, { kind: 'pull', id: '7', name: 'img' }, once('first'))
  await ask(zonesRemove, { kind: 'pull', name: 'img' }, once('second'))
  await expect(ask(zonesAdd, { kind: 'pull', id: '7', name: 'img' }, once('first'))).rejects.toMatchObject({
    code: 'repeated',
  })
  expect(await names()).toEqual([])
  await ask(zonesAdd, { kind: 'pull', id: '8', name: 'img' }, once('third'))
  await expect(ask(zonesRemove, { kind: 'pull', name: 'img' }, once('second'))).rejects.toMatchObject({
    code: 'repeated',
  })
  expect(await names()).toEqual(['img'])
})
