import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { messageProblems } from '../../support/slack-rules.ts'
import type { Operation } from '../../../src/operations/operation.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { zonesAdd, zonesList, zonesRemove } from '../../../src/operations/zones/zones.ts'
import { UserError } from '../../../src/shared/errors.ts'
import { MAX_ZONE_NAMES } from '../../../src/store/zone-names.ts'
import type { Store } from '../../../src/store/store.ts'
import { checkContext, invocationOf, operationContext, problemsOf } from '../../support/operation-context.ts'
import { createSqliteHarness, type SqliteHarness } from '../../store/sqlite-harness.ts'

let harness: SqliteHarness
let store: Store
beforeEach(async () => {
  harness = createSqliteHarness()
  store = await harness.open()
})
afterEach(() => harness.close())

async function ask(operation: Operation, values: RawValues) {
  const zones = await store.zones.list()
  const invocation = invocationOf(operation, values, checkContext({ zones }))
  const answer = await invocation.run(operationContext({}, { store, zones }))
  expect(messageProblems(answer.message)).toEqual([])
  return { ...answer, text: answer.message.text, invocation }
}
const refusal = (operation: Operation, values: RawValues) =>
  ask(operation, values).then(
    () => undefined,
    (error: unknown) =>
      error instanceof UserError ? { code: error.code, said: `${error.message} ${error.hint}` } : error,
  )
const names = async () => (await store.zones.list()).map(({ kind, name, zoneId }) => `${kind} ${name} ${zoneId}`)
const record = async () =>
  (await store.audit.list({ limit: 10 })).map(({ event, actor, summary }) => [event, actor, summary])

describe('naming a zone', () => {
  it('keeps the name, records who gave it, and offers to undo it', async () => {
    const { text, buttons } = await ask(zonesAdd, { kind: 'pull', id: '9007199254740993', name: 'Shop.eu' })
    expect(await names()).toEqual(['pull Shop.eu 9007199254740993'])
    expect(await record()).toEqual([['zone_added', 'U1', 'Named pull zone 9007199254740993 Shop.eu']])
    expect(text).toContain('Shop.eu is now the name of pull zone 9007199254740993.')
    expect(text).toContain('/cdn logs Shop.eu')
    expect(buttons).toEqual([
      { kind: 'page', label: 'Undo', operation: 'zones remove', values: { kind: 'pull', name: 'Shop.eu' } },
    ])
  })

  it('gives the same name to zones of different kinds', async () => {
    for (const kind of ['pull', 'storage', 'dns']) await ask(zonesAdd, { kind, id: '7', name: 'shop' })
    expect(await names()).toEqual(['dns shop 7', 'pull shop 7', 'storage shop 7'])
  })

  it('changes nothing when the zone has the name already, and says so', async () => {
    await ask(zonesAdd, { kind: 'pull', id: '7', name: 'shop' })
    const { text, buttons } = await ask(zonesAdd, { kind: 'pull', id: '7', name: 'SHOP' })
    expect(text).toBe('shop is already the name of pull zone 7. Nothing was changed.')
    expect(buttons).toBeUndefined()
    expect(await record()).toHaveLength(1)
  })

  it('refuses a name that another zone of the kind has', async () => {
    await ask(zonesAdd, { kind: 'pull', id: '7', name: 'shop' })
    expect(await refusal(zonesAdd, { kind: 'pull', id: '8', name: 'shop' })).toEqual({
      code: 'invalid_input',
      said: 'The name shop already belongs to pull zone 7. Nothing was changed. Take another name, or remove that one first: /cdn zones remove pull shop',
    })
    expect(await names()).toEqual(['pull shop 7'])
  })

  it('refuses one name more than there is room for', async () => {
    await fill(MAX_ZONE_NAMES - 1)
    await ask(zonesAdd, { kind: 'dns', id: '7', name: 'last' })
    expect(await refusal(zonesAdd, { kind: 'dns', id: '7', name: 'beyond' })).toMatchObject({ code: 'busy' })
  })

  it.each([
    ['12345', 'name: A name cannot be digits only: it would be taken for an id.'],
    [
      'a b',
      'name: A name is made of letters, digits, points, hyphens and underscores, and begins with a letter or digit.',
    ],
    ['-shop', 'name: A name is made of'],
    ['<!channel>', 'name: A name is made of'],
    ['ѕhop', 'name: A name is made of'],
    ['x'.repeat(41), 'name: Name has 41 characters; at most 40 are allowed.'],
  ])('refuses the name %s', (name, problem) => {
    expect(problemsOf(zonesAdd, { kind: 'pull', id: '7', name })).toEqual([expect.stringContaining(problem)])
  })

  it.each(['7', 'x'.repeat(40), 'a1', '1a', 'a.b-c_D'])('takes the name %s unless it is a number', (name) => {
    expect(problemsOf(zonesAdd, { kind: 'pull', id: '7', name })).toHaveLength(name === '7' ? 1 : 0)
  })
})

