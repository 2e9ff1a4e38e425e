import { expect, it } from 'vitest'
import { wordsMessage } from '../../../src/block-kit/message.ts'
import { md } from '../../../src/block-kit/mrkdwn.ts'
import { showResult } from '../../../src/slack/listeners/show-result.ts'
import type { Responder } from '../../../src/slack/listeners/responder.ts'

it('an answer with a file is over when the file is there, and fails where it cannot be sent', async () => {
  const { promise, reject } = Promise.withResolvers<undefined>()
  const responder = { reply: async () => undefined, sendFile: () => promise } as unknown as Responder
  const file = { name: 'a.csv', title: 'A', content: 'x' }
  const result = { kind: 'answered', message: wordsMessage([md`Three lines.`]), audience: 'caller', file } as const
  const shown = showResult(result, {} as never, {} as never, responder, {} as never)
  reject(new Error('not in the channel'))
  await expect(shown).rejects.toThrow('not in the channel')
})
