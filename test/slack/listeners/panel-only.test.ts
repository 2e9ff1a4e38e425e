import { expect, test } from 'vitest'
import { textOf } from '../../../src/block-kit/mrkdwn.ts'
import { panelOnly } from '../../../src/slack/listeners/command-listener.ts'
import { checkContext } from '../../support/operation-context.ts'

const FRONT = 'https://panel.example.com/'

test.each([
  ['dns remove shop www', `remove a record; <${FRONT}dns-zone/301|the panel> can.`],
  ['DNS delete 4711', `remove a record; <${FRONT}dns-zone/4711|the panel> can.`],
  ['dns update nowhere', `change a record; <${FRONT}|the panel> can.`],
  ['libraries rm 7', `remove a video library; <${FRONT}video-library/7|the panel> can.`],
  ['dns list', `look up a record; <${FRONT}|the panel> can.`],
  ['keys delete 7', `remove an API key; <${FRONT}|the panel> can.`],
])('%s is for the panel', (typed, said) => {
  expect(textOf(panelOnly(typed, checkContext()) ?? fail())).toBe(`CDN Ops can’t ${said}`)
})

test.each(['purge shop', 'Flush', 'invalidate /img'])('%s is for the panel, too', (typed) => {
  expect(textOf(panelOnly(typed, checkContext()) ?? fail())).toBe('CDN Ops can’t purge the cache; the CDN’s panel can.')
})

test('no link is made up where no panel is configured', () => {
  const context = checkContext({ panel: () => undefined })
  expect(textOf(panelOnly('dns rm', context) ?? fail())).toMatch(/; the panel can\.$/)
})

test.each(['dns', 'keys find 7', 'dns paint', 'zones remove shop', 'paint dns'])('%s is not', (typed) => {
  expect(panelOnly(typed, checkContext())).toBeUndefined()
})

function fail(): never {
  throw new Error('It says nothing')
}
