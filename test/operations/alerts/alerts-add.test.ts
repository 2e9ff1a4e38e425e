import { describe, expect, it, test } from 'vitest'
import { ALERT_KINDS, findAlertKind, FORMER_NAMES } from '../../../src/alerts/kinds/kinds.ts'
import { alertsAdd } from '../../../src/operations/alerts/alerts-add.ts'
import { alertsRemove } from '../../../src/operations/alerts/alerts-remove.ts'
import { alertsList } from '../../../src/operations/alerts/alerts-list.ts'
import { checkContext, problemsOf } from '../../support/operation-context.ts'
import { formView } from '../../../src/slack/form/form-view.ts'
import { buttonValues } from '../../support/ask.ts'
import { createAlertsBench, ZONES } from './alerts-bench.ts'
import { forEachTest } from '../../support/for-each-test.ts'

const ORIGIN = { kind: 'origin-failing', pullZone: '301' }
const bench = forEachTest(createAlertsBench)
const problems = (values: Record<string, string>) => problemsOf(alertsAdd, values, checkContext({ zones: ZONES }))

describe('adding an alert', () => {
  it('turns it on with what is set, records it, and offers to take it back', async () => {
    const [kind, mention] = ['origin-failing', 'S0123']
    const { text, buttons } = await bench.ask(alertsAdd, { kind, pullZone: 'shop', critical: '7', mention })
    const [rule] = await bench.store.alertRules.list()
    expect(rule).toMatchObject({ kind, subject: 'pull/301', channelId: 'C1', parameters: { critical: 7 }, mention })
    expect(text).toContain('Set: critical 7')
    expect(await bench.record()).toEqual([
      ['alert_added', 'Turn on origin-failing for pull zone shop (301) (critical 7 %) in C1'],
    ])
    expect(buttons[0]).toMatchObject({ label: 'Undo', operation: 'alerts remove' })
    await bench.ask(alertsRemove, buttonValues({ buttons }, 'Undo'))
    expect(await bench.store.alertRules.list()).toEqual([])
  })

  it('of what is on changes what is given and keeps the rest, whom it pings included, and offers the former back', async () => {
    const given = { kind: 'origin-failing', pullZone: '301', critical: '8', mention: 'S0123', escalate: 'U0123' }
    await bench.ask(alertsAdd, { ...given, after: '20m' })
    const { text, buttons } = await bench.ask(alertsAdd, { kind: 'origin-failing', pullZone: '301', warning: '4' })
    expect(text).toContain('is changed. Set: warning 4 %, critical 8 %.')
    expect(await bench.store.alertRules.list()).toMatchObject([
      { parameters: { warning: 4, critical: 8 }, mention: 'S0123', escalate: 'U0123', escalateAfterMs: 1_200_000 },
    ])
    const values = { ...given, after: '20m', exactly: 'true' }
    expect(buttons?.[0]).toEqual({ kind: 'page', label: 'Undo', operation: 'alerts add', values })
    await bench.ask(alertsAdd, values)
    expect(await bench.store.alertRules.list()).toMatchObject([{ parameters: { critical: 8 } }])
    expect((await bench.store.alertRules.list())[0]?.parameters).not.toHaveProperty('warning')
  })

  test.each([
    ['the default', {}, { warning: '10' }, { warning: 10, critical: 10 }],
    ['what was set', { critical: '8' }, { warning: '9' }, { warning: 9, critical: 9 }],
    ['what was set, downwards', { warning: '3', critical: '8' }, { critical: '2' }, { warning: 2, critical: 2 }],
    ['nothing', { critical: '8' }, { warning: '6' }, { warning: 6, critical: 8 }],
  ])('takes the other limit along where the one that is given passes %s', async (_, before, given, set) => {
    const rule = { kind: 'origin-failing', pullZone: '301' }
    if (Object.keys(before).length > 0) await bench.ask(alertsAdd, { ...rule, ...before })
    const { text } = await bench.ask(alertsAdd, { ...rule, ...given })
    expect(text).toContain(`Set: warning ${set.warning} %, critical ${set.critical} %.`)
    expect(await bench.store.alertRules.list()).toMatchObject([{ parameters: set }])
  })

  test.each(['5xx', 'errors', 'stale'])('takes %s for the kind that looks at it', async (kind) => {
    await bench.ask(alertsAdd, { kind, pullZone: '301' })
    expect(await bench.store.alertRules.list()).toMatchObject([{ kind: 'origin-failing' }])
  })

  it('says to the caller alone that nothing changed, and leaves no entry', async () => {
    const values = { kind: 'origin-failing', pullZone: '301', critical: '7', mention: 'S0123' }
    expect((await bench.ask(alertsAdd, values)).audience).toBeUndefined()
    const again = await bench.ask(alertsAdd, { ...values, critical: '7 %' })
    expect(again.text).toContain('is on already; nothing changed. Set: critical 7 %.')
    expect(again.audience).toBe('caller')
    const exact = { ...values, exactly: 'true' }
    expect(again.buttons[0]).toMatchObject({ kind: 'form', label: 'Change limits …', values: exact })
    expect(await bench.record()).toHaveLength(1)
    expect((await bench.ask(alertsAdd, { ...values, critical: '8' })).audience).toBeUndefined()
    expect((await bench.record())[0]).toEqual([
      'alert_changed',
      'Change origin-failing for pull zone shop (301) (critical 8 %) in C1',
    ])
  })

  it('lifts a pause though nothing else changed', async () => {
    await bench.rule({})
    await bench.pause()
    await bench.ask(alertsAdd, { kind: 'origin-failing', pullZone: '301' })
    expect((await bench.store.alertRules.list())[0]?.pausedWhy).toBeUndefined()
  })

  it('keeps the address of a runbook, links it, and shows it in the list', async () => {
    const runbook = 'https://wiki.example/stale'
    const given = { kind: 'origin-failing', pullZone: '301', runbook: `<${runbook}|wiki>` }
    expect((await bench.ask(alertsAdd, given)).text).toContain(`Runbook (${runbook})`)
    expect(await bench.store.alertRules.list()).toMatchObject([{ runbook }])
    await bench.rule({ kind: 'cache-not-working', runbook })
    await bench.rule({ kind: 'storage-change', subject: 'storage/101' })
    const zones = [{ kind: 'storage', name: 'shop', zoneId: '101', runbook: 'https://wiki.example/zone' }] as const
    const { text } = await bench.ask(alertsList, {}, { zones })
    expect(text).toMatch(/^pull zone 301 · .* · Runbook \(https:\/\/wiki\.example\/stale\)$/m)
    expect(text).toMatch(/^storage zone shop \(101\) · .* · Runbook \(https:\/\/wiki\.example\/zone\)$/m)
    const { buttons } = await bench.ask(alertsAdd, { kind: 'origin-failing', pullZone: '301', exactly: 'true' })
    const added = (await bench.store.alertRules.list()).filter(({ kind }) => kind === 'origin-failing')
    expect(added).toMatchObject([{ runbook: undefined }])
    expect(buttons?.[0]).toMatchObject({ values: { kind: 'origin-failing', pullZone: '301', runbook } })
  })

  test.each([
    ['http://wiki.example', 'is not an https address'],
    ['wiki.example/stale', 'is not an https address'],
    ['javascript:alert(1)', 'is not an https address'],
    ['https://wiki.example/<!channel>', 'is not an https address'],
    ['https://me:secret@wiki.example', 'holds a user name or password'],
    ['https://wiki.example/a b', 'holds white space'],
    [`https://wiki.example/${'x'.repeat(480)}`, 'has 501 characters'],
  ])('takes no runbook at %s', (runbook, problem) => {
    expect(problems({ kind: 'origin-failing', pullZone: '301', runbook })).toEqual([
      expect.stringContaining(`runbook: Runbook ${problem}`),
    ])
  })

  it.each(Object.entries(FORMER_NAMES))('takes %s for what it is now: %s', async (former, kind) => {
    const zone = findAlertKind(kind)?.subject === 'pull' ? { pullZone: '301' } : {}
    const { text } = await bench.ask(alertsAdd, { kind: former.toUpperCase(), ...zone })
    expect(text).toContain(`${findAlertKind(kind)?.title} for`)
    expect(await bench.store.alertRules.list()).toMatchObject([{ kind }])
    expect((await bench.record())[0]?.[1]).toContain(`Turn on ${kind} for`)
  })

  it('changes what was stored under a former name: it is on once, and what of it has no meaning is not offered back', async () => {
    await bench.rule({ kind: 'stale-share', parameters: { critical: 7, 'long-window': 5 }, mention: 'S0123' })
    await bench.rule({ kind: 'error-share' })
    const { text, buttons } = await bench.ask(alertsAdd, { kind: 'origin-failing', pullZone: '301', critical: '9' })
    expect(text).toContain('is changed.')
    const values = { kind: 'origin-failing', pullZone: '301', mention: 'S0123', exactly: 'true' }
    expect(buttons?.[0]).toEqual({ kind: 'page', label: 'Undo', operation: 'alerts add', values })
    const listed = await bench.ask(alertsList, {})
    expect(listed.text).toContain('pull zone shop (301) · Origin failing: not looked at yet')
    expect(JSON.stringify(listed.buttons)).toContain('critical 9 %')
    await bench.ask(alertsRemove, { what: (await bench.store.alertRules.list())[0]?.id ?? '' })
    expect(await bench.store.alertRules.list()).toEqual([])
  })

  it('leaves alone what the configuration file asks for', async () => {
    await bench.rule({ createdBy: 'configuration' })
    expect(await bench.refusal(alertsAdd, { kind: 'origin-failing', pullZone: '301' })).toContain('configuration file')
  })

  test.each([
    [{ kind: 'storage-change' }, 'storage/*'],
    [{ kind: 'storage-change', storageZone: 'shop' }, 'storage/101'],
    [{ kind: 'api-keys-changed' }, 'account'],
    [{ kind: 'cache-not-working', pullZone: 'blog' }, 'pull/302'],
  ])('is about what the kind looks at: %o', async (values, subject) => {
    await bench.ask(alertsAdd, values)
    expect(await bench.store.alertRules.list()).toMatchObject([{ subject }])
  })

  test.each([
    [{ kind: 'origin-failing' }, 'pullZone: origin-failing needs a pull zone to look at.'],
    [{ ...ORIGIN, storageZone: '101' }, 'storageZone: origin-failing looks at a pull zone, so leave this out.'],
    [{ ...ORIGIN, kind: 'api-keys-changed' }, 'pullZone: api-keys-changed looks at the account, so leave this out.'],
    [{ ...ORIGIN, quota: '5' }, /^quota: origin-failing has no --quota\. It has --/],
    [{ ...ORIGIN, critical: '101' }, 'critical: Critical is a number from 0 to 95, in %.'],
    [{ kind: 'weather', pullZone: '301' }, /^kind: Kind cannot be weather\. It is one of origin-failing, /],
    [{ kind: 'stale-shar', pullZone: '301' }, /^kind: Kind cannot be stale-shar\. Did you mean origin-failing\?/],
    [{ ...ORIGIN, mention: '@nobody' }, /^mention: Mention is no user group/],
  ])('refuses what the kind cannot be given: %o', (values, said) => {
    const [first] = problems(values)
    if (typeof said === 'string') expect(first).toBe(said)
    else expect(first).toMatch(said)
  })

  test.each(['20', '20%', '20 %'])('takes %s for a share', async (critical) => {
    const { text } = await bench.ask(alertsAdd, { kind: 'origin-failing', pullZone: '301', warning: '3%', critical })
    expect(text).toContain('Set: warning 3 %, critical 20 %.')
    expect(await bench.store.alertRules.list()).toMatchObject([{ parameters: { warning: 3, critical: 20 } }])
  })

  test.each([
    ['origin-failing', 'critical', '20 points', 'Critical is a number from 0 to 95, in %.'],
    ['origin-failing', 'warning', '1,5 %', 'Warning is a number from 0 to 90, in %.'],
    ['traffic-surge', 'warning', '3%', /^Warning is a number from [\d.]+ to [\d,]+, in times\.$/],
  ])('tells %s the bounds of %s, and keeps %s in its field', (kind, name, typed, problem) => {
    const values = { kind, pullZone: '301', [name]: typed }
    const parsed = alertsAdd.parse(values, checkContext({ zones: ZONES }))
    const issues = parsed.ok ? [] : parsed.issues
    expect(issues).toEqual([{ field: name, problem: expect.stringMatching(problem) }])
    const view = formView({ operation: alertsAdd, step: 0, values, issues, changeId: 'c1', zones: ZONES })
    expect(view.blocks.find((block) => 'block_id' in block && block.block_id === name)).toMatchObject({
      element: { initial_value: typed },
    })
  })

  it('takes every parameter of every kind by its own name', () => {
    for (const kind of ALERT_KINDS) {
      const zone = kind.subject === 'pull' ? { pullZone: '301' } : {}
      for (const { name, default: usual } of kind.parameters) {
        const wrong = problems({ kind: kind.name, ...zone, [name]: String(usual) })
        expect([kind.name, name, wrong]).toEqual([kind.name, name, []])
      }
    }
  })

  it('shows in its form the parameters of the kind that is chosen, in the words of that kind', () => {
    const [page] = alertsAdd.form ?? []
    for (const kind of ALERT_KINDS) {
      const values = { kind: kind.name }
      const shown = page?.fields(values) ?? []
      expect(shown.length).toBe(5 + kind.parameters.length + (kind.subject === 'account' ? 0 : 1))
      const wording = page?.wording?.(values) ?? {}
      for (const { label } of kind.parameters) {
        expect(Object.values(wording).map((words) => words?.label)).toContain(label)
      }
    }
  })
})
