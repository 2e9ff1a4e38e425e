import type { Mrkdwn } from '../../../src/block-kit/mrkdwn.ts'
import { blockRefusals } from '../../../src/slack/out/block-refusals.ts'
import { MessageSender } from '../../../src/slack/out/message-sender.ts'
import type { Fetch, WebApi } from '../../../src/slack/out/web-api.ts'
import { postBy } from '../../support/post-by.ts'
import { recordingLog } from '../../support/recording-log.ts'
import { TurnedClock } from '../../support/turned-clock.ts'

export const URL_SECRET = 'https://hooks.slack.test/commands/T1/hush'

export interface Sent {
  readonly to: string
  readonly body: Readonly<Record<string, unknown>>
}

/** The way out to a scripted Slack. `answers` gives the answer to each thing sent, by its number. */
export function messageSender(answers: (index: number, sent: Sent) => unknown = () => ({}), footer?: Mrkdwn) {
  const clock = new TurnedClock()
  const { log, lines } = recordingLog()
  const sent: Sent[] = []
  const api: Pick<WebApi, 'call'> = {
    call: async (client, method, body) => {
      sent.push({ to: `${client} ${method}`, body })
      const answer = await answers(sent.length - 1, sent.at(-1)!)
      if (answer instanceof Error) throw answer
      const file = { files: typeof answer === 'object' && answer !== null && 'files' in answer ? answer.files : [] }
      return { channel: 'C1', ts: '1.2', view: { id: 'V1', hash: 'h' }, upload_url: URL_SECRET, file_id: 'F1', ...file }
    },
  }
  const fetch: Fetch = async (url, init) => {
    const text = typeof init?.body === 'string' ? init.body : ''
    const body = text.startsWith('{') ? (JSON.parse(text) as Sent['body']) : { text } // what this test sent itself
    sent.push({ to: String(url), body })
    const answer = await answers(sent.length - 1, sent.at(-1)!)
    if (answer instanceof Error) throw answer
    return answer instanceof Response ? answer : new Response('ok')
  }
  const refusals = blockRefusals(clock, log)
  const options = { api: api as WebApi, post: postBy(fetch), refusals, clock, log, footer }
  return { clock, lines, sent, refusals, out: new MessageSender(options) }
}
