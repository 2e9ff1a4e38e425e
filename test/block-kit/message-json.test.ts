import { expect, test } from 'vitest'
import { message } from '../../src/block-kit/message.ts'
import { messageJson } from '../../src/block-kit/message-json.ts'
import { context, section } from '../../src/block-kit/sections.ts'

const SHOWN = message({ text: 'A "quoted" word', blocks: [section('Ü\n"\\'), context('small')] })

test('a message as JSON says what the message says, and what is said with it', () => {
  expect(JSON.parse(messageJson(SHOWN))).toEqual(SHOWN)
  const both = { ...SHOWN, plain: [section('plain')] }
  expect(JSON.parse(messageJson(both, { response_type: 'ephemeral' }))).toEqual({
    ...both,
    response_type: 'ephemeral',
  })
})

test('the text alone comes without blocks', () => {
  expect(messageJson({ text: 'Only this' })).toBe('{"text":"Only this"}')
})