describe('taking a name away', () => {
  beforeEach(async () => {
    await ask(zonesAdd, { kind: 'pull', id: '7', name: 'shop' })
    await ask(zonesAdd, { kind: 'dns', id: '8', name: 'site' })
  })

  it('needs no kind where only one zone has the name, and offers to undo it', async () => {
    const { text, buttons } = await ask(zonesRemove, { name: 'SITE' })
    expect(await names()).toEqual(['pull shop 7'])
    expect((await record())[0]).toEqual(['zone_removed', 'U1', 'Removed the name site of DNS zone 8'])
    expect(text).toContain('The name site of DNS zone 8 is removed.')
    expect(buttons).toEqual([
      { kind: 'page', label: 'Undo', operation: 'zones add', values: { kind: 'dns', id: '8', name: 'site' } },
    ])
  })

  it('asks for the kind where several zones have the name', async () => {
    await ask(zonesAdd, { kind: 'dns', id: '9', name: 'Shop' })
    const zones = await store.zones.list()
    expect(problemsOf(zonesRemove, { name: 'shop' }, checkContext({ zones }))).toEqual([
      'kind: shop is the name of a DNS zone and of a pull zone: say which kind.',
    ])
    await ask(zonesRemove, { kind: 'dns', name: 'shop' })
    expect(await names()).toEqual(['dns site 8', 'pull shop 7'])
  })

  it.each([
    [{ name: 'nobody' }, 'No single zone is named nobody, so nothing was removed.'],
    [{ kind: 'storage', name: 'shop' }, 'No storage zone is named shop, so nothing was removed.'],
  ])('refuses %j', async (values, said) => {
    expect(await refusal(zonesRemove, values)).toMatchObject({ said: expect.stringContaining(said) })
    expect(await names()).toHaveLength(2)
  })

  it('undoes and is undone by the values on the buttons', async () => {
    const removed = await ask(zonesRemove, { name: 'shop' })
    const undo = removed.buttons?.[0]
    if (undo?.kind !== 'page') throw new Error('There is no way to undo it')
    const added = await ask(zonesAdd, undo.values)
    expect(await names()).toEqual(['dns site 8', 'pull shop 7'])
    const again = added.buttons?.[0]
    if (again?.kind !== 'page') throw new Error('There is no way to undo it')
    await ask(zonesRemove, again.values)
    expect(await names()).toEqual(['dns site 8'])
  })
})

describe('listing names', () => {
  it('says what a name is good for when there is none', async () => {
    const { text, buttons } = await ask(zonesList, {})
    expect(text).toBe('No zone has a name yet. A name can be typed wherever an id can, and forms offer it.')
    expect(buttons).toEqual([{ kind: 'form', label: 'Name a zone', operation: 'zones add', values: {} }])
    expect((await ask(zonesList, { kind: 'dns' })).text).toContain('No DNS zone has a name yet.')
  })

  it('shows names, kinds and ids, all or of one kind, with a button for each kind there is', async () => {
    await ask(zonesAdd, { kind: 'pull', id: '7', name: 'shop' })
    await ask(zonesAdd, { kind: 'dns', id: '8', name: 'site' })
    const all = await ask(zonesList, {})
    expect(all.text).toContain('2 names of zones.')
    expect(all.text).toContain('Name shop, Kind pull zone, Id 7, Named 2026-11-20 12:00 UTC')
    expect(all.buttons?.map(({ label }) => label)).toEqual(['Only pull zones', 'Only DNS zones', 'Name a zone'])
    const one = await ask(zonesList, { kind: 'dns' })
    expect(one.text).toContain('1 name of DNS zones.')
    expect(one.text).not.toContain('shop')
    expect(one.buttons?.map(({ label }) => label)).toEqual(['Name a zone'])
  })

  it('says how many of very many names the table holds', async () => {
    await fill(MAX_ZONE_NAMES)
    const { text, message } = await ask(zonesList, {})
    expect(text).toContain('500 names of zones.')
    expect(text).toContain('more')
    expect(JSON.stringify(message.blocks)).toMatch(/The table shows the first \d+\. List one kind/)
  })
})

/** Past the program, in one statement: hundreds of transactions would take seconds. */
async function fill(count: number): Promise<void> {
  await harness.sql(`
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})
    insert into zone_names (kind, folded_name, name, zone_id, added_by, added_at)
    select iif(n % 2, 'pull', 'dns'), 'zone-' || n, 'zone-' || n, n, 'U1', 1795168800000 from numbers`)
}
