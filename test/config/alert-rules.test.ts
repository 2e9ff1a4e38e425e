import { describe, expect, it, test } from 'vitest'
import { ALERT_KINDS } from '../../src/alerts/kinds/kinds.ts'
import { ConfigurationError, parseConfig } from '../../src/config/config-file.ts'
import { decide } from '../../src/execution/policy/policy.ts'
import type { AlertRule } from '../../src/store/schema/alert-records.ts'

function problemsOf(text: string): readonly string[] {
  try {
    parseConfig(text)
    return []
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems
    throw error
  }
}
const rules = (text: string) => parseConfig(`alerts: {rules: [${text}]}`).alertRules
const problems = (text: string) => problemsOf(`alerts: {rules: [${text}]}`)
const named = (all: readonly AlertRule[]) =>
  all.map(({ kind, subject, channelId }) => `${kind} ${subject} ${channelId}`)

describe('alert rules of the configuration file', () => {
  it('are the recommended ones for a zone that is watched, those of the account once and only where asked for', () => {
    const bare = named(rules('{watch: 301, channel: C01}, {watch: 302, channel: C02, account: false}'))
    expect(bare.filter((rule) => !rule.includes('pull/'))).toEqual([])
    const all = named(rules('{watch: 301, channel: C01, account: true}, {watch: 302, channel: C02, account: true}'))
    expect(all).toContain('origin-failing pull/301 C01')
    expect(all).toContain('cache-not-working pull/302 C02')
    expect(all.filter((rule) => rule.startsWith('cannot'))).toEqual([
      'cannot-look pull/301 C01',
      'cannot-look pull/302 C02',
    ])
    expect(all.filter((rule) => !rule.includes('pull/'))).toEqual([
      'storage-change storage/* C01',
      'api-keys-changed account C01',
    ])
  })

  it.each([
    ['', 'refused'],
    ['acknowledge: operator', 'refused'],
    ['acknowledge: viewer', 'let'],
  ])('stand beside who acknowledges, where viewers are with {%s} %s', (given, is) => {
    const { policy } = parseConfig(`alerts: {${given}}`)
    const common = { operation: 'alerts acknowledge', effect: 'acknowledge', minimumRole: 'operator' } as const
    const kinds = (['none', 'viewer', 'operator'] as const).map((role) => {
      const asked = { ...common, actor: { role, groups: [] }, zones: [], channelId: 'C1' }
      return decide(policy, asked).kind
    })
    expect(kinds).toEqual(['deny', is === 'let' ? 'run' : 'deny', 'run'])
  })

  it('let nobody acknowledge without a role, and take a rule for viewers where those may', () => {
    expect(problemsOf('alerts: {acknowledge: none}')).toEqual([
      expect.stringMatching(/^alerts\.acknowledge .*is none of viewer, operator\.$/),
    ])
    const deny = 'policies: [{operations: [alerts acknowledge], roles: [viewer], outside: [C01], decision: deny}]'
    expect(problemsOf(`alerts: {acknowledge: viewer}\n${deny}`)).toEqual([])
  })

  it('have the runbook that they say, and each zone may have its own', () => {
    const at = 'https://wiki.example/shop'
    const all = rules(`{watch: 301, channel: C01, runbook: '${at}'}, {kind: origin-failing, zone: 302, channel: C01}`)
    expect(new Set(all.map(({ runbook }) => runbook))).toEqual(new Set([at, undefined]))
    const { zones } = parseConfig(`zones: [{kind: pull, id: 301, name: shop, runbook: '${at}'}]`)
    expect(zones).toEqual([{ kind: 'pull', zoneId: '301', name: 'shop', runbook: at, managed: true }])
  })

  test.each([
    [
      'alerts: {rules: [{watch: 301, channel: C01, runbook: "http://a.example"}]}',
      'alerts.rules[0].runbook (line 1) is not an https address',
    ],
    [
      'zones: [{kind: pull, id: 1, name: a, runbook: "https://a:b@a.example"}]',
      'zones[0].runbook (line 1) holds a user name',
    ],
    [
      'zones: [{kind: dns, id: 1, name: a, runbook: "https://a.example"}]',
      'zones[0].runbook (line 1) has no meaning for a dns zone',
    ],
  ])('take no runbook that cannot be linked, or that nothing would show: %s', (text, problem) => {
    expect(problemsOf(text)).toEqual([expect.stringContaining(problem)])
  })

  it('keep what one of them says by itself', () => {
    const all = rules(
      '{watch: 301, channel: C01}, {kind: origin-failing, zone: 301, channel: C01, parameters: {critical: 7}}',
    )
    expect(all.filter(({ kind }) => kind === 'origin-failing')).toMatchObject([{ parameters: { critical: 7 } }])
  })

  it('are the same at every reading, and each by an id of its own', () => {
    const text = '{watch: 301, channel: C01, mention: S01, account: true}'
    expect(rules(text)).toEqual(rules(text))
    expect(new Set(rules(text).map(({ id }) => id)).size).toBe(7)
    const at = 'https://wiki.example/shop'
    const [first] = rules(`{watch: 301, channel: C01, mention: S01, escalate: U02, after: 20m, runbook: '${at}'}`)
    expect(first).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      kind: 'origin-failing',
      subject: 'pull/301',
      channelId: 'C01',
      parameters: {},
      mention: 'S01',
      escalate: 'U02',
      escalateAfterMs: 1_200_000,
      runbook: at,
      createdBy: 'configuration',
      createdAt: new Date(0),
    })
    for (const [after, ms] of [
      ['1m', 60_000],
      ['1d', 86_400_000],
    ] as const)
      expect(rules(`{watch: 301, channel: C01, escalate: U02, after: ${after}}`)[0]?.escalateAfterMs).toBe(ms)
  })

  test.each([
    ['kind: storage-change, storageZone: 101', 'storage/101'],
    ['kind: storage-change, storageZone: all', 'storage/*'],
    ['kind: storage-change', 'storage/*'],
    ['kind: api-keys-changed', 'account'],
    ["kind: origin-failing, zone: '9007199254740993'", 'pull/9007199254740993'],
  ])('are about what they name: %s', (text, subject) => {
    expect(rules(`{${text}, channel: C01}`)).toMatchObject([{ subject }])
  })

  const MISTAKES = [
    '{channel: C01} → says neither watch nor kind.',
    '{kind: origin-failing, zone: 301, channel: C01, account: true} → .account has no meaning for origin-failing: take it out.',
    '{watch: 301, channel: C01, account: yes} → .account is neither true nor false.',
    '{watch: 301} → .channel is not given.',
    '{watch: 301, channel: ops} → .channel is not a channel id such as C0123456789.',
    ...['kind: origin-failing', 'zone: 301', 'storageZone: all', 'parameters: {}'].map((part) => {
      const place = part.split(':')[0] ?? ''
      return `{watch: 301, ${part}, channel: C01} → .${place} has no meaning beside watch: take it out, or write a rule with kind.`
    }),
    '{watch: shop, channel: C01} → .watch is not the id of a zone, such as 201.',
    '{kind: origin-failin, zone: 301, channel: C01} → .kind is no kind of alert: origin-failin. Did you mean origin-failing?',
    `{kind: xyz, channel: C01} → .kind is no kind of alert: xyz: known are ${ALERT_KINDS.map(({ name }) => name).join(', ')}.`,
    '{kind: origin-failing, channel: C01} → .zone is not given: origin-failing looks at a pull zone.',
    '{kind: storage-change, zone: 301, channel: C01} → .zone has no meaning for storage-change: take it out.',
    '{kind: origin-failing, zone: 301, storageZone: all, channel: C01} → .storageZone has no meaning for origin-failing: take it out.',
    '{kind: api-keys-changed, storageZone: all, channel: C01} → .storageZone has no meaning for api-keys-changed: take it out.',
    '{kind: storage-change, storageZone: shop, channel: C01} → .storageZone is neither the id of a storage zone nor all.',
    '{kind: origin-failing, zone: 301, channel: C01, parameters: {critical: much}} → .parameters.critical is not a number.',
    '{watch: 301, channel: C01, mention: C01} → .mention is not the id of a Slack user group or user, such as S0123456789 or U0123456789.',
    '{watch: 301, channel: C01, after: 20m} → .after has no meaning without escalate: say whom to mention then.',
    '{watch: 301, channel: C01, escalate: U01, after: 2d} → .after is not a time from 1m to 1d, such as 20m.',
    '{watch: 301, channel: C01, escalate: U01, after: 59s} → .after is not a time from 1m to 1d, such as 20m.',
  ]
  test.each(MISTAKES.map((line) => line.split(' → ')))('have to make sense: %s → %s', (text = '', said = '') => {
    const [, place = '', problem = ''] = /^(?:(\.\S+) )?(.*)$/.exec(said) ?? []
    expect(problems(text)).toEqual([`alerts.rules[0]${place} (line 1) ${problem}`])
  })

  it('are told where they are there already, by kind, zone and channel', () => {
    const rule = '{kind: origin-failing, zone: 301, channel: C01}'
    const others = `${rule}, ${rule.replace('301', '302')}, ${rule.replace('C01', 'C02')}`
    expect(problems(others)).toEqual([])
    expect(problems(`${others}, ${rule}`)).toEqual([
      'alerts.rules[3] (line 1) is there already, for the same kind, zone and channel.',
    ])
    const watch = '{watch: 301, channel: C01, mention: S01}'
    const watches = `${watch}, ${watch.replace('301', '302')}, ${watch.replace('C01', 'C02')}`
    expect(problems(watches)).toEqual([])
    expect(problems(`${watches}, ${watch.replace('S01', 'S02')}`)).toEqual([
      'alerts.rules[3] (line 1) is there already, for the same kind, zone and channel.',
    ])
  })

  it('are one where several are written under former names, of whose parameters a quota counts still', () => {
    const former =
      '{kind: stale-share, zone: 301, channel: C01, parameters: {critical: 7, long-window: 5}}, {kind: error-share, zone: 301, channel: C01, mention: S01}'
    expect(rules(former)).toMatchObject([
      { kind: 'origin-failing', subject: 'pull/301', parameters: {}, mention: 'S01' },
    ])
    const both = rules(`${former}, {kind: origin-failing, zone: 301, channel: C01, parameters: {critical: 9}}`)
    expect(both).toMatchObject([{ kind: 'origin-failing', parameters: { critical: 9 } }])
    expect(rules('{kind: storage-growth, channel: C01, parameters: {quota: 5, critical: 3}}')).toMatchObject([
      { kind: 'storage-change', parameters: { quota: 5 } },
    ])
    expect(named(rules(`${former}, {watch: 301, channel: C01}`))).toHaveLength(5)
    expect(problems(`${former}, {kind: stale-share, zone: 301, channel: C01}`)).toEqual([
      'alerts.rules[2] (line 1) is there already, for the same kind, zone and channel.',
    ])
    expect(problems('{kind: stale-shar, zone: 301, channel: C01}')[0]).toContain('Did you mean origin-failing?')
  })

  it('are held to the parameters that their kind has, and to its bounds', () => {
    const rule = (parameters: string) =>
      problems(`{kind: origin-failing, zone: 301, channel: C01, parameters: {${parameters}}}`)
    expect(rule('quota: 5')[0]).toMatch(
      /^alerts\.rules\[0\]\.parameters \(line 1\): Origin-failing has no parameter quota\./,
    )
    expect(rule('critical: 101')[0]).toMatch(
      /^alerts\.rules\[0\]\.parameters \(line 1\): Critical of origin-failing is a number from/,
    )
  })

  it('are told together with mistakes elsewhere in the file', () => {
    expect(problemsOf('rolls: {}\nalerts: {rules: [{channel: C01}]}')).toHaveLength(2)
  })

  it('watch no more zones than can be read every minute', () => {
    const watch = (count: number) =>
      Array.from({ length: count }, (_, index) => `{watch: ${index + 1}, channel: C01}`).join(', ')
    expect(problems(watch(200))).toEqual([])
    expect(problems(watch(201))).toEqual([
      'alerts.rules (line 1) watches more than 200 pull zones, each of which is read every minute.',
    ])
  })
})
