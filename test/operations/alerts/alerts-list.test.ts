import { describe, expect, it } from 'vitest'
import { ALERT_KINDS } from '../../../src/alerts/kinds/kinds.ts'
import { alertsKinds } from '../../../src/operations/alerts/alerts-kinds.ts'
import { alertsDigest } from '../../../src/operations/alerts/alerts-digest.ts'
import { alertsList } from '../../../src/operations/alerts/alerts-list.ts'
import { alertsMark } from '../../../src/operations/alerts/alerts-mark.ts'
import { alertsSilence } from '../../../src/operations/alerts/alerts-silence.ts'
import { count } from '../../../src/block-kit/amounts.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { formWith } from '../../../src/block-kit/message.ts'
import { NOW } from '../../support/operation-context.ts'
import { type AlertsBench, createAlertsBench, deskWith } from './alerts-bench.ts'
import { forEachTest } from '../../support/for-each-test.ts'

const bench = forEachTest(createAlertsBench)

const alerts = deskWith(() => undefined)
/** What stands behind “Rules and limits” as well. */
const whole = async (...asked: Parameters<AlertsBench['ask']>): Promise<string> => {
  const { text, buttons } = await bench.ask(...asked)
  return [text, ...buttons.flatMap((each) => (each.kind === 'more' ? [each.message.text] : []))].join('\n')
}

