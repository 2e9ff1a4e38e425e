import type { Notifier } from '../alerts/notifier.ts'
import { type Message, message } from '../block-kit/message.ts'
import { md, plainOf } from '../block-kit/mrkdwn.ts'
import { section } from '../block-kit/sections.ts'
import type { Log } from '../shared/log.ts'
import type { WritableState } from '../store/database.ts'
import type { StoreErrorKind } from '../store/store-error.ts'

/** What operators are told through, where the way to Slack is there already: not through the record itself. */
export interface Tellers {
  readonly log: Log
  readonly notifier: Notifier | undefined
  readonly opsChannel: string | undefined
}

/** Tells operators that the record cannot be written, or that it can again. The store says so whenever that changes. */
export function tellWritable(state: WritableState, { log, notifier, opsChannel }: Tellers): void {
  if (state.writable) log.info('the record can be written again')
  else log.error({ why: state.why }, 'the record cannot be written: writes and sensitive reads are refused')
  if (opsChannel === undefined) return
  notifier?.post(opsChannel, state.writable ? AGAIN : stopped(state.why)).catch((error: unknown) => {
    log.error({ err: error }, 'nobody could be told about the state of the record')
  })
}

const REASONS: Readonly<Record<StoreErrorKind, string>> = {
  locked: ': something else holds it',
  busy: ': it has too much to do',
  full: ': its disk is full',
  read_only: ': it can only be read',
  corrupt: ': it is damaged',
  in_use: ': another process uses it',
  unreachable: ': its database does not answer',
  unanswered: ': its database does not answer',
  other: '',
}

function stopped(why: StoreErrorKind): Message {
  const line = md`:rotating_light: The record of CDN Ops cannot be written${REASONS[why]}. Writes and key reads are refused until it can; plain reads go on. Nothing that was confirmed is lost. Whoever runs CDN Ops has to see to it; its log says more.`
  return message({ text: plainOf(line), blocks: [section(line)] })
}

const again = md`:white_check_mark: The record of CDN Ops can be written again. What was refused meanwhile has to be asked for anew.`
const AGAIN = message({ text: plainOf(again), blocks: [section(again)] })
