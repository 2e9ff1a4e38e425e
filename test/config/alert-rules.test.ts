import { describe, expect, it, test } from 'vitest'
import { readConfigFile } from '../../src/config/file.ts'
import { decide } from '../../src/execution/policy.ts'
import type { AlertRule } from '../../src/store/alert-records.ts'

const read = (rules: string, opsChannel?: string) => readConfigFile(`alerts: {rules: [${rules}]}`, opsChannel)
function rules(text: string, opsChannel?: string): readonly AlertRule[] {
  const file = read(text, opsChannel)
  if (file.ok) return file.config.alertRules
  throw new Error(file.problems.join('\n'))
}
function problems(text: string): readonly string[] {
  const file = read(text)
  return file.ok ? [] : file.problems
}
const named = (all: readonly AlertRule[]) =>
  all.map(({ kind, subject, channelId }) => `${kind} ${subject} ${channelId}`)

describe('alert rules of the configuration file', () => {
  it('are the recommended ones for a zone that is watched, those of the account once', () => {
    const all = named(rules('{watch: 301, channel: C01}, {watch: 302, channel: C02}', 'COPS'))
    expect(all).toContain('stale-share pull/301 C01')
    expect(all).toContain('hit-ratio-drop pull/302 C02')
    expect(all.filter((rule) => rule.startsWith('poller'))).toEqual([
      'poller-health pull/301 COPS',
      'poller-health pull/302 COPS',
    ])
    expect(all.filter((rule) => !rule.includes('pull/'))).toEqual([
      'storage-jump storage/* C01',
      'api-keys-changed account C01',
    ])
  })

  it.each([
    ['', 'refused'],
    ['acknowledge: operator', 'refused'],
    ['acknowledge: viewer', 'let'],
  ])('stand beside who acknowledges, where viewers are with {%s} %s', (given, is) => {
    const file = readConfigFile(`alerts: {${given}}`)
    if (!file.ok) throw new Error(file.problems.join())
    const common = { operation: 'alerts acknowledge', effect: 'acknowledge', minimumRole: 'operator' } as const
    const kinds = (['none', 'viewer', 'operator'] as const).map((role) => {
      const asked = { ...common, actor: { role, groups: [] }, zones: [], channelId: 'C1' }
      return decide(file.config.policy, asked).kind
    })
    expect(kinds).toEqual(['deny', is === 'let' ? 'run' : 'deny', 'run'])
  })

  it('let nobody acknowledge without a role, and take a rule for viewers where those may', () => {
    expect(readConfigFile('alerts: {acknowledge: none}')).toMatchObject({
      problems: [expect.stringMatching(/^alerts\.acknowledge .*is none of viewer, operator\.$/)],
    })
    const deny = 'policies: [{operations: [alerts acknowledge], roles: [viewer], outside: [C01], decision: deny}]'
    expect(readConfigFile(`alerts: {acknowledge: viewer}\n${deny}`)).toMatchObject({ ok: true })
  })

  it('have the runbook that they say, and each zone may have its own', () => {
    const at = 'https://wiki.example/shop'
    const all = rules(`{watch: 301, channel: C01, runbook: '${at}'}, {kind: stale-share, zone: 302, channel: C01}`)
    expect(new Set(all.map(({ runbook }) => runbook))).toEqual(new Set([at, undefined]))
    const file = readConfigFile(`zones: [{kind: pull, id: 301, name: shop, runbook: '${at}'}]`)
    expect(file).toMatchObject({ config: { zones: [{ zoneId: '301', name: 'shop', runbook: at, managed: true }] } })
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
    expect(readConfigFile(text)).toMatchObject({ problems: [expect.stringContaining(problem)] })
  })

  it('keep what one of them says by itself', () => {
    const all = rules(
      '{watch: 301, channel: C01}, {kind: stale-share, zone: 301, channel: C01, parameters: {critical: 7}}',
    )
    expect(all.filter(({ kind }) => kind === 'stale-share')).toMatchObject([{ parameters: { critical: 7 } }])
    expect(all.filter(({ kind }) => kind === 'error-budget')).toMatchObject([{ parameters: { warning: 14.4 } }])
  })

  it('are the same at every reading, and each by an id of its own', () => {
    const text = '{watch: 301, channel: C01, mention: S01}'
    expect(rules(text)).toEqual(rules(text))
    expect(new Set(rules(text).map(({ id }) => id)).size).toBe(9)
    expect(rules(text)[0]).toMatchObject({
      createdBy: 'configuration',
      mention: 'S01',
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
  })

  test.each([
    ['kind: storage-jump, storageZone: 101', 'storage/101'],
    ['kind: storage-jump, storageZone: all', 'storage/*'],
    ['kind: storage-jump', 'storage/*'],
    ['kind: api-keys-changed', 'account'],
    ["kind: stale-share, zone: '9007199254740993'", 'pull/9007199254740993'],
  ])('are about what they name: %s', (text, subject) => {
    expect(rules(`{${text}, channel: C01}`)).toMatchObject([{ subject }])
  })

  test.each([
    ['{channel: C01}', 'alerts.rules[0] (line 1) says neither watch nor kind.'],
    ['{watch: 301}', 'alerts.rules[0].channel (line 1) is not given.'],
    ['{watch: 301, channel: ops}', 'alerts.rules[0].channel (line 1) is not a channel id such as C0123456789.'],
    [
      '{watch: 301, kind: stale-share, channel: C01}',
      'alerts.rules[0].kind (line 1) has no meaning beside watch: take it out, or write a rule with kind.',
    ],
    ['{watch: shop, channel: C01}', 'alerts.rules[0].watch (line 1) is not the id of a zone, such as 201.'],
    [
      '{kind: stale-shar, zone: 301, channel: C01}',
      'alerts.rules[0].kind (line 1) is no kind of alert: stale-shar. Did you mean stale-share?',
    ],
    [
      '{kind: stale-share, channel: C01}',
      'alerts.rules[0].zone (line 1) is not given: stale-share looks at a pull zone.',
    ],
    [
      '{kind: storage-jump, zone: 301, channel: C01}',
      'alerts.rules[0].zone (line 1) has no meaning for storage-jump, which looks at no pull zone.',
    ],
    [
      '{kind: stale-share, zone: 301, storageZone: all, channel: C01}',
      'alerts.rules[0].storageZone (line 1) has no meaning for stale-share, which looks at no storage zone.',
    ],
    [
      '{kind: storage-jump, storageZone: shop, channel: C01}',
      'alerts.rules[0].storageZone (line 1) is neither the id of a storage zone nor all.',
    ],
    [
      '{kind: stale-share, zone: 301, channel: C01, parameters: {critical: much}}',
      'alerts.rules[0].parameters.critical (line 1) is not a number.',
    ],
    [
      '{kind: stale-share, zone: 301, channel: C01}, {kind: stale-share, zone: 301, channel: C01}',
      'alerts.rules[1] (line 1) is there already, for the same kind, zone and channel.',
    ],
    [
      '{watch: 301, channel: C01, mention: U01}',
      'alerts.rules[0].mention (line 1) is not the id of a Slack user group, such as S0123456789.',
    ],
  ])('have to make sense: %s', (text, said) => {
    expect(problems(text)).toEqual([said])
  })

  it('are held to the parameters that their kind has, and to its bounds', () => {
    const rule = (parameters: string) =>
      problems(`{kind: stale-share, zone: 301, channel: C01, parameters: {${parameters}}}`)
    expect(rule('quota: 5')[0]).toMatch(
      /^alerts\.rules\[0\]\.parameters \(line 1\): Stale-share has no parameter quota\./,
    )
    expect(rule('critical: 101')[0]).toMatch(
      /^alerts\.rules\[0\]\.parameters \(line 1\): Critical of stale-share is from/,
    )
  })

  it('are told together with mistakes elsewhere in the file', () => {
    const file = readConfigFile('rolls: {}\nalerts: {rules: [{channel: C01}]}')
    expect(file.ok ? [] : file.problems).toHaveLength(2)
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
