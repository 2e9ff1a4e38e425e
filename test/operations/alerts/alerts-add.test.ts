import { describe, expect, it, test } from 'vitest'
import { ALERT_KINDS, findAlertKind, FORMER_NAMES } from '../../../src/alerts/kinds/kinds.ts'
import { alertsAdd } from '../../../src/operations/alerts/alerts-add.ts'
import { alertsRemove } from '../../../src/operations/alerts/alerts-remove.ts'
import { alertsList } from '../../../src/operations/alerts/alerts-list.ts'
import { checkContext, problemsOf } from '../../support/operation-context.ts'
import { buttonValues } from '../../support/ask.ts'
import { createAlertsBench, ZONES } from './alerts-bench.ts'
import { forEachTest } from '../../support/for-each-test.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'

const ORIGIN = { kind: 'origin-failing', pullZone: '301' }
const MEANING = findAlertKind('origin-failing')?.parameters[0]?.meaning
const bench = forEachTest(createAlertsBench)
const problems = (values: Record<string, string>) => problemsOf(alertsAdd, values, checkContext({ zones: ZONES }))

describe('adding an alert', () => {
  it('turns it on with what is set, records it, and offers to take it back', async () => {
    const [kind, mention] = ['origin-failing', 'S0123']
    const { text, buttons } = await bench.ask(alertsAdd, { kind, pullZone: 'shop', critical: '7', mention })
    const [rule] = await bench.store.alertRules.list()
    expect(rule).toMatchObject({ kind, subject: 'pull/301', channelId: 'C1', parameters: { critical: 7 }, mention })
    expect(text).toBe(
      'Origin failing for pull zone shop (301) is on here. Set: critical 7 %. Critical ones ping a group.',
    )
    expect(await bench.record()).toEqual([
      ['alert_added', `Turn on origin-failing for pull zone shop (301) (critical 7 %) in C1; calls ${mention}`],
    ])
    const values = { kind, pullZone: '301', critical: '7' }
    expect(buttons).toEqual([
      { kind: 'page', label: 'Undo', operation: 'alerts remove', values: { what: rule?.id } },
      { kind: 'form', label: 'Try it on the past', operation: 'alerts test', values },
    ])
    await bench.ask(alertsRemove, buttonValues({ buttons }, 'Undo'))
    expect(await bench.store.alertRules.list()).toEqual([])
  })

  it('of what is on changes what is given and keeps the rest, whom it pings included, and offers the former back', async () => {
    const given = { kind: 'origin-failing', pullZone: '301', critical: '8', mention: 'S0123', escalate: 'U0123' }
    await bench.ask(alertsAdd, { ...given, after: '20m' })
    const { text, buttons } = await bench.ask(alertsAdd, { kind: 'origin-failing', pullZone: '301', warning: '4' })
    expect(text).toBe(
      'Origin failing for pull zone shop (301) is changed. Set: warning 4 %, critical 8 %. Until now: warning 2 %; critical 8 %. ' +
        `Critical ones ping a group, and somebody if nobody acknowledges for 20 min.\n${MEANING}`,
    )
    expect(await bench.store.alertRules.list()).toMatchObject([
      { parameters: { warning: 4, critical: 8 }, mention: 'S0123', escalate: 'U0123', escalateAfterMs: 1_200_000 },
    ])
    const values = { ...given, after: '20m', exactly: 'true' }
    expect(buttons?.[0]).toEqual({ kind: 'page', label: 'Undo', operation: 'alerts add', values })
    await bench.ask(alertsAdd, values)
    expect(await bench.store.alertRules.list()).toMatchObject([{ parameters: { critical: 8 } }])
    expect((await bench.store.alertRules.list())[0]?.parameters).not.toHaveProperty('warning')
  })

  it('keeps a time to escalate that is no whole number of minutes', async () => {
    await bench.ask(alertsAdd, { kind: 'origin-failing', pullZone: '301', escalate: 'U0123', after: '1.1h' })
    expect(await bench.store.alertRules.list()).toMatchObject([{ escalateAfterMs: 3_960_000 }])
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

  it('refuses two that are at odds, and changes nothing', async () => {
    const odd = { kind: 'storage-change', 'also-warning': '90', 'also-critical': '80' }
    expect(await bench.refusal(alertsAdd, odd)).toBe(
      'also-critical of storage-change has to be at least also-warning: 80 and 90 do not go together. Nothing was done. Give both, as in: --warning 4 --critical 8',
    )
    expect(await bench.store.alertRules.list()).toEqual([])
  })

  it('says to the caller alone that nothing changed, and leaves no entry', async () => {
    const values = { kind: 'origin-failing', pullZone: '301', critical: '7', mention: 'S0123' }
    expect((await bench.ask(alertsAdd, values)).audience).toBeUndefined()
    const again = await bench.ask(alertsAdd, { ...values, critical: '7 %' })
    expect(again.text).toBe(
      'Origin failing for pull zone shop (301) is on already; nothing changed. Set: critical 7 %. Critical ones ping a group.',
    )
    expect(again.audience).toBe('caller')
    const exact = { ...values, exactly: 'true' }
    expect(again.buttons[0]).toEqual({
      kind: 'form',
      label: 'Change limits …',
      operation: 'alerts add',
      values: exact,
    })
    expect(await bench.record()).toHaveLength(1)
    expect((await bench.ask(alertsAdd, { ...values, critical: '8' })).audience).toBeUndefined()
    expect((await bench.record())[0]).toEqual([
      'alert_changed',
      'Change origin-failing for pull zone shop (301) (critical 8 %) in C1; calls S0123',
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

  test.each<[string, RawValues, string, string]>([
    ['storage-change', {}, 'storage/*', 'every storage zone with a name'],
    ['storage-change', { storageZone: '101' }, 'storage/101', 'storage zone shop (101)'],
    ['api-keys-changed', {}, 'account', 'the account'],
    ['cache-not-working', { pullZone: '302' }, 'pull/302', 'pull zone blog (302)'],
    ['cannot-look', { pullZone: '302' }, 'pull/302', 'pull zone blog (302)'],
  ])('is about what %s looks at, with %o, and offers what it can be tried on', async (kind, zone, subject, words) => {
    const { text, buttons } = await bench.ask(alertsAdd, { kind, ...zone })
    const [rule] = await bench.store.alertRules.list()
    expect(rule).toMatchObject({ kind, subject })
    expect(text).toBe(`${findAlertKind(kind)?.title} for ${words} is on here. Default limits. Nobody is pinged.`)
    expect((await bench.record())[0]?.[1]).toBe(`Turn on ${kind} for ${words} in C1`)
    const form = { kind: 'form', values: { kind, ...zone } }
    expect(buttons).toEqual([
      { kind: 'page', label: 'Undo', operation: 'alerts remove', values: { what: rule?.id } },
      { ...form, label: 'Ping somebody …', operation: 'alerts add', values: { ...form.values, mention: '' } },
      ...(kind === 'cache-not-working' ? [{ ...form, label: 'Try it on the past', operation: 'alerts test' }] : []),
    ])
  })

  test.each([
    [{ kind: 'origin-failing' }, 'pullZone: origin-failing needs a pull zone to look at.'],
    [{ ...ORIGIN, storageZone: '101' }, 'storageZone: origin-failing looks at a pull zone, so leave this out.'],
    [{ ...ORIGIN, kind: 'api-keys-changed' }, 'pullZone: api-keys-changed looks at the account, so leave this out.'],
    [{ ...ORIGIN, quota: '5' }, 'quota: origin-failing has no parameter quota. It has warning, critical.'],
    [{ kind: 'api-keys-changed', lost: '5' }, 'lost: api-keys-changed has no parameter lost. It has none.'],
    [{ ...ORIGIN, critical: '95.1' }, 'critical: critical of origin-failing is a number from 0 to 95, in %.'],
    [{ ...ORIGIN, critical: '20 points' }, 'critical: critical of origin-failing is a number from 0 to 95, in %.'],
    [{ ...ORIGIN, warning: '1,5 %' }, 'warning: warning of origin-failing is a number from 0 to 90, in %.'],
    [{ ...ORIGIN, kind: 'traffic-surge', warning: '1.4' }, /is a number from 1\.5 to 100, in times\.$/],
    [
      { ...ORIGIN, warning: '8', critical: '7' },
      'all: critical of origin-failing has to be at least warning: 7 and 8 do not go together.',
    ],
    [{ ...ORIGIN, after: '20m' }, 'escalate: After needs --escalate: whom to mention then.'],
    [
      { ...ORIGIN, escalate: 'U0123', after: '1h 30mn' },
      'after: After is a length of time from 1m to 1d, such as 90m, 8h or 2d.',
    ],
    [{ kind: 'weather', pullZone: '301' }, /^kind: Kind cannot be weather\. It is one of origin-failing, /],
    [{ kind: 'stale-shar', pullZone: '301' }, /^kind: Kind cannot be stale-shar\. Did you mean origin-failing\?/],
    [{ ...ORIGIN, mention: '@nobody' }, /^mention: Mention is no user group/],
  ])('refuses what the kind cannot be given: %o', (values, said) => {
    const parsed = alertsAdd.parse(values, checkContext({ zones: ZONES }))
    const [first] = problems(values)
    if (typeof said === 'string') expect(first).toBe(said)
    else expect(first).toMatch(said)
    // What is missing is asked for with the form.
    const missing = parsed.ok ? [] : parsed.issues.filter((issue) => issue.missing === true)
    expect(missing.map(({ field }) => field)).toEqual(/ needs /.test(String(said)) ? [first?.split(':')[0]] : [])
  })

  test.each([
    ['origin-failing', 'warning', '3', 3],
    ['origin-failing', 'warning', '3%', 3],
    ['origin-failing', 'warning', '2.5 %', 2.5],
    ['origin-failing', 'warning', '0', 0],
    ['origin-failing', 'critical', '95', 95],
    ['cache-not-working', 'warning', '8 %', 8],
    ['cache-not-working', 'warning', '8 points', 8],
    ['cannot-look', 'warning', '5 minutes', 5],
    ['traffic-surge', 'warning', '1.5times', 1.5],
  ])('takes of %s as %s %s', async (kind, name, typed, value) => {
    await bench.ask(alertsAdd, { kind, pullZone: '301', [name]: typed })
    expect(await bench.store.alertRules.list()).toMatchObject([{ parameters: { [name]: value } }])
  })

  it('takes a quota as large as its kind allows', async () => {
    await bench.ask(alertsAdd, { kind: 'storage-change', quota: '1000000000000000000' })
    expect(await bench.store.alertRules.list()).toMatchObject([{ parameters: { quota: 1e18 } }])
  })

  it('takes every parameter of every kind by its own name, and has it in its form in the words of that kind', () => {
    const [page] = alertsAdd.form ?? []
    for (const { name: kind, subject, parameters } of ALERT_KINDS) {
      const zone = subject === 'pull' ? { pullZone: '301' } : {}
      for (const { name, label, meaning, unit, default: usual } of parameters) {
        expect([name, problems({ kind, ...zone, [name]: String(usual) })]).toEqual([name, []])
        expect(page?.fields({ kind })).toContain(name)
        const hint = `${meaning.replace(/\.$/, '')}. In ${unit}; ${usual} unless given.`
        expect(page?.wording?.({ kind })).toHaveProperty(name, { label, hint })
      }
    }
  })

  test.each<[RawValues, readonly string[], readonly string[]]>([
    [{}, ['kind', 'pullZone'], ['pullZone']],
    [{ kind: ' 5XX' }, ['kind', 'pullZone', 'warning'], ['pullZone', 'warning', 'critical']],
    [{ kind: 'cache not working' }, ['kind', 'pullZone', 'warning'], ['pullZone', 'warning', 'critical', 'bypass']],
    [
      { kind: 'storage' },
      ['kind', 'storageZone', 'warning'],
      ['storageZone', 'warning', 'critical', 'also-warning', 'also-critical', 'quota', 'change', 'lost'],
    ],
    [{ kind: 'keys' }, ['kind'], []],
    [{ kind: 'my-shop' }, ['pullZone'], ['pullZone']],
  ])('takes what the kind %o has, typed or in its form', (values, positionals, fields) => {
    const [page] = alertsAdd.form ?? []
    expect(alertsAdd.positionals(values)).toEqual(positionals)
    expect(page?.fields(values)).toEqual(['kind', ...fields, 'mention', 'escalate', 'after', 'runbook'])
    expect(page?.wording?.(values)).toMatchObject({ pullZone: { needed: true }, mention: { needed: false } })
  })
})
