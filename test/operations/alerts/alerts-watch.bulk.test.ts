import { describe, expect, it, test, vi } from 'vitest'
import { alertsAdd } from '../../../src/operations/alerts/alerts-add.ts'
import { alertsWatch } from '../../../src/operations/alerts/alerts-watch.ts'
import { MAX_WATCHED_ZONES } from '../../../src/operations/alerts/watch-set.ts'
import { checkContext } from '../../support/operation-context.ts'
import { createAlertsBench, deskWith, NOW_MINUTE, ordinaryMinute, withOutage } from './alerts-bench.ts'
import { forEachTest } from '../../support/for-each-test.ts'

const LIMIT = 'A limit of your own: /cdn alerts add origin-failing shop 3%'
const bench = forEachTest(createAlertsBench)

const rules = async () =>
  (await bench.store.alertRules.list())
    .map(({ kind, subject, channelId }) => `${kind} ${subject} ${channelId}`)
    .toSorted()
const FITTING = { name: 'ops', isMember: true, isArchived: false, isShared: false }
const channel = (changes: object) => ({ channelInfo: async (id: string) => ({ id, ...FITTING, ...changes }) })

describe('watching a zone', () => {
  const ZONE_KINDS = ['cache-not-working', 'cannot-look', 'origin-failing', 'traffic-gone', 'traffic-surge']
  const ZONE_RULES = ZONE_KINDS.map((kind) => `${kind} pull/301 C1`)
  const ACCOUNT_RULES = ['api-keys-changed account C1', 'storage-change storage/* C1']

  it('turns on the recommended alerts here, pings nobody, and offers that and what concerns the account, filled in', async () => {
    const { text, buttons } = await bench.ask(alertsWatch, { pullZone: 'shop' })
    expect(await rules()).toEqual(ZONE_RULES)
    const kinds = 'origin-failing, cache-not-working, traffic-gone, traffic-surge, cannot-look'
    expect((await bench.record())[0]).toEqual(['alert_added', `Watch pull zone shop (301) in C1: ${kinds}`])
    expect(text.split('\n')).toEqual([
      'Pull zone shop (301) is watched now. Nobody is pinged.',
      'Nothing is known of its last 3 days, so what is usual is learnt from now on.',
      'A digest comes weekly on Monday at 09:00 (UTC).',
      LIMIT,
    ])
    const what = (await bench.store.alertRules.list()).map(({ id }) => id).toSorted()
    const form = { kind: 'form', operation: 'alerts watch' }
    expect(buttons).toEqual([
      { ...form, label: 'Ping somebody …', values: { pullZone: '301', mention: '' } },
      { ...form, label: 'API keys and storage too …', values: { pullZone: '301', account: 'on' } },
      { kind: 'page', label: 'Undo', operation: 'alerts remove', values: { what: what.join(',') } },
    ])
  })

  it('records whom it calls, of many different ones three', async () => {
    for (const [index, subject] of ['pull/301', 'pull/302', 'pull/303', 'pull/304'].entries())
      await bench.rule({ subject, mention: `S000000000${index}` })
    await bench.ask(alertsWatch, { pullZone: '301,302,303,304', escalate: 'U0123456789', after: '20m' })
    expect((await bench.record())[0]?.[1]).toMatch(
      /; (?:(?:calls S000000000\d, )?calls U0123456789 after 20 min, ){2}(?:calls S000000000\d, )?calls U0123456789 after 20 min and 2 more$/,
    )
  })

  it('asks for nothing but whom to ping in the form that the button opens, and for all where it does not', () => {
    const [page] = alertsWatch.form ?? []
    expect(page?.fields({ pullZone: '301', mention: '' })).toEqual(['mention', 'after', 'escalate'])
    const needed = [{ mention: '' }, { mention: '@nobody' }, {}].map((values) => page?.wording?.(values))
    expect(needed).toEqual([true, false, false].map((is) => ({ mention: { needed: is } })))
    expect(page?.fields({ pullZone: '301', mention: '@nobody' })).toEqual([
      'pullZone',
      'mention',
      'escalate',
      'after',
      'account',
      'runbook',
    ])
    const added = alertsAdd.form?.[0]?.fields({ kind: 'origin-failing', mention: '' })
    expect(added).toEqual(['mention', 'after', 'escalate'])
  })

  it('turns on those of the account when asked, and offers them no more once somebody hears of them', async () => {
    const both = await bench.ask(alertsWatch, { pullZone: 'shop', account: 'on', mention: 'S0123' })
    expect(both.text).toMatch(
      /^Pull zone shop \(301\) is watched now\. Critical alerts ping a group\.\nNothing is known .*\nChanged API keys, and storage zones with a name that jump, are told here, too\.\n/,
    )
    expect(both.buttons?.map(({ label }) => label)).toEqual(['Undo'])
    expect(await rules()).toEqual([...ACCOUNT_RULES, ...ZONE_RULES].toSorted())
    await bench.ask(alertsWatch, { pullZone: 'blog', account: 'on' }, { channelId: 'C2' })
    expect((await rules()).filter((rule) => /account|storage/.test(rule))).toEqual(ACCOUNT_RULES)
  })

  it('pings a person, and somebody else later, and keeps what is not given anew', async () => {
    const set = async () => {
      const [rule] = await bench.store.alertRules.list()
      return [rule?.mention, rule?.escalate, rule?.escalateAfterMs]
    }
    const given = { mention: 'U0OLGA', escalate: 'S0LEADS', after: '20m' }
    const first = await bench.ask(alertsWatch, { pullZone: 'shop', ...given })
    expect(first.text).toContain('Critical alerts ping somebody, and a group if nobody acknowledges for 20 min.')
    expect(await set()).toEqual(['U0OLGA', 'S0LEADS', 1_200_000])
    const again = await bench.ask(alertsWatch, { pullZone: 'shop', mention: 'S0OPS' })
    expect(again.text).toContain(
      'ping a group, and a group if nobody acknowledges for 20 min. Until now: somebody, and a group if nobody acknowledges for 20 min.',
    )
    await bench.ask(alertsWatch, { pullZone: 'shop', escalate: '<@U0ADA>' })
    expect(await set()).toEqual(['S0OPS', 'U0ADA', undefined])
    const alone = await bench.ask(alertsWatch, { pullZone: 'blog', escalate: 'U0ADA' })
    expect(alone.text).toContain('Critical alerts ping somebody if nobody acknowledges for 15 min.')
  })

  it.each([
    [{ after: '20m' }, 'After needs --escalate: whom to mention then.'],
    [{ escalate: 'U0ADA', after: '2d' }, 'After is a length of time from 1m to 1d'],
    [{ escalate: 'C0OPS' }, 'Escalate is no user group or person that CDN Ops found in Slack'],
  ])('is refused with %j', (values, problem) => {
    const parsed = alertsWatch.parse({ pullZone: '301', ...values }, checkContext())
    expect(parsed).toMatchObject({ ok: false, issues: [{ problem: expect.stringContaining(problem) }] })
  })

  it('says whom it pings no longer, and takes that back', async () => {
    await bench.ask(alertsWatch, { pullZone: 'shop', mention: 'U0OLGA' })
    const { text, buttons } = await bench.ask(alertsWatch, { pullZone: 'shop', mention: 'S0OPS' })
    expect(text).toMatch(/^Pull zone .* was watched here already. Critical alerts ping a group. Until now: somebody.\n/)
    const values = { pullZone: '301', mention: 'U0OLGA' }
    expect(buttons.at(-1)).toEqual({ kind: 'page', label: 'Undo', operation: 'alerts watch', values })
    const { audience, ...again } = await bench.ask(alertsWatch, { pullZone: 'shop', mention: 'S0OPS' })
    expect(again.text).toMatch(/was watched here already. Critical alerts ping a group.\n/)
    expect([audience, again.buttons.map(({ label }) => label)]).toEqual(['caller', ['API keys and storage too …']])
  })

  it('offers no Undo that would not take all of it back', async () => {
    const labels = async (values: Readonly<Record<string, string>>) =>
      (await bench.ask(alertsWatch, values)).buttons?.map(({ label }) => label)
    await bench.ask(alertsWatch, { pullZone: 'shop', mention: 'U0OLGA' })
    expect(await labels({ pullZone: 'shop', escalate: 'S0LEADS' })).not.toContain('Undo')
    expect(await labels({ pullZone: 'shop', escalate: 'U0ADA' })).toContain('Undo')
    await bench.ask(alertsWatch, { pullZone: 'blog', escalate: 'U0ADA' })
    expect(await labels({ pullZone: 'blog', mention: 'S0OPS' })).not.toContain('Undo')
    const { text } = await bench.ask(alertsWatch, { pullZone: 'shop,blog', mention: 'S0OPS' })
    expect(text).not.toContain('Until now')
  })

  it('says nothing of whom it pinged before where that was nobody', async () => {
    await bench.ask(alertsWatch, { pullZone: 'shop' })
    const { text } = await bench.ask(alertsWatch, { pullZone: 'shop', mention: 'S0OPS' })
    expect(text).toContain('Critical alerts ping a group.')
    expect(text).not.toContain('Until now')
  })

  it('gives its alerts a runbook, and those that are on already another one', async () => {
    const runbook = 'https://wiki.example/shop'
    await bench.ask(alertsWatch, { pullZone: 'shop' })
    const { text } = await bench.ask(alertsWatch, { pullZone: 'shop', runbook })
    expect(text).toMatch(/\nEach alert links this Runbook \(https:\/\/wiki\.example\/shop\)\.\nA limit/)
    await bench.ask(alertsWatch, { pullZone: 'shop', mention: 'S0123' })
    const of = (await bench.store.alertRules.list()).filter(({ subject }) => subject === 'pull/301')
    expect(new Set(of.map((rule) => rule.runbook))).toEqual(new Set([runbook]))
  })

  it('counts as on what was stored under a former name, and turns on only what is not', async () => {
    for (const kind of ['stale-share', 'error-share', 'log-silence', 'poller-health']) await bench.rule({ kind })
    await bench.rule({ kind: 'storage-jump', subject: 'storage/*', channelId: 'C2' })
    await bench.ask(alertsWatch, { pullZone: 'shop', mention: 'S0123', account: 'on' })
    expect(await rules()).toEqual([
      'api-keys-changed account C1',
      'cache-not-working pull/301 C1',
      'error-share pull/301 C1',
      'log-silence pull/301 C1',
      'poller-health pull/301 C1',
      'stale-share pull/301 C1',
      'storage-jump storage/* C2',
      'traffic-surge pull/301 C1',
    ])
    const mentioned = (await bench.store.alertRules.list()).filter(({ subject }) => subject === 'pull/301')
    expect(new Set(mentioned.map(({ mention }) => mention))).toEqual(new Set(['S0123']))
  })

  it('says since when the zone is known, until that is a week', async () => {
    const since = (minutes: number) =>
      deskWith((minute) => (minute < NOW_MINUTE - minutes ? undefined : withOutage(minute)))
    const { text } = await bench.ask(alertsWatch, { pullZone: 'shop' }, { alerts: since(3 * 1_440) })
    expect(text).toContain('Less than a week is known: until then, usual peaks may raise alerts.')
    const known = await bench.ask(alertsWatch, { pullZone: 'shop' }, { alerts: since(7 * 1_440) })
    expect(known.text).not.toContain('Less than a week')
  })

  it('says what is on, how much is known, and what would have fired', async () => {
    let reads = 0
    const alerts = deskWith(withOutage, {
      backfill: async () => {
        reads += 1
        return { covered: 0.98, problems: [] }
      },
    })
    const { text } = await bench.ask(alertsWatch, { pullZone: 'shop', mention: 'S0123' }, { alerts })
    expect(reads).toBe(1)
    expect(text.split('\n')).toEqual([
      'Pull zone shop (301) is watched now. Critical alerts ping a group.',
      'Over the last 3 days (98.0 % known) it would have fired: Origin failing once.',
      'A digest comes weekly on Monday at 09:00 (UTC).',
      LIMIT,
    ])
  })

  it('says first what would have fired most often, and that lines carry no status codes', async () => {
    const noisy = (minute: number) => {
      const ago = NOW_MINUTE - minute
      const changes = ago % 600 < 20 ? { hit: 20, miss: 50, stale: 30 } : ago % 400 > 390 ? { hit: 1, miss: 0 } : {}
      return ordinaryMinute(minute, { c2xx: 0, uncoded: 100, ...changes })
    }
    const backfill = async () => ({ covered: 1, problems: [] })
    const { text } = await bench.ask(alertsWatch, { pullZone: '9' }, { alerts: deskWith(noisy, { backfill }) })
    expect(text.split('\n')[1]).toBe(
      'Over the last 3 days it would have fired: Traffic gone 10 times, Origin failing 8 times, Cache not working 8 times. Its lines carry no status codes, so a failing origin shows as STALE only.',
    )
    expect(text).toMatch(/alerts add origin-failing 9 3%$/)
  })

  it('says what could not be read, and that the rules are on all the same', async () => {
    const alerts = deskWith(() => undefined, {
      backfill: async () => ({ covered: 0, problems: ['Logging is off for this zone.'] }),
    })
    const { text } = await bench.ask(alertsWatch, { pullZone: 'shop' }, { alerts })
    expect(text).toMatch(/ so what is usual is learnt from now on\. .*Logging is off for this zone\.\n/)
    expect(await rules()).toHaveLength(5)
  })

  it('is on when reading back takes too long', async () => {
    const abort = new AbortController()
    const backfill = async () => {
      abort.abort()
      throw new Error('aborted')
    }
    const late = { alerts: deskWith(() => undefined, { backfill }), signal: abort.signal }
    const { text } = await bench.ask(alertsWatch, { pullZone: 'shop' }, late)
    expect(text).toContain('What would have been told is not known: it took too long.')
    expect(await rules()).toHaveLength(5)
  })

  it('passes on a fault of its own', async () => {
    const backfill = () => Promise.reject(new TypeError('no such minute'))
    await expect(
      bench.ask(alertsWatch, { pullZone: 'shop' }, { alerts: deskWith(() => undefined, { backfill }) }),
    ).rejects.toThrow('no such minute')
  })

  it('keeps what somebody has set, and goes on with what was paused', async () => {
    const own = await bench.rule({ parameters: { critical: 7 } })
    await bench.pause()
    const { buttons } = await bench.ask(alertsWatch, { pullZone: 'shop' })
    const kept = (await bench.store.alertRules.list()).find(({ id }) => id === own.id)
    expect(kept).toMatchObject({ parameters: { critical: 7 } })
    expect(kept?.pausedWhy).toBeUndefined()
    expect(JSON.stringify(buttons)).not.toContain(own.id)
  })
})