describe('the list of alerts', () => {
  it('says where each rule stands, what it read last, and what is set', async () => {
    const [rule, fires] = [await bench.rule({ parameters: { critical: 7 } }), { phase: 'firing', severity: 'critical' }]
    await bench.stand(rule, 'pull/301', fires, '12 % of 1,000 lines are STALE.', 'critical')
    const text = await whole(alertsList, {}, { alerts })
    expect(text).toMatch(
      /^Alerts here: 1 firing\npull zone shop \(301\) · Origin failing: 🔴 Critical, fires · pings nobody\n/,
    )
    expect(text).toMatch(
      /Zone shop \(301\), Alert .*, Now 🔴 Critical, fires, Last reading 2026-11-20 12:00: 12 % of 1,000/,
    )
    expect(text).toContain('Limits warning 2 %; critical 7 %')
    expect(text).toContain('every minute is read about 2 min after it ended')
  })

  it('has a way to the filled-in form of each rule of this channel that a command may change', async () => {
    await bench.rule({ parameters: { critical: 7 }, mention: 'S0123' })
    await bench.rule({ kind: 'api-keys-changed', subject: 'account' })
    await bench.rule({ channelId: 'C2' })
    await bench.rule({ kind: 'traffic-gone', createdBy: 'configuration' })
    const { buttons } = await bench.ask(alertsList, { all: 'true' }, { alerts })
    const values = { kind: 'origin-failing', pullZone: '301', critical: '7', mention: 'S0123' }
    expect(buttons?.find(({ kind }) => kind === 'more')).toMatchObject({
      buttons: [{ kind: 'form', label: 'Change shop (301): Origin failing …', operation: 'alerts add', values }],
    })
  })

  it('says when the digest comes, also where nothing is watched', async () => {
    const digest = { cadence: 'daily', at: '08:00', zone: 'Europe/Berlin' }
    const set = await bench.ask(alertsDigest, digest)
    expect(set.text).toContain('Nothing is watched in this channel yet')
    expect(set.buttons?.map(({ label }) => label)).toEqual(['Watch a zone', 'Undo'])
    const line = 'Digest: daily at 08:00 (Europe/Berlin), next 2026-11-21 07:00 UTC.'
    expect((await bench.ask(alertsList, {}, { alerts })).text).toContain(line)
    await bench.rule({})
    expect((await bench.ask(alertsList, {}, { alerts })).text).toContain(line)
    expect((await bench.ask(alertsDigest, digest)).text).not.toContain('Nothing is watched')
    await bench.ask(alertsDigest, { cadence: 'off' })
    expect((await bench.ask(alertsList, {}, { alerts })).text).not.toContain('Digest')
  })

  it('lists once what was stored under former names, by the new title and with what still counts', async () => {
    await bench.rule({ kind: 'stale-share', parameters: { critical: 7 } })
    await bench.rule({ kind: 'error-share' })
    await bench.rule({ kind: 'storage-growth', subject: 'storage/*', parameters: { quota: 5, warning: 9 } })
    const text = await whole(alertsList, {}, { alerts })
    expect(text).toContain('2 rules')
    expect(text.match(/Alert Origin failing/g)).toHaveLength(1)
    expect(text).not.toContain('critical 7 %')
    expect(text).toMatch(/Alert Storage growing or jumping.*Limits quota 5 bytes; warning 30 days;/)
  })

  it('says why something is held back: a silence, a mark, a pause', async () => {
    await bench.rule({})
    await bench.rule({ kind: 'cache-not-working' })
    await bench.rule({ kind: 'traffic-surge' })
    await bench.rule({ kind: 'traffic-gone', createdBy: 'configuration' })
    await bench.ask(alertsSilence, { zone: '301', kind: 'origin-failing', reason: 'Known.' })
    await bench.ask(alertsMark, { pullZone: '301', text: 'deploy 1.42' })
    const text = await whole(alertsList, {}, { alerts })
    expect(text).toMatch(
      /Kept quiet:\n(- .*\n)*- Origin failing .*: silenced by U1 until 2026-11-20 13:00 UTC: Known\./,
    )
    expect(text).toMatch(/- Cache not working for pull zone shop \(301\): “deploy 1\.42” was marked/)
    expect(text).toContain('From the configuration')
    expect(text).toMatch(/Silences:\n- Origin failing for pull zone shop \(301\).*alerts unsilence/)
    await bench.pause()
    const paused = await whole(alertsList, {}, { alerts })
    expect(paused).toMatch(/paused: The channel is archived\. Go on with \/cdn alerts resume/)
  })

  it('lists ten of what is held back, and says how many more there are', async () => {
    for (let each = 0; each < 12; each += 1) await bench.rule({ subject: `pull/${1_000 + each}` })
    await bench.pause()
    expect(await whole(alertsList, {}, { alerts })).toMatch(/Kept quiet:\n(- Origin.*\n){10}- and 2 more\n/)
  })

  it('says where a rule about every storage zone stands by the gravest of them', async () => {
    const rule = await bench.rule({ kind: 'storage-change', subject: 'storage/*' })
    expect(await whole(alertsList, {}, { alerts })).toContain('Now not looked at yet')
    await bench.stand(rule, 'storage/101', {}, 'On 2026-11-20 it holds 100 GB.')
    const text = await whole(alertsList, {}, { alerts })
    expect(text).toContain(
      'Now all is well, Last reading 2026-11-20 12:00: storage zone shop (101): On 2026-11-20 it holds',
    )
  })

  it('says of API keys when they were listed, and whether all of them were', async () => {
    await bench.rule({ kind: 'api-keys-changed', subject: 'account' })
    const listed = async (revision: number, watch: unknown): Promise<string> => {
      await bench.store.alerts.commit({ subject: 'account', revision, watch, states: [] })
      return whole(alertsList, {}, { alerts })
    }
    const lookedMs = NOW.getTime()
    expect(await listed(0, { lookedMs })).toMatch(
      /Now nothing can be said yet, Last reading 2026-11-20 12:00: The list/,
    )
    const groups = [{ roles: ['User'], ids: ['1', '2'] }]
    expect(await listed(1, { lookedMs, groups })).toContain(
      'Now all is well, Last reading 2026-11-20 12:00: 2 API keys',
    )
  })

  it('names what could not be read and what was given up, and never calls it quiet', async () => {
    await bench.rule({})
    const failure = { cause: 'limited', sinceMs: NOW.getTime() - 600_000 } as const
    const broken = deskWith(() => undefined, {
      trust: async () => ({ lagMs: 120_000, behindMinutes: 8, covered: 0.2, failure }),
    })
    await bench.incident('a'.repeat(32), [{}])
    const text = await whole(alertsList, {}, { alerts: broken })
    expect(text).toContain('not read since 2026-11-20 11:50 UTC: limited')
  })

  it('says how much was not looked at yet before it calls anything quiet', async () => {
    const rule = await bench.rule({})
    const title = async () => (await bench.ask(alertsList, {}, { alerts })).text.split('\n')[0]
    expect(await title()).toBe('Alerts here: not looked at yet')
    await bench.stand(rule, 'pull/301', {}, 'All is well.')
    expect(await title()).toBe('Alerts here: none firing')
    await bench.rule({ subject: 'pull/302' })
    expect(await title()).toBe('Alerts here: none firing, 1 rule not looked at yet')
  })

  it('says who looks after what fires', async () => {
    const { id: ruleId } = await bench.rule({})
    const id = 'a'.repeat(32)
    await bench.incident(id, [{ ruleId }])
    const said = async () => JSON.stringify((await bench.ask(alertsList, {}, { alerts })).message.blocks)
    expect(await said()).not.toContain('looked after')
    await bench.acknowledge(id, 'U333')
    expect(await said()).toContain(' · looked after by <@U333> · pings nobody')
  })

  it('is of this channel, or of all', async () => {
    await bench.rule({})
    await bench.rule({ channelId: 'C2', subject: 'pull/302' })
    await bench.ask(alertsSilence, { zone: '302' }, { channelId: 'C2' })
    expect(await whole(alertsList, {}, { alerts })).not.toContain('blog')
    const text = await whole(alertsList, { all: 'true' }, { alerts, channelId: 'D1' })
    expect(text).toMatch(/^Alerts of all channels: not looked at yet\n.*\n.*blog \(302\) in C2/)
    expect(text).toContain('Channel C2')
    expect(text).toContain('Silences:\n- everything about pull zone blog (302)')
    expect(await bench.refusal(alertsList, {}, { channelId: 'D1' })).toContain('here is none')
  })

  it('says how to begin where there is nothing', async () => {
    const { text, buttons } = await bench.ask(alertsList, {})
    expect(text).toContain('This channel gets no alerts. Watch a pull zone: /cdn alerts watch')
    expect(buttons?.map(({ label }) => label)).toEqual(['Watch a zone'])
  })
})

