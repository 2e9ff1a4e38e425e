import { beforeEach, describe, expect, it } from 'vitest'
import type { NamedZone } from '../../../src/operations/declaration/field.ts'
import type { Operation, OperationContext } from '../../../src/operations/declaration/operation.ts'
import { zonesAdd, zonesList, zonesRemove } from '../../../src/operations/zones/zones.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { MAX_ZONE_NAMES } from '../../../src/store/zone-names.ts'
import { entry } from '../../store/harness.ts'
import { buttonValues, storeForEachTest } from '../../support/ask.ts'
import { catalogFor } from '../../support/role-catalog.ts'
import { checkContext, invocationOf, NOW, operationContext, problemsOf } from '../../support/operation-context.ts'

const { ask: askWith, store, harness } = storeForEachTest()

const MANAGED: readonly NamedZone[] = [
  { kind: 'dns', name: 'Shop', zoneId: '201', managed: true },
  { kind: 'pull', name: 'www', zoneId: '301', managed: true },
]

/** Asks with the names that are there, and those of a configuration. */
async function ask(
  operation: Operation,
  values: RawValues,
  managed: readonly NamedZone[] = [],
  more: Partial<OperationContext> = {},
) {
  return askWith(operation, values, { zones: [...managed, ...(await store().zones.list())], ...more })
}
const askManaged = (operation: Operation, values: RawValues) => ask(operation, values, MANAGED)
const problems = async (operation: Operation, values: RawValues, managed: readonly NamedZone[] = []) =>
  problemsOf(operation, values, checkContext({ zones: [...managed, ...(await store().zones.list())] }))
const names = async () => (await store().zones.list()).map(({ kind, name, zoneId }) => `${kind} ${name} ${zoneId}`)
const record = async () =>
  (await store().audit.list({ limit: 10 })).map(({ event, operation, actor, summary }) => [
    event,
    operation,
    actor,
    summary,
  ])
const inPanel = (place: string) => `Open in the panel (https://panel.example.com/${place})`

describe('naming a zone', () => {
  it('keeps the name, records who gave it, and offers to undo it', async () => {
    const { text, buttons } = await ask(zonesAdd, { kind: 'pull', id: '9007199254740993', name: 'Shop.eu' })
    expect(await names()).toEqual(['pull Shop.eu 9007199254740993'])
    expect(await record()).toEqual([['zone_added', 'zones add', 'U1', 'Named pull zone 9007199254740993 Shop.eu']])
    expect(text.split('\n')).toEqual([
      'Shop.eu is now the name of pull zone 9007199254740993.',
      'It can be typed wherever the id can: /cdn logs Shop.eu',
      inPanel('pull-zone/9007199254740993'),
    ])
    expect(buttons).toEqual([
      { kind: 'page', label: 'Undo', operation: 'zones remove', values: { kind: 'pull', name: 'Shop.eu' } },
    ])
  })

  it('gives the same name to zones of different kinds, once each, and says what is there already', async () => {
    for (const [kind, command] of Object.entries({ pull: 'logs', storage: 'storage stats', dns: 'dns add' })) {
      const { text } = await ask(zonesAdd, { kind, id: '7', name: 'shop' })
      expect(text.split('\n').slice(1)).toEqual([
        `It can be typed wherever the id can: /cdn ${command} shop`,
        inPanel(`${kind}-zone/7`),
      ])
    }
    expect(await names()).toEqual(['dns shop 7', 'pull shop 7', 'storage shop 7'])
    const { text, buttons } = await ask(zonesAdd, { kind: 'pull', id: '7', name: 'SHOP' })
    expect(text).toBe('shop is already the name of pull zone 7. Nothing was changed.')
    expect(buttons).toEqual([])
    await expect(ask(zonesAdd, { kind: 'pull', id: '8', name: 'shop' })).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'The name shop already belongs to pull zone 7. Nothing was changed.',
      hint: 'Take another name, or remove that one first: /cdn zones remove pull shop',
    })
    expect(await record()).toHaveLength(3)
  })

  it('refuses one name more than there is room for', async () => {
    await fill(MAX_ZONE_NAMES - 1)
    await ask(zonesAdd, { kind: 'dns', id: '7', name: 'last' })
    await expect(ask(zonesAdd, { kind: 'dns', id: '7', name: 'beyond' })).rejects.toMatchObject({
      code: 'busy',
      message: 'There are 500 names already, so none was added.',
      hint: 'Remove one first.',
    })
  })

  it.each([
    ['12345', 'A name cannot be digits only: it would be taken for an id.'],
    ['a b', 'A name is made of letters, digits, points, hyphens and underscores, and begins with a letter or digit.'],
    ['-shop', 'A name is made of'],
    ['-', 'A name is made of'],
    ['<!channel>', 'A name is made of'],
    ['ѕhop', 'A name is made of'],
    ['x'.repeat(41), 'Name has 41 characters; at most 40 are allowed.'],
  ])('refuses the name %s', async (name, problem) => {
    expect(await problems(zonesAdd, { kind: 'pull', id: '7', name })).toEqual([
      expect.stringContaining(`name: ${problem}`),
    ])
  })

  it.each(['x'.repeat(40), 'a1', '1a', 'a.b-c_D'])('takes the name %s', async (name) => {
    expect(await problems(zonesAdd, { kind: 'pull', id: '7', name })).toEqual([])
  })
})

