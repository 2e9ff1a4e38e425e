import { describe, expect, it } from 'vitest'
import { bindRule, listCurrentRules } from '../../../src/alerts/kinds/current-rules.ts'
import { FORMER_NAMES } from '../../../src/alerts/kinds/kinds.ts'
import { rule } from '../evaluated-zone.ts'
import type { AlertRule } from '../../../src/store/schema/alert-records.ts'

const named = (rules: readonly AlertRule[]) => rules.map(({ kind, id }) => `${kind} by ${id}`)

describe('rules that were stored under former names', () => {
  it('are one where they have become the same kind, with whom to mention and where to read on', () => {
    const [only, ...others] = listCurrentRules([
      rule('stale-share', { parameters: { critical: 7, 'long-window': 5 } }),
      rule('error-share', { mention: 'S1', runbook: 'https://wiki.example' }),
    ])
    expect(others).toEqual([])
    expect(only).toMatchObject({ kind: 'origin-failing', id: 'stale-share-C1', parameters: {}, mention: 'S1' })
    expect(only?.runbook).toBe('https://wiki.example')
  })

  it('are as they are for each channel and each thing they look at', () => {
    const all = [rule('stale-share'), rule('error-share', { channelId: 'C2' }), rule('log-silence')]
    expect(named(listCurrentRules(all))).toEqual([
      'origin-failing by stale-share-C1',
      'origin-failing by error-share-C2',
      'traffic-gone by log-silence-C1',
    ])
  })

  it('go behind a rule of the new name, which is as people have set it', () => {
    const own = rule('origin-failing', { parameters: { critical: 9 } })
    expect(listCurrentRules([rule('stale-share', { mention: 'S1' }), own])).toEqual([own])
  })

  it('keep a quota, whichever of them had it', () => {
    const about = { subject: 'storage/*' }
    const both = [
      rule('storage-jump', about),
      rule('storage-growth', { ...about, parameters: { quota: 5, warning: 9 } }),
    ]
    expect(listCurrentRules(both)).toMatchObject([{ kind: 'storage-change', parameters: { quota: 5 } }])
    expect(bindRule(both[1]!)?.parameters).toEqual({ quota: 5 })
    const one = listCurrentRules([both[0]!, rule('storage-growth', { subject: 'storage/101' })], () => '')
    expect(one).toMatchObject([{ subject: 'storage/101' }])
  })

  it.each(Object.keys(FORMER_NAMES))('are bound as what %s is now, with its usual limits', (former) => {
    const bound = bindRule({ kind: former, parameters: { warning: 1, critical: 1 } })
    expect([bound?.kind.name, bound?.parameters]).toEqual([FORMER_NAMES[former], {}])
  })
})
