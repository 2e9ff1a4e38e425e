import { expect, it } from 'vitest'
import { evaluateStorage } from '../../../src/alerts/incidents/evaluation.ts'
import { createKeyEvents, type KeyChange } from '../../../src/alerts/watch/keys-watch.ts'
import { readIncidentDoc } from '../../../src/alerts/state/incident.ts'
import type { AlertRule, SubjectView } from '../../../src/store/schema/alert-records.ts'
import { rule } from '../evaluated-zone.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const DAY_MS = 86_400_000
const added: KeyChange = { what: 'new', id: '7', roles: ['Admin', 'User'] }
const keysRule = rule('api-keys-changed', { subject: 'account' })

function view(rules: readonly AlertRule[], more: Partial<SubjectView> = {}): SubjectView {
  return { rules, states: [], incidents: [], silences: [], marks: [], watch: undefined, ...more }
}

const looking = { now: NOW, newId: () => 'incident1', webhook: false }

it('tells of changed keys once, as an event that has ended, in each channel with a rule', () => {
  const other = rule('api-keys-changed', { subject: 'account', channelId: 'C2' })
  const { incidents, posts } = createKeyEvents({ view: view([keysRule, other]), ...looking }, [added])
  expect(incidents).toMatchObject([
    { channelId: 'C1', openedAt: NOW, endedAt: NOW, doc: { nature: 'event', alerts: [{ endedMs: NOW.getTime() }] } },
    { channelId: 'C2' },
  ])
  const doc = readIncidentDoc(JSON.parse(JSON.stringify(incidents[0]!.doc)))
  expect(doc.alerts[0]!.facts.sentence).toBe('API key 7 is new, with the roles Admin, User.')
  expect(posts).toMatchObject([{ what: 'card', dueAt: NOW }, { what: 'card' }])
  const { posts: told } = createKeyEvents({ view: view([keysRule]), ...looking, webhook: true }, [added])
  expect(told[1]!.what).toBe('webhook')
})

it('says what is gone and what has other roles', () => {
  const changes: readonly KeyChange[] = [
    { what: 'gone', id: '8', roles: [] },
    { what: 'roles changed', id: '9', roles: ['User'], before: ['Admin'] },
  ]
  const { incidents } = createKeyEvents({ view: view([keysRule]), ...looking }, changes)
  expect(readIncidentDoc(incidents[0]!.doc).alerts.map(({ facts }) => facts.sentence)).toEqual([
    'API key 8 is gone. It had no role.',
    'API key 9 now has the role User. Before, it had the role Admin.',
  ])
})

it('cuts roles that are long, so that the event can be told', () => {
  const changes: readonly KeyChange[] = [{ what: 'new', id: '7', roles: ['R'.repeat(5_000), 'a\u202Eb'] }]
  const { incidents } = createKeyEvents({ view: view([keysRule]), ...looking }, changes)
  const [alert] = readIncidentDoc(incidents[0]!.doc).alerts
  expect(alert!.facts.sentence).toBe(`API key 7 is new, with the roles ${'R'.repeat(59)}…, a\\u{202E}b.`)
})

it('counts the changes that have no room', () => {
  const changes = Array.from({ length: 30 }, (_, id): KeyChange => ({ ...added, id: String(id) }))
  const { incidents } = createKeyEvents({ view: view([keysRule]), ...looking }, changes)
  const { alerts } = readIncidentDoc(incidents[0]!.doc)
  expect(alerts).toHaveLength(20)
  expect(alerts.at(-1)!.facts.sentence).toMatch(/^11 more API keys/)
})

it('says nothing without changes, while silenced, and where the rule is paused', () => {
  const silence = { id: 's', subject: 'account', by: 'U2', from: new Date(0), until: new Date(NOW.getTime() + 1) }
  const paused = { ...keysRule, pausedWhy: 'The channel is archived.' }
  expect(createKeyEvents({ view: view([keysRule]), ...looking }, []).incidents).toEqual([])
  for (const held of [view([keysRule], { silences: [silence] }), view([paused])])
    expect(createKeyEvents({ view: held, ...looking }, [added]).posts).toEqual([])
})

/** Of a storage zone that was about alike until today. */
const days = Array.from({ length: 14 }, (_, ago) => ({
  dayMs: NOW.getTime() - (13 - ago) * DAY_MS,
  bytes: ago === 13 ? 9e12 : 1e12 + ago,
  files: 10_000,
}))

it('makes one incident of a storage zone, though the rule is about all of them', () => {
  const rules = [rule('storage-change', { subject: 'storage/*' })]
  const { states, incidents, posts } = evaluateStorage({ view: view(rules), zoneId: '55', days, ...looking })
  expect(states).toMatchObject([{ subject: 'storage/55', state: { phase: 'firing' } }])
  expect(incidents).toMatchObject([{ subject: 'storage/55', doc: { alerts: [{ subject: 'storage/55' }] } }])
  expect(posts).toMatchObject([{ what: 'card' }])
})

it('ends an incident with what was said last, where the store cannot read any more how its alert stood', () => {
  const rules = [rule('storage-change', { subject: 'storage/55' })]
  const opened = evaluateStorage({ view: view(rules), zoneId: '55', days, ...looking }).incidents[0]!
  const incident = { ...opened, shownRevision: 1, revision: 1 }
  const { incidents } = evaluateStorage({
    view: view(rules, { incidents: [incident], states: [] }),
    zoneId: '55',
    days: [],
    onlyTime: true,
    ...looking,
  })
  const [before, after] = [opened, incidents[0]!].map(
    ({ doc }) => readIncidentDoc(JSON.parse(JSON.stringify(doc))).alerts[0]!,
  )
  expect(after!.facts).toEqual(before!.facts)
  expect([before!.endedMs, after!.endedMs]).toEqual([undefined, NOW.getTime()])
})
