import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFormOf, operationOfShortcut } from '../../src/slack/home-listener.ts'
import { createSlackBench, newTrigger, type SlackBench } from '../support/slack-bench.ts'

let bench: SlackBench
beforeEach(async () => {
  bench = await createSlackBench()
})
afterEach(() => bench.close())

async function take(callbackId: string, userId = 'UOLGA'): Promise<readonly string[]> {
  const visitor = { userId, channelId: undefined, responseUrl: undefined, triggerId: newTrigger() }
  await openFormOf(operationOfShortcut(callbackId), visitor, bench.reception)
  return bench.said()
}

describe('a shortcut', () => {
  it('opens the empty form of its operation', async () => {
    expect(await take('record_add')).toEqual([])
    expect(bench.shown('views.open')).toContain('Step 1 of 2')
  })

  it('tells somebody without the right so, on record, before any form', async () => {
    expect(await take('record_add', 'UVERA')).toEqual([
      expect.stringMatching(/needs the role operator; yours is viewer/),
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
