import { expect, it } from 'vitest'
import { rawValuesFrom } from '../../../src/operations/declaration/answer.ts'
import { sentenceStart } from '../../../src/operations/declaration/prompt-words.ts'
import { isTimeZone, readerTimes } from '../../../src/operations/declaration/reader-times.ts'
import { EFFECTS, isRead, writesToBot } from '../../../src/operations/declaration/role.ts'

it.each([
  ['Asia/Tokyo', '2026-11-20 20:59:59.250', '2026-11-20 21:00:00.000'],
  ['Mars/Olympus', '2026-11-20 11:59:59.250', '2026-11-20 12:00:00.000'],
])('tells times by the clocks of %s, or of UTC where that is no zone', (zone, first, second) => {
  const times = readerTimes(zone)
  expect([times.zone, isTimeZone(zone)]).toEqual(zone.startsWith('Mars') ? ['UTC', false] : [zone, true])
  const [one, other] = [new Date('2026-11-20T11:59:59.250Z'), new Date('2026-11-20T12:00:00Z')]
  expect([one, other, one].map((at) => times.exact(at))).toEqual([first, second, first])
  expect(times.format(one)).toBe(first.slice(0, -4))
})

it('knows a zone by its former name, and begins a sentence without a change to what follows', () => {
  expect([isTimeZone('Asia/Calcutta'), isTimeZone('Asia/Kolkata')]).toEqual([true, true])
  expect(sentenceStart('an A record')).toBe('An A record')
})

it('keeps checked input as it can be asked for again', () => {
  const at = new Date('2026-11-20T12:00:00Z')
  const zone = { id: 7n, name: 'shop' }
  expect(rawValuesFrom({ at, zone, list: ['a', 'b'], count: 0, is: false, nothing: null, absent: undefined })).toEqual({
    at: '2026-11-20T12:00:00.000Z',
    zone: '7',
    list: 'a,b',
    count: '0',
    is: 'false',
    nothing: 'null',
  })
})

it('tells reads from what changes the store of the bot', () => {
  expect([EFFECTS.filter(isRead), EFFECTS.filter(writesToBot)]).toEqual([
    ['read', 'sensitive read'],
    ['acknowledge', 'write to the bot'],
  ])
})