describe('watching a zone is refused, and nothing is turned on,', () => {
  const NO_CHANNEL =
    'Alerts belong to a channel, and here is none. Nothing was done. Type /cdn alerts … in the channel that it is about.'
  const SHARED =
    'This channel is shared with another organisation, which would read the alerts. Nothing was turned on. ' +
    'Use a channel of your own, or have it listed under alerts.sharedChannels in the configuration file.'
  test.each([
    ['in direct messages', { channelId: 'D1' }, NO_CHANNEL],
    ['outside of any channel', { channelId: undefined }, NO_CHANNEL],
    [
      'where the bot is not',
      channel({ isMember: false }),
      'CDN Ops is not in this channel, so it could not post here. Nothing was turned on. Invite it with /invite, then ask again.',
    ],
    [
      'in an archived channel',
      channel({ isArchived: true }),
      'This channel is archived, so no alert could be posted. Nothing was turned on. ',
    ],
    ['in a shared channel', { ...channel({ isShared: true }), sharedChannels: ['C2'] }, SHARED],
    [
      'where Slack does not say',
      { channelInfo: async () => 'unknown' as const },
      'Slack does not say what this channel is, as with a private one that CDN Ops is not in. Nothing was turned on. Invite it with /invite, then ask again.',
    ],
  ])('%s', async (_, changes, said) => {
    expect(await bench.refusal(alertsWatch, { pullZone: 'shop' }, changes)).toBe(said)
    expect(await rules()).toEqual([])
  })

  it('but not in a shared channel that the configuration names', async () => {
    await bench.ask(alertsWatch, { pullZone: 'shop' }, { ...channel({ isShared: true }), sharedChannels: ['C1'] })
    expect(await rules()).toHaveLength(5)
  })

  it('where as many zones are watched as can be read', async () => {
    const ids = Array.from({ length: MAX_WATCHED_ZONES }, (_, index) => `pull/${1_000 + index}`)
    for (const subject of ids) await bench.rule({ subject })
    expect(await bench.refusal(alertsWatch, { pullZone: 'shop' })).toBe(
      '200 pull zones are watched already. With these it would be 201, and CDN Ops reads at most 200 every minute. Nothing was turned on. Name fewer, or take some off first: /cdn alerts remove …',
    )
    await bench.ask(alertsWatch, { pullZone: '1000' })
    vi.spyOn(bench.store.alertRules, 'add').mockResolvedValueOnce('full')
    expect(await bench.refusal(alertsWatch, { pullZone: '1001' })).toBe(
      'There are 2,000 alert rules already, and no room for more. Nothing was turned on. Take some off first: /cdn alerts list --all shows them.',
    )
  })
})
