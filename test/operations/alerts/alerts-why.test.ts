import { describe, expect, it } from 'vitest'
import { alertsWhy } from '../../../src/operations/alerts/alerts-why.ts'
import { NOW } from '../../support/operation-context.ts'
import { createAlertsBench } from './alerts-bench.ts'
import { forEachTest } from '../../support/for-each-test.ts'

const ID = '0123abcd'.padEnd(32, '0')

const bench = forEachTest(createAlertsBench)

describe('why an alert fires', () => {
  it('has every number that the decision rests on', async () => {
    const window = { fromMs: NOW.getTime() - 300_000, untilMs: NOW.getTime() }
    const sentence = '12 % STALE in the last 5 min (60 % of the log could not be read).'
    const measured = { window, covered: 0.4, sample: 1_000, unit: 'share', value: 0.12 } as const
    const facts = { sentence, ...measured, threshold: 0.05, baseline: 0.003 }
    const { id: ruleId } = await bench.rule({ parameters: { warning: 4 } })
    await bench.incident(ID, [{ ruleId, facts, peak: 0.3, unit: 'share' }])
    const { text } = await bench.ask(alertsWhy, { incident: '0123abcd' })
    for (const words of [
      sentence,
      /measured until .*2026-11-20 12:00/,
      '1,000 requests',
      'fires at 5 % or more over 5 min; it went as far as 30 %; usual is 0.3 %.',
      'set: warning 4 %; critical 5 %; a stretch shorter than ten minutes takes more, and so does an uneven zone',
      '/cdn alerts kinds origin-failing',
    ])
      expect(text).toMatch(words)
    expect(text.indexOf('fires at')).toBeLessThan(text.indexOf(sentence))
    expect(text.match(/of the log could/g)).toHaveLength(1)
  })

  it('is told of one that has ended, by the beginning of its id, with the limit that it crossed', async () => {
    const facts = { sentence: 'hit ratio 85 % in the last 3 min.', value: 0.85, threshold: 0.6, unit: 'share' } as const
    const ended = { facts, peak: 0.12, unit: 'share', endedMs: NOW.getTime(), title: 'cache works again' } as const
    await bench.incident(ID, [ended], { endedAt: NOW })
    const { text } = await bench.ask(alertsWhy, { incident: '0123abcd' })
    expect(text).toContain('cache works again: fires at 60 % or less; it went as far as 12 %.')
    expect(text).toContain('At the end: hit ratio 85 %')
    expect((await bench.ask(alertsWhy, { incident: 'shop' })).text).toBe(text)
  })

  it('leaves out what the kind does not know', async () => {
    await bench.incident(ID, [{}])
    const { text } = await bench.ask(alertsWhy, { incident: '0123abcd' })
    expect(text).toMatch(/^Why this alert about shop\?\norigin failing\nNow: /)
    expect(text).not.toMatch(/fires at|usual is|measured|requests/)
  })
})
