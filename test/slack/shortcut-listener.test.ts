import { describe, expect, it } from 'vitest'
import { deliver } from '../support/recording-app.ts'
import { newTrigger, useSlackBench } from '../support/slack-bench.ts'

const bench = useSlackBench()

async function take(callbackId: string, userId = 'UOLGA'): Promise<readonly string[]> {
  await deliver(bench.slack, 'shortcut', { user: { id: userId }, callback_id: callbackId, trigger_id: newTrigger() })
  return bench.said()
}

describe('a shortcut', () => {
  it('opens the empty form of its operation', async () => {
    expect(await take('record_add')).toEqual([])
    expect(bench.shown('views.open')).toContain('Step 1 of 2')
  })

  it('tells somebody without the right so, on record, before any form', async () => {
    expect(await take('record_add', 'UVERA')).toEqual([
      expect.stringMatching(/Only operators and admins can use .*; you are a viewer/),
    ])
    expect((await bench.record()).at(-1)).toMatch(/^denied: /)
  })

  it('of an operation without a form says how it is asked for', async () => {
    expect(await take('lines_list')).toEqual([
      'lines list has no form. Nothing was done. Type it instead: /cdn lines list.',
    ])
  })

  it('of no operation is refused, on record, without its words', async () => {
    expect(await take('hush_all')).toEqual([expect.stringMatching(/so it was refused\. Nothing was done\./)])
    expect((await bench.record()).at(-1)).toBe('denied: It is a button or shortcut of no operation.')
    expect(JSON.stringify([bench.calls, bench.log])).not.toContain('hush')
  })
})
