import type { Notifier } from '../delivery/notifier.ts'
import { wordsMessage } from '../block-kit/message.ts'
import { md } from '../block-kit/mrkdwn.ts'
import type { Log } from '../shared/log.ts'
import type { WritableState } from '../store/engine/database.ts'
import { StoreError } from '../store/schema/store-error.ts'

/** Logs and posts that the record cannot be written, or that it can again. The store calls it whenever that changes. */
export function tellWritable(
  state: WritableState,
  log: Log,
  notifier: Notifier | undefined,
  opsChannel: string | undefined,
): void {
  if (state.writable) log.info('the record can be written again')
  else log.error({ why: state.why }, 'the record cannot be written: writes and sensitive reads are refused')
  if (opsChannel === undefined) return
  const said = state.writable
    ? md`:white_check_mark: The record of CDN Ops can be written again. What was refused meanwhile has to be asked for anew.`
    : md`:rotating_light: ${new StoreError(state.why).message}, so the record of CDN Ops cannot be written. Writes and key reads are refused until it can; plain reads go on. Nothing that was confirmed is lost. Whoever runs CDN Ops has to see to it; its log says more.`
  notifier?.post(opsChannel, wordsMessage([said])).catch((error: unknown) => {
    log.error({ err: error }, 'notice about the store could not be posted')
  })
}
