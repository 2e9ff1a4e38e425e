import { beforeEach, expect, test } from 'vitest'
import { Secret } from '../../../src/shared/secret.ts'
import { responseAddresses, type ResponseAddresses } from '../../../src/slack/out/response-addresses.ts'
import { spellingsOf } from '../../safety/canary/spellings.ts'
import { type LogLine, recordingLog } from '../../support/recording-log.ts'
import { TurnedClock } from '../../support/turned-clock.ts'

const ADDRESS = 'https://hooks.slack.test/commands/T1/canary-of-an-address'

let kept: Map<string, string>
let lines: readonly LogLine[]
let addresses: (token?: string) => ResponseAddresses
beforeEach(() => {
  kept = new Map()
  const recording = recordingLog()
  ;({ lines } = recording)
  const store = {
    put: async (id: string, sealed: string) => void kept.set(id, sealed),
    get: async (id: string) => kept.get(id),
  }
  addresses = (token = 'xoxb-1') =>
    responseAddresses(store, new Secret(token), { clock: new TurnedClock(), log: recording.log })
})

test('an address is found by its change, by whoever has the same token', async () => {
  await addresses().keep('c1', ADDRESS)
  expect(await addresses().find('c1')).toBe(ADDRESS)
  expect(await addresses().find('c2')).toBeUndefined()
  expect(lines).toEqual([])
})

test('nothing of it stands in what is kept, and each is kept in another form', async () => {
  const one = addresses()
  for (const id of ['c1', 'c2']) await one.keep(id, ADDRESS)
  const [sealed = '', other] = kept.values()
  expect(sealed).not.toBe(other)
  const text = `${sealed} ${Buffer.from(sealed, 'base64').toString('latin1')}`
  for (const spelling of Object.values(spellingsOf(ADDRESS))) expect(text).not.toContain(spelling)
})

test.each([
  { what: 'was kept with another token', change: () => undefined, token: 'xoxb-2' },
  { what: 'was put under another change', change: () => kept.set('c1', kept.get('c2') ?? '') },
  {
    what: 'was altered',
    change: () => kept.set('c1', kept.get('c1')?.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')) ?? ''),
  },
  { what: 'was cut', change: () => kept.set('c1', kept.get('c1')?.slice(0, 48) ?? '') },
])('one that $what is not there, and the log says no more', async ({ change, token }) => {
  const one = addresses()
  for (const id of ['c1', 'c2']) await one.keep(id, `${ADDRESS}/${id}`)
  change()
  expect(await addresses(token).find('c1')).toBeUndefined()
  expect(JSON.stringify(lines)).not.toContain('canary')
})

test('what the store does not take or give is done without', async () => {
  const failing = { put: () => Promise.reject(new Error('locked')), get: () => Promise.reject(new Error('locked')) }
  const recording = recordingLog()
  const one = responseAddresses(failing, new Secret('xoxb-1'), { clock: new TurnedClock(), log: recording.log })
  await one.keep('c1', ADDRESS)
  expect(await one.find('c1')).toBeUndefined()
  expect(recording.lines.map(({ level }) => level)).toEqual(['warn', 'warn'])
  expect(JSON.stringify(recording.lines)).not.toContain('canary')
})