describe('the kinds of alerts', () => {
  const LOOKS_AT = { pull: 'a pull zone', storage: 'storage zones', account: 'the account' }
  const form = (label: string, operation: string, values: RawValues) => ({ kind: 'form', label, operation, values })

  it('are all named, with what each looks at', async () => {
    const { text, buttons } = await bench.ask(alertsKinds, {})
    expect(text.split('\n')).toEqual([
      '7 kinds of alerts.',
      '/cdn alerts watch turns on origin-failing, cache-not-working, traffic-gone, traffic-surge, cannot-look for a zone, and with --account storage-change and api-keys-changed.',
      'What can be set about one: /cdn alerts kinds origin-failing.',
      ...ALERT_KINDS.map((kind) => {
        return `Kind ${kind.name}, Looks at ${LOOKS_AT[kind.subject]}, What it means ${kind.summary}`
      }),
    ])
    expect(buttons).toEqual([form('Turn one on', 'alerts add', {})])
  })

  it.each(ALERT_KINDS.map((kind) => [kind.name, kind] as const))(
    'are each explained with every parameter, its unit and default: %s',
    async (name, { title, subject, summary, parameters }) => {
      const { text, message, buttons } = await bench.ask(alertsKinds, { kind: name })
      const set = parameters.map((each) => {
        const [usual, min, max] = [each.default, each.min, each.max].map(count)
        return `--${each.name} ${usual} ${each.unit}, from ${min} to ${max}: ${each.meaning}`
      })
      expect(text.split('\n')).toEqual([
        `${title} (${name}), about ${LOOKS_AT[subject]}. ${summary}`,
        ...(set.length === 0 ? ['Nothing can be set about it.'] : set),
        `Turn it on in a channel: /cdn alerts add ${name}${subject === 'pull' ? ' <pull-zone>' : ''}.`,
      ])
      expect(JSON.stringify(formWith(message, []))).toContain(parameters[0]?.meaning ?? 'Nothing can be set')
      expect(buttons).toEqual([
        form('Turn it on', 'alerts add', { kind: name }),
        ...(subject === 'pull' && name !== 'cannot-look'
          ? [form('Try it on the past', 'alerts test', { kind: name })]
          : []),
      ])
    },
  )
})
