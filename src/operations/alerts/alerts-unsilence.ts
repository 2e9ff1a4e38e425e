import { wordsMessage } from '../../block-kit/message.ts'
import { md } from '../../block-kit/mrkdwn.ts'
import { UserError } from '../../shared/errors.ts'
import type { SilenceRecord } from '../../store/alert-records.ts'
import { defineOperation } from '../define-operation.ts'
import { required } from '../fields.ts'
import type { OperationContext } from '../operation.ts'
import { type About, about } from './about-field.ts'
import { byId } from './alert-id-field.ts'
import { subjectWords } from './alert-subjects.ts'
import { channelHere } from './channel-for-alerts.ts'
import { alertEntry } from './rule-adding.ts'
import { silencedWords } from './silenced.ts'

/** `alerts unsilence`: ends silences before their time: those of a zone or all of this channel, or by id those of any. */
export const alertsUnsilence = defineOperation({
  name: 'alerts unsilence',
  summary: 'End a silence of this channel before its time',
  verb: 'End silence',
  effect: 'write to the bot',
  minimumRole: 'operator',
  audience: 'channel',
  shareable: false,
  fields: {
    ids: required(
      about({
        label: 'Silence',
        hint: 'The name or id of a zone, all for everything of this channel, or ids of silences as alerts list shows them.',
      }),
    ),
  },
  positionals: ['ids'],
  examples: ['alerts unsilence shop', 'alerts unsilence all', 'alerts unsilence 0123abcd'],
  describe: ({ ids: { typed } }) => `End the silence of ${typed}`,
  async run({ ids: wanted }, running): Promise<readonly SilenceRecord[]> {
    const { store, now, once, alerts, command } = running
    const meant = silencesMeant(wanted, await store.silences.list(now), running)
    const ended: SilenceRecord[] = []
    for (const { id } of meant) {
      const entry = (silence: SilenceRecord) =>
        alertEntry('alert_unsilenced', 'alerts unsilence', `Ended the silence of ${silence.subject}`, running)
      const over = await store.silences.end(id, now, entry, ended.length === 0 ? once : undefined)
      if (over !== undefined) ended.push(over)
    }
    if (ended.length === 0) {
      throw new UserError(
        'invalid_input',
        `No silence is in force here for ${wanted.typed}, so nothing was ended.`,
        `See them: ${command} alerts list`,
      )
    }
    alerts.soon()
    return ended
  },
  present(ended, _, { zones }) {
    const title = md`*Told again:*`
    const told = ended.map(({ subject, kind }) => `${silencedWords(kind)} ${subjectWords(subject, zones)}`)
    // Several silences of the same end at once.
    const lines = [...new Set(told)].map((each) => md`${each}`)
    const next = md`What fires now is told within a minute or two.`
    return { message: wordsMessage([title], { list: lines, small: [next] }) }
  },
})

/** What is in force of this channel for a zone or for everything; otherwise those with these ids, wherever they hold. */
function silencesMeant(
  { all, subjects, ids }: About,
  silences: readonly SilenceRecord[],
  running: Pick<OperationContext, 'channelId' | 'command'>,
): readonly SilenceRecord[] {
  if (all || subjects.length > 0) {
    const channel = ids.length > 0 ? running.channelId : channelHere(running)
    const here = silences.filter(
      ({ channelId, subject }) => channelId === channel && (all || subjects.includes(subject)),
    )
    if (here.length > 0) return here
  }
  return ids.flatMap((id) => byId(id, silences).found ?? [])
}
