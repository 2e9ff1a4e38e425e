import { section } from './block-kit/sections.ts'
import { md, plainOf } from './block-kit/mrkdwn.ts'
import { type Message, message } from './block-kit/message.ts'
import type { Notifier } from './alerts/notifier.ts'
import type { Log } from './shared/log.ts'
import type { StoreErrorKind } from './store/store-error.ts'

/** Tells operators once that the record cannot be written, and once that it can again: not through the record itself. */
export class StoreWatch {
  readonly #log: Log
  readonly #opsChannel: string | undefined
  #notifier: Notifier | undefined

  constructor(log: Log, opsChannel: string | undefined) {
    this.#log = log
    this.#opsChannel = opsChannel
  }

  /** The way to Slack, which comes later than the store. */
  tellBy(notifier: Notifier): void {
    this.#notifier = notifier
  }

  /** The store says whether it can be written, whenever that changes. */
  readonly onWritable = ({ writable, why }: { readonly writable: boolean; readonly why?: StoreErrorKind }): void => {
    if (writable) this.#log.info('the record can be written again')
    else this.#log.error({ why }, 'the record cannot be written: writes and sensitive reads are refused')
    if (this.#opsChannel === undefined) return
    this.#notifier?.post(this.#opsChannel, writable ? AGAIN : stopped(why)).catch((error: unknown) => {
      this.#log.error({ err: error }, 'nobody could be told about the state of the record')
    })
  }
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

function stopped(why: StoreErrorKind = 'other'): Message {
  const line = md`:rotating_light: The record of CDN Ops cannot be written${REASONS[why]}. Writes and key reads are refused until it can; plain reads go on. Nothing that was confirmed is lost. Whoever runs CDN Ops has to see to it; its log says more.`
  return message({ text: plainOf(line), blocks: [section(line)] })
}

const again = md`:white_check_mark: The record of CDN Ops can be written again. What was refused meanwhile has to be asked for anew.`
const AGAIN = message({ text: plainOf(again), blocks: [section(again)] })
