import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { alertsWhy } from '../../../src/operations/alerts/alerts-why.ts'
import { NOW } from '../../support/operation-context.ts'
import { type AlertsBench, createAlertsBench } from './alerts-bench.ts'

const ID = '0123abcd'.padEnd(32, '0')

let bench: AlertsBench
beforeEach(async () => {
  bench = await createAlertsBench()
})
afterEach(() => bench.close())

describe('why an alert fires', () => {
  it('has every number that the decision rests on', async () => {
    const window = { fromMs: NOW.getTime() - 300_000, untilMs: NOW.getTime() }
    const sentence = '12 % of 1,000 lines are STALE.'
    const facts = {
      sentence,
      window,
      covered: 0.4,
      sample: 1_000,
      threshold: 0.05,
      unit: 'share',
      value: 0.12,
    } as const
    await bench.incident(ID, [{ facts, peak: 0.3, unit: 'share' }])
    const { text } = await bench.ask(alertsWhy, { incident: '0123abcd' })
    for (const words of [
      sentence,
      /measured until .*2026-11-20 12:00/,
      '40.0 % of that time read',
      '1,000 requests',
      'fires from 5 % on',
      'worst 30 %',
      '/cdn alerts kinds origin-failing',
    ])
      expect(text).toMatch(words)
  })

  it('leaves out what the kind does not know', async () => {
    await bench.incident(ID, [{}])
    const { text } = await bench.ask(alertsWhy, { incident: '0123abcd' })
    expect(text).toContain('worst not known')
    expect(text).not.toMatch(/fires from|measured|of that time|requests/)
  })
})
