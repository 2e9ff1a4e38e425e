import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requestFields } from '../../src/operations/dns/record-checks.ts'
import { DNS_FIELDS, RECORD_TYPES } from '../../src/operations/dns/record-fields.ts'
import { flagName } from '../../src/operations/declaration/usage.ts'
import type { ShownView } from '../../src/playground/slack/person.ts'
import { OLGA } from '../../src/playground/slack/state/seed.ts'
import { RECORD_CASES, type RecordCase } from '../support/dns-record-cases.ts'
import { inputsOf, Scene } from './scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await Scene.start()
  await scene.types(OLGA, '/cdn zones add dns 201 shop', { until: /shop.*201/ })
})
afterAll(async () => scene.close())

test('all 16 types and all 21 fields of the request are in the cases', () => {
  expect(RECORD_CASES.map(({ type }) => type)).toEqual(Object.keys(RECORD_TYPES))
  expect(new Set(RECORD_CASES.flatMap(({ body }) => Object.keys(body)))).toEqual(
    new Set(['Type', 'Name', ...Object.values(requestFields(undefined, {})).map(([name]) => name)]),
  )
})

describe.each(RECORD_CASES)('$type', (record) => {
  test('typed, it is reviewed and sent as the table says', async () => {
    const before = scene.stage.cdn.count('addDnsRecord')
    await scene.types(OLGA, typedCommand(record), { until: /═══ Review ═══/ })
    expect(scene.stage.cdn.count('addDnsRecord')).toBe(before)
    await confirmed(record, before)
  })

  test('by form, it is reviewed and sent as the table says', async () => {
    const before = scene.stage.cdn.count('addDnsRecord')
    await scene.types(OLGA, '/cdn dns add shop', { until: /═══ Add a DNS record ═══/ })
    const { chosen, entries } = formEntries(record)
    await scene.person(OLGA).choose('type', chosen)
    const view = await scene.stage.slack.until(() => {
      const shown = scene.person(OLGA).view()
      return Object.keys(entries).every((id) => inputsOf(shown).includes(id)) && shown
    })
    expect(new Set(inputsOf(view))).toEqual(new Set(['zone:dns', 'type', ...blocksOf(record)]))
    await offered(entries, view)
    await scene.submits(OLGA, entries, { until: /═══ Review ═══/ })
    expect(scene.stage.cdn.count('addDnsRecord')).toBe(before)
    await confirmed(record, before)
  })
})

/** A zone without a name is offered once its id has been typed into the menu. */
async function offered(entries: Readonly<Record<string, string>>, view: ShownView): Promise<void> {
  const menu = view.blocks.find((block) => block.type === 'input' && block.block_id === 'pullZone:pull')
  if (menu?.type !== 'input') return
  await scene.person(OLGA).suggest('pullZone:pull', menu.element.action_id ?? '', entries['pullZone:pull'])
}

/** The emulated account has no pull zone with an id beyond 2^53, so it refuses that one; what it was sent is the proof. */
async function confirmed(record: RecordCase, before: number): Promise<void> {
  const until = record.type === 'PullZone' ? /═══ Refused ═══/ : /═══ Done ═══[\s\S]*added an? .* to DNS zone/
  await scene.submits(OLGA, {}, { until })
  await scene.person(OLGA).closeView()
  const { cdn } = scene.stage
  expect(cdn.count('addDnsRecord')).toBe(before + 1)
  const sent = cdn.requests.findLast(({ endpoint }) => endpoint === 'addDnsRecord')
  expect(sent?.path).toBe('/dnszone/201/records')
  expect(onTheWire(sent?.body)).toEqual(onTheWire(record.body))
}

function typedCommand({ type, typed, further }: RecordCase): string {
  const flags = Object.entries(further).flatMap(([name, value]) =>
    String(value)
      .split('\n')
      .map((line) => `${flagName(name)}=${line.includes(' ') ? `"${line}"` : line}`),
  )
  return ['/cdn dns add shop', type, ...typed, ...flags].join(' ')
}

/** What is entered, by the ids of the inputs; a choice by its value as the menu has it. */
function formEntries(record: RecordCase): { chosen: string; entries: Record<string, string> } {
  const needs = RECORD_TYPES[record.type].needs
  const given = {
    ...Object.fromEntries(['name', ...needs].map((name, at) => [name, record.typed[at]!])),
    ...record.further,
  }
  const entries = Object.entries(given).map(([name, value]) => [blockOf(name), entered(name, String(value))])
  return { chosen: record.type, entries: Object.fromEntries(entries) }
}

function entered(name: string, value: string): string {
  const { control } = fieldNamed(name)
  if (control.kind !== 'choice') return value
  return control.choices.find((choice) => choice.value.toLowerCase() === value.toLowerCase())?.value ?? value
}

function blocksOf({ type }: RecordCase): readonly string[] {
  const { needs, takes } = RECORD_TYPES[type]
  return ['name', ...needs, ...takes].map(blockOf)
}

function blockOf(name: string): string {
  return name === 'pullZone' ? 'pullZone:pull' : name
}

function fieldNamed(name: string): (typeof DNS_FIELDS)[keyof typeof DNS_FIELDS] {
  return DNS_FIELDS[name as keyof typeof DNS_FIELDS]
}

/** Whole numbers as their digits: whether a program keeps them as number or bigint is its own affair. */
function onTheWire(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body, (_, value: unknown) =>
      Number.isInteger(value) || typeof value === 'bigint' ? String(value) : value,
    ),
  )
}