describe('taking a name away', () => {
  beforeEach(async () => {
    await ask(zonesAdd, { kind: 'pull', id: '7', name: 'shop' })
    await ask(zonesAdd, { kind: 'dns', id: '8', name: 'site' })
  })

  it('needs no kind where only one zone has the name, and is undone by the values on its button', async () => {
    const removed = await ask(zonesRemove, { name: 'SITE' })
    expect(await names()).toEqual(['pull shop 7'])
    expect((await record())[0]).toEqual(['zone_removed', 'zones remove', 'U1', 'Removed the name site of DNS zone 8'])
    expect(removed.text.split('\n')).toEqual([
      'The name site of DNS zone 8 is removed.',
      'The zone itself is as it was; its id works as before.',
      inPanel('dns-zone/8'),
    ])
    expect(removed.labels).toEqual(['Undo'])
    const { text } = await ask(zonesRemove, { name: 'shop' }, [], { panel: () => undefined })
    expect(text).not.toContain('panel')
    await ask(zonesAdd, { kind: 'pull', id: '7', name: 'shop' })
    const added = await ask(zonesAdd, buttonValues(removed, 'Undo'))
    expect(await names()).toEqual(['dns site 8', 'pull shop 7'])
    await ask(zonesRemove, buttonValues(added, 'Undo'))
    expect(await names()).toEqual(['pull shop 7'])
  })

  it('asks for the kind where several zones have the name', async () => {
    await ask(zonesAdd, { kind: 'dns', id: '9', name: 'Shop' })
    expect(await problems(zonesRemove, { name: 'shop' })).toEqual([
      'kind: shop is the name of a DNS zone and of a pull zone: say which kind.',
    ])
    expect(invocationOf(zonesRemove, { kind: 'dns', name: 'shop' }).sentence).toBe('Remove the name shop of a DNS zone')
    await ask(zonesRemove, { kind: 'dns', name: 'shop' })
    expect(await names()).toEqual(['dns site 8', 'pull shop 7'])
  })

  it.each([
    [{ name: 'nobody' }, 'No single zone is named nobody, so nothing was removed.'],
    [{ kind: 'storage', name: 'shop' }, 'No storage zone is named shop, so nothing was removed.'],
  ])('refuses %j', async (values, message) => {
    const hint = 'See the names: /cdn zones list'
    await expect(ask(zonesRemove, values)).rejects.toMatchObject({ code: 'invalid_input', message, hint })
    expect(await names()).toHaveLength(2)
  })

  it('removes none where the name has meanwhile come to a second kind', async () => {
    await ask(zonesAdd, { kind: 'dns', id: '9', name: 'shop' })
    const removing = askWith(zonesRemove, { name: 'shop' }, { zones: [] })
    await expect(removing).rejects.toThrow('No single zone is named shop, so nothing was removed.')
    expect(await names()).toHaveLength(3)
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
    const unnamed = (where: string) =>
      `Zones without a name are not listed: they are in ${where}, and are typed by their id.`
    expect(all.text.split('\n')).toEqual([
      '2 names of zones.',
      'Name site, Kind DNS zone, Id 8, Named in Slack',
      'Name shop, Kind pull zone, Id 7, Named in Slack',
      unnamed('the panel (https://panel.example.com/)'),
    ])
    expect([all.table?.caption, all.table?.page_size]).toEqual(['Names of zones', 20])
    const only = (kind: string, of: string) => ({ kind: 'page', label: `Only ${of}s`, values: { kind } })
    const naming = { kind: 'form', label: 'Name a zone', operation: 'zones add', values: {} }
    expect(all.buttons).toEqual([only('pull', 'pull zone'), only('dns', 'DNS zone'), naming])
    const one = await ask(zonesList, { kind: 'dns' }, [], { panel: () => undefined })
    expect(one.text.split('\n').slice(2)).toEqual([unnamed('the panel')])
    expect([one.text.split('\n')[0], one.table?.caption]).toEqual(['1 name of DNS zones.', 'Names of DNS zones'])
    expect(one.buttons).toEqual([naming])
    const viewer = { ...operationContext().actor, role: 'viewer' } as const
    for (const kind of ['dns', 'storage'])
      expect((await ask(zonesList, { kind }, [], { catalog: catalogFor(viewer) })).buttons).toEqual([])
  })

  it('says how many of very many names the table holds', async () => {
    await fill(MAX_ZONE_NAMES)
    const { text, said } = await ask(zonesList, {})
    expect(text.split('\n')).toHaveLength(24)
    expect(text).toMatch(/^500 names of zones\.\n(Name .*\n)+and 480 more\nThe table shows .*\nZones /)
    expect(said).toContain('The table shows the first 100. List one kind to see the others.')
    const { said: ofOne } = await ask(zonesList, { kind: 'pull' })
    expect(ofOne).toContain('The table shows the first 100. A menu of zones in a form finds the others.')
  })
})

