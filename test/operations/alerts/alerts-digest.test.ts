import { expect, it } from 'vitest'
import { alertsDigest } from '../../../src/operations/alerts/alerts-digest.ts'
import { alertsWatch } from '../../../src/operations/alerts/alerts-watch.ts'
import { OPERATIONS } from '../../../src/operations/index.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { parseCommand } from '../../../src/slack/command-text/parse-command.ts'
import { NOW, operationContext, problemsOf } from '../../support/operation-context.ts'
import { createAlertsBench, deskWith } from './alerts-bench.ts'
import { forEachTest } from '../../support/for-each-test.ts'

const bench = forEachTest(createAlertsBench)

const berlin = { actor: { ...operationContext().actor, timeZone: 'Europe/Berlin' } }

it('is set by the clocks of whoever asks, is on record, and Undo sets what was before', async () => {
  await bench.rule({})
  const first = await bench.ask(alertsDigest, { cadence: 'weekly' }, berlin)
  expect(first.text).toBe('The digest comes weekly on Monday at 09:00 (Europe/Berlin), next 2026-11-23 08:00 UTC.')
  expect(first.buttons).toEqual([{ kind: 'page', label: 'Undo', values: { cadence: 'off' } }])
  const given = { cadence: 'daily', at: '7:05', zone: 'America/New_York' }
  const second = await bench.ask(alertsDigest, given, berlin)
  expect(second.text).toBe('The digest comes daily at 07:05 (America/New_York), next 2026-11-20 12:05 UTC.')
  const before = { cadence: 'weekly', at: '09:00', day: 'monday', zone: 'Europe/Berlin' }
  expect(second.buttons).toEqual([{ kind: 'page', label: 'Undo', values: before }])
  expect((await bench.ask(alertsDigest, before)).text).toBe(first.text)
  expect(await bench.store.digests.get('C1')).toMatchObject({ cadence: 'weekly', minute: 540, toldUntil: NOW })
  expect((await bench.record())[0]).toEqual(['digest_set', 'Digest of C1: weekly on Monday at 09:00 (Europe/Berlin)'])
})

it('has a form that begins with what is set in the channel', async () => {
  const { store } = bench
  expect(await alertsDigest.current({ store, channelId: 'C1' })).toEqual({})
  const given = { cadence: 'weekly', at: '07:05', day: 'friday', zone: 'Europe/Berlin' }
  await bench.ask(alertsDigest, given)
  expect(await alertsDigest.current({ store, channelId: 'C1' })).toEqual(given)
  expect(await alertsDigest.current({ store, channelId: 'C2' })).toEqual({})
  expect(await alertsDigest.current({ store, channelId: undefined })).toEqual({})
})

it('takes the day in the words of its answer', async () => {
  const { values } = parseCommand('alerts digest weekly on friday', OPERATIONS) as { values: RawValues }
  expect((await bench.ask(alertsDigest, values)).text).toContain('weekly on Friday at 09:00')
  const typed = ['daily 8:30 Europe/Berlin', 'weekly friday 23:59 UTC'].map(
    (words) => (parseCommand(`alerts digest ${words}`, OPERATIONS) as { values: RawValues }).values,
  )
  expect(typed).toEqual([
    { cadence: 'daily', at: '8:30', zone: 'Europe/Berlin' },
    { cadence: 'weekly', day: 'friday', at: '23:59', zone: 'UTC' },
  ])
})

it('says that none comes, and keeps the hour for when one does again', async () => {
  await bench.ask(alertsDigest, { cadence: 'daily', at: '07:00' })
  expect((await bench.ask(alertsDigest, { cadence: 'off' })).text).toBe('No digest comes to this channel.')
  expect((await bench.record())[0]?.[1]).toBe('Digest of C1: off')
  expect((await bench.ask(alertsDigest, { cadence: 'daily' })).text).toContain('daily at 07:00 (UTC)')
  await bench.ask(alertsDigest, { cadence: 'weekly', day: 'sunday', zone: 'Asia/Tokyo' }, berlin)
  const { text, buttons } = await bench.ask(alertsDigest, { cadence: 'weekly', at: '0:30' }, berlin)
  expect(text).toBe(
    'The digest comes weekly on Sunday at 00:30 (Asia/Tokyo), next 2026-11-21 15:30 UTC. Nothing is watched in this channel yet, so there is nothing to tell.',
  )
  expect(buttons[0]).toEqual({ kind: 'form', label: 'Watch a zone', operation: 'alerts watch', values: {} })
})

it('refuses what is no time, no day and no zone', () => {
  const wrong = { cadence: 'monthly', at: '24:00', day: 'noday' }
  for (const zone of ['Mars/Olympus', '+01:00'])
    expect(problemsOf(alertsDigest, { ...wrong, zone })).toEqual([
      expect.stringMatching(/^cadence: How often cannot be monthly\./),
      'at: At is not a time of the day, such as 09:00.',
      expect.stringMatching(/^day: Day cannot be noday\./),
      'zone: Time zone is not known. Give it as Europe/Berlin or UTC.',
    ])
  expect(problemsOf(alertsDigest, { cadence: 'daily', at: '9:60' })).toHaveLength(1)
  expect(problemsOf(alertsDigest, {})).toEqual(['cadence: How often is needed.'])
})

it('comes weekly with the first zone that is watched, unless somebody turned it off', async () => {
  const watch = (channelId: string) =>
    bench.ask(alertsWatch, { pullZone: '301' }, { ...berlin, channelId, alerts: deskWith(() => undefined) })
  expect((await watch('C1')).text).toContain('A digest comes weekly on Monday at 09:00 (Europe/Berlin).')
  expect((await watch('C1')).text).not.toContain('A digest comes')
  await bench.ask(alertsDigest, { cadence: 'off' }, { channelId: 'C2' })
  expect((await watch('C2')).text).not.toContain('A digest comes')
  expect(await bench.store.digests.get('C2')).toMatchObject({ cadence: 'off' })
})
