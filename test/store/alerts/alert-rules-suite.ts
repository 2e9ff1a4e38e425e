import { expect, test } from 'vitest'
import { type AlertRule, MAX_ALERT_RULES } from '../../../src/store/schema/alert-records.ts'
import { takeNotices } from '../../support/notices.ts'
import { OPENED, incident, look, newPost, rule, told } from '../alert-fixtures.ts'
import { type StoreHarness, entry } from '../harness.ts'
import { useStore } from '../use-store.ts'

/** What is watched, on any engine. */
export function alertRulesSuite(harness: StoreHarness): void {
  const store = useStore(harness)
  const ids = (rules: readonly AlertRule[] | 'full') => (rules === 'full' ? rules : rules.map(({ id }) => id))
  const named = (event: 'alert_added' | 'alert_removed' | 'alert_resumed') => (rules: readonly AlertRule[]) =>
    entry(event, { summary: rules.map(({ id }) => id).join(' ') })
  const add = (...rules: AlertRule[]) => store.alertRules.add(rules, named('alert_added'))
  const remove = (...rules: string[]) => store.alertRules.remove(rules, named('alert_removed'))
  const recorded = async () =>
    (await store.audit.list({ limit: 100 })).toReversed().map(({ event, summary }) => `${event} ${summary}`)
  const paused = { pausedWhy: 'The channel is archived', pausedAt: OPENED }
  const pause = (channelId: string) =>
    store.alertRules.pause(channelId, paused.pausedWhy, {
      at: OPENED,
      entry: (rules) => entry('alert_paused', { summary: rules.map(({ id }) => id).join(' ') }),
      notices: (rules) => [{ recipient: 'U1', message: rules.length }],
    })

  test('rules are added with one entry, listed, and found', async () => {
    const first = rule('r1', { mention: 'S1', runbook: 'https://wiki.example/1' })
    const second = rule('r2', { channelId: 'C2', kind: 'cache-not-working', parameters: {} })
    const third = rule('r3', { subject: 'account', kind: 'api-keys-changed' })
    const fourth = rule('r4', { kind: 'a' })
    expect(await add(first, second, third, fourth)).toEqual([first, second, third, fourth])
    expect(await store.alertRules.list()).toEqual([third, fourth, first, second])
    expect(await store.alertRules.list('C1')).toEqual([third, fourth, first])
    expect(await remove('r1', 'r4', 'r3')).toEqual([third, fourth, first])
    expect(await recorded()).toEqual(['alert_added r1 r2 r3 r4', 'alert_removed r3 r4 r1'])
  })

  test('as many as there may be are added at once, each in its place, and removed at once', async () => {
    await add(rule('old', { subject: 'pull/7' }))
    const fresh = Array.from({ length: 1_200 }, (_, n) => rule(`r${n}`, { subject: `pull/${n}` }))
    const standing = await store.alertRules.add(fresh, () => entry('alert_added'))
    if (standing === 'full') throw new Error('There is room')
    expect(standing.map(({ id }) => id)).toEqual(fresh.map(({ id }, n) => (n === 7 ? 'old' : id)))
    expect(await store.alertRules.list()).toHaveLength(1_200)
    const ids = standing.map(({ id }) => id)
    expect(await store.alertRules.remove(ids, () => entry('alert_removed'))).toHaveLength(1_200)
    expect(await store.alertRules.list()).toEqual([])
    const twice = rule('r2', { parameters: { critical: 30 } })
    expect(await add(rule('r1'), twice)).toEqual([rule('r1'), { ...twice, id: 'r1' }])
  })

  test('the same rule again has other parameters, its own id and no pause', async () => {
    await add(rule('r1', { mention: 'S1', escalate: 'U7', escalateAfterMs: 60_000 }))
    await pause('C1')
    const again = rule('r2', { parameters: { critical: 30 }, createdBy: 'U2' })
    expect(await add(again)).toEqual([rule('r1', { parameters: { critical: 30 } })])
    const next = { escalate: 'S7', escalateAfterMs: 86_400_000 }
    expect(await add({ ...again, ...next })).toEqual([rule('r1', { parameters: { critical: 30 }, ...next })])
    expect(await store.alertRules.list()).toHaveLength(1)
  })

  test('what is added, removed or paused without an entry that can be written is not', async () => {
    const tooLong = () => entry('alert_added', { summary: 'x'.repeat(2_001) })
    await expect(store.alertRules.add([rule('r1')], tooLong)).rejects.toThrow('Too big')
    expect(await store.alertRules.list()).toEqual([])
    await add(rule('r1'))
    await expect(store.alertRules.remove(['r1'], tooLong)).rejects.toThrow('Too big')
    expect(await store.alertRules.list()).toHaveLength(1)
  })

  test('a channel’s rules are paused once, told once, and go on when somebody says', async () => {
    await add(rule('r1'), rule('r2', { channelId: 'C2' }))
    expect(await pause('C1')).toEqual([rule('r1', paused)])
    expect(await pause('C1')).toEqual([])
    expect(await takeNotices(store)).toMatchObject([{ recipient: 'U1', message: 1 }])
    const resume = () => store.alertRules.resume(['r1', 'r2'], named('alert_resumed'))
    expect(await resume()).toEqual([rule('r1')])
    expect(await resume()).toEqual([])
    expect(await recorded()).toEqual(['alert_added r1 r2', 'alert_paused r1', 'alert_resumed r1'])
  })

  test('managed rules are exactly those of the file, and no command changes them', async () => {
    const managed = { createdBy: 'configuration' }
    const later = new Date(OPENED.getTime() + 1)
    const entries: (readonly string[])[] = []
    const manage = (...rules: AlertRule[]) =>
      store.alertRules.manage(rules, (changes) => {
        entries.push(changes)
        return entry('alert_added')
      })
    await add(rule('r1'))
    await manage(rule('m1', managed), rule('m2', { ...managed, subject: 'account' }))
    expect(ids(await store.alertRules.list())).toEqual(['m2', 'r1'])
    await manage(rule('m1', managed), rule('m2', { ...managed, subject: 'account' }))
    expect(await remove('r1', 'm2')).toEqual([])
    expect(await add(rule('r2', { parameters: {} }))).toEqual([rule('r1', managed)])
    await manage(rule('m1', { ...managed, parameters: {} }))
    expect(await store.alertRules.list()).toEqual([rule('r1', { ...managed, parameters: {} })])
    expect(entries).toEqual([
      ['changed: origin-failing of pull/301 in C1', 'added: origin-failing of account in C1'],
      ['removed: origin-failing of account in C1', 'changed: origin-failing of pull/301 in C1'],
    ])
    expect(await recorded()).toHaveLength(3)
    let of = rule('m1', { ...managed, parameters: { a: 1, b: 2 } })
    await manage(of)
    for (const more of [{ parameters: { b: 2, a: 1 } }, { createdAt: later }, { createdBy: 'U1' }])
      await manage({ ...of, ...more })
    expect(entries).toHaveLength(3)
    const contacts = { mention: 'S1', escalate: 'U7', escalateAfterMs: 60_000, runbook: 'https://wiki.example/1' }
    for (const [name, value] of Object.entries(contacts)) {
      of = { ...of, [name]: value }
      await manage(of)
      expect(await store.alertRules.list()).toEqual([{ ...of, id: 'r1' }])
    }
    expect(entries).toHaveLength(7)
  })

  test('a removed rule takes its states along, and a look that knew it begins anew', async () => {
    await add(rule('r1'), rule('r2', { kind: 'cache-not-working' }))
    const states = ['r1', 'r2'].map((ruleId) => ({ ruleId, subject: 'pull/301', state: ruleId }))
    await look(store, harness.clock, { states })
    expect(ids(await remove('r1', 'gone'))).toEqual(['r1'])
    const view = await store.alerts.view('pull/301', harness.clock.now())
    expect(view.states).toEqual([states[1]])
    expect(await look(store, harness.clock, { revision: 1, states })).toBe(false)
    expect(await look(store, harness.clock, { states })).toBe(true)
    expect((await store.alerts.view('pull/301', harness.clock.now())).states).toEqual([states[1]])
    expect(await remove('r1')).toEqual([])
    expect(await recorded()).toEqual(['alert_added r1 r2', 'alert_removed r1'])
  })

  test('an incident without a rule left ends: what was told says so, what was not is not, and webhooks hear of both', async () => {
    const { clock } = harness
    await add(rule('r1'), rule('r2', { channelId: 'C2' }), rule('r3', { kind: 'cache-not-working' }))
    const posts = (['card', 'reply'] as const).flatMap((what) =>
      ['i1', 'i2'].map((incidentId, n) => newPost(clock, { incidentId, channelId: `C${n + 1}`, what })),
    )
    await look(store, clock, { incidents: [incident('i1'), incident('i2', { channelId: 'C2' })], posts })
    const [card] = await store.outbox.claim(1)
    await store.outbox.delivered(card!, { messageTs: '1.1', revision: 1, at: OPENED })
    await remove('r1')
    expect(await store.alerts.incidents({ open: true, limit: 9 })).toHaveLength(2)
    await remove('r2', 'r3')
    expect(await store.alerts.incidents({ open: true, limit: 9 })).toEqual([])
    const shown = { revision: 2, shownRevision: 1, messageTs: '1.1', postedAt: OPENED }
    const { endedAt } = (await store.alerts.incident('i1'))!
    expect(await store.alerts.incident('i1')).toEqual({ ...incident('i1'), ...shown, endedAt })
    expect(Math.abs(Number(endedAt) - clock.now().getTime())).toBeLessThan(10_000)
    expect(told(await store.outbox.claim(9))).toEqual(['card i1', 'webhook i1'])
    expect(await store.outbox.waitingPosts()).toMatchObject({ count: 3 })
  })

  test('an incident that is being told when its last rule goes is told once more, as what has ended', async () => {
    const { clock } = harness
    await add(rule('r1'))
    await look(store, clock, { incidents: [incident('i1')], posts: [newPost(clock, { what: 'card' })] })
    const [card] = await store.outbox.claim(1)
    await remove('r1')
    await store.outbox.delivered(card!, { messageTs: '1.1', revision: 1, at: OPENED })
    expect(told(await store.outbox.claim(9))).toEqual(['card i1', 'webhook i1'])
  })

  test('a rule about every storage zone holds the incidents of each, and ends them when it goes', async () => {
    const { clock } = harness
    const subject = 'storage/55'
    await add(rule('r1', { subject: 'storage/*' }), rule('r2', { subject: 'storage/56' }))
    await look(store, clock, { subject, incidents: [incident('i1', { subject })] })
    await remove('r2')
    expect(await store.alerts.incidents({ open: true, limit: 9 })).toHaveLength(1)
    await remove('r1')
    expect(await store.alerts.incidents({ open: true, limit: 9 })).toEqual([])
    expect(await look(store, clock, { subject, revision: 1 })).toBe(false)
  })

  test('there is room for a bounded number of rules', async () => {
    const rows = Array.from({ length: MAX_ALERT_RULES - 1 }, (_, n) => `('n${n}', 'k', 's${n}', 'C1', '{}', 'U1', 1)`)
    await harness.sql(`insert into alert_rules (id, kind, subject, channel_id, parameters, created_by, created_at)
      values ${rows.join(', ')}`)
    expect(await add(rule('r1'), rule('r2', { channelId: 'C2' }))).toBe('full')
    expect(ids(await store.alertRules.list())).not.toContain('r1')
    expect(ids(await add(rule('r1'), rule('r1')))).toEqual(['r1', 'r1'])
    expect(await add(rule('r2', { channelId: 'C2' }))).toBe('full')
    expect(ids(await add(rule('r3', { kind: 'k', subject: 's1' })))).toEqual(['n1'])
    await expect(
      store.alertRules.manage([rule('m1', { channelId: 'C3' })], () => entry('alert_added')),
    ).rejects.toThrow(RangeError)
  })
}