describe('names from the configuration', () => {
  it('are listed with those that people gave, and told from them', async () => {
    await askManaged(zonesAdd, { kind: 'pull', id: '7', name: 'img' })
    const pulls = (await askManaged(zonesList, { kind: 'pull' })).rows
    expect(pulls.map(([name]) => name)).toEqual(['www', 'img'])
    expect((await askManaged(zonesList, {})).rows).toEqual([
      ['Shop', 'DNS zone', '201', 'the configuration'],
      ['www', 'pull zone', '301', 'the configuration'],
      ['img', 'pull zone', '7', 'Slack'],
    ])
  })

  it('cannot be given to another zone of the kind, or be taken away', async () => {
    for (const name of ['shop', 'SHOP']) {
      expect(await problems(zonesAdd, { kind: 'dns', id: '7', name }, MANAGED)).toEqual([
        'name: Shop is the name of DNS zone 201 by the configuration, which no command changes. Take another name.',
      ])
    }
    expect(await problems(zonesAdd, { kind: 'storage', id: '7', name: 'shop' }, MANAGED)).toEqual([])
    for (const values of [{ name: 'shop' }, { kind: 'dns', name: 'shop' }]) {
      expect(await problems(zonesRemove, values, MANAGED)).toEqual([
        'name: Shop is the name of DNS zone 201 by the configuration: it goes when it is taken out there.',
      ])
    }
  })

  it('go before the same name that somebody gave earlier, which is told and can be taken away', async () => {
    const given = { kind: 'dns', name: 'SHOP', zoneId: '9', addedBy: 'U1', addedAt: NOW } as const
    await store().zones.add(given, entry('zone_added'))
    const { rows } = await askManaged(zonesList, {})
    expect(rows).toContainEqual(['SHOP', 'DNS zone', '9', 'Slack, but the configuration goes first'])
    const { text } = await askManaged(zonesRemove, { name: 'shop' })
    expect(text).toContain('The name SHOP of DNS zone 9 is removed.')
    expect(await names()).toEqual([])
  })

  it('leave the same name of another kind to be removed', async () => {
    await ask(zonesAdd, { kind: 'pull', id: '7', name: 'shop' })
    expect(await problems(zonesRemove, { kind: 'pull', name: 'shop' }, MANAGED)).toEqual([])
    expect(await problems(zonesRemove, { name: 'shop' }, MANAGED)).toEqual([
      'kind: shop is the name of a DNS zone and of a pull zone: say which kind.',
    ])
  })
})

it('changes the names once for each delivery, however often it comes', async () => {
  const add = (id: string, key: string) => ask(zonesAdd, { kind: 'pull', id, name: 'img' }, [], once(key))
  const remove = (key: string) => ask(zonesRemove, { kind: 'pull', name: 'img' }, [], once(key))
  const once = (key: string) => ({ once: { key, notAfterMs: Number.MAX_SAFE_INTEGER } })
  await add('7', 'first')
  await remove('second')
  await expect(add('7', 'first')).rejects.toMatchObject({ code: 'repeated' })
  expect(await names()).toEqual([])
  await add('8', 'third')
  await expect(remove('second')).rejects.toMatchObject({ code: 'repeated' })
  expect(await names()).toEqual(['pull img 8'])
})

/** Past the program, in one statement: hundreds of transactions would take seconds. */
async function fill(count: number): Promise<void> {
  await harness().sql(`
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})
    insert into zone_names (kind, folded_name, name, zone_id, added_by, added_at)
    select iif(n % 2, 'pull', 'dns'), 'zone-' || n, 'zone-' || n, n, 'U1', 1795168800000 from numbers`)
}
