import { expect, test } from 'vitest'
import { textOf } from '../../../src/block-kit/mrkdwn.ts'
import { panelOnly } from '../../../src/slack/listeners/mistyped-command.ts'
import { checkContext } from '../../support/operation-context.ts'

const FRONT = 'https://panel.example.com/'

test.each([
  ['dns remove shop www', `add DNS records; <${FRONT}dns-zone/301|the panel>`],
  ['DNS delete 4711', `add DNS records; <${FRONT}dns-zone/4711|the panel>`],
  ['dns update nowhere', `add DNS records; <${FRONT}|the panel>`],
  ['libraries rm 7', `create video libraries; <${FRONT}video-library/7|the panel>`],
  ['dns list', `add DNS records; <${FRONT}|the panel>`],
  ['dns create', `add DNS records; <${FRONT}|the panel>`],
  ['keys delete 7', `list API keys; <${FRONT}|the panel>`],
])('%s is for the panel', (typed, said) => {
  expect(textOf(panelOnly(typed, checkContext()) ?? fail())).toBe(`CDN Ops can only ${said} can do the rest.`)
})

test.each(['purge shop', 'Flush', 'invalidate /img'])('%s is for the panel, too', (typed) => {
  expect(textOf(panelOnly(typed, checkContext()) ?? fail())).toBe('CDN Ops can’t purge the cache; the CDN’s panel can.')
})

test('no link is made up where no panel is configured', () => {
  const context = checkContext({ panel: () => undefined })
  expect(textOf(panelOnly('dns rm', context) ?? fail())).toMatch(/; the panel can do the rest\.$/)
})

test.each(['dns', 'dns paint', 'zones remove shop', 'paint dns'])('%s is not', (typed) => {
  expect(panelOnly(typed, checkContext())).toBeUndefined()
})

function fail(): never {
  throw new Error('It says nothing')
}
