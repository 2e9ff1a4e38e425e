import type { ModalView } from '../../block-kit/view.ts'
import type { Message } from '../../block-kit/message.ts'
import { explainAndLog, failure } from '../../execution/messages/error-messages.ts'
import type { Result } from '../../execution/request-service.ts'
import type { Issue, Operation } from '../../operations/declaration/operation.ts'
import { waitAtMost } from '../../shared/clock.ts'
import { UserError } from '../../shared/errors.ts'
import { formView } from '../form/form-view.ts'
import { noticeView, resultView } from '../form/notice-views.ts'
import { reviewView } from '../form/review-view.ts'
import { SlackError, TOKEN_REFUSED, tokenRefused } from '../out/web-api.ts'
import type { Origin, ListenerOptions } from './delivery.ts'
import { type ResponderOptions, Responder } from './responder.ts'

/** A trigger opens one view within 3 s; what takes longer is preceded by a view that says so. */
const OPEN_DIRECTLY_MS = 1_200
const MAX_PROBLEMS = 6

/** Shows what became of a request for `operation`: as a message, or as a view on the trigger. */
export async function showResult(
  result: Result,
  operation: Operation,
  origin: Origin,
  responder: Responder,
  options: ListenerOptions,
): Promise<void> {
  const { command, responseAddresses } = options
  const keepAddress = async (changeId: string): Promise<void> => {
    if (origin.responseUrl !== undefined) await responseAddresses.keep(changeId, origin.responseUrl)
  }
  switch (result.kind) {
    case 'answered':
      await responder.reply(result.message, result.audience)
      if (result.file !== undefined) await responder.sendFile(result.file)
      return
    case 'denied':
    case 'failed':
      return responder.reply(result.message, 'caller')
    case 'review':
      return openView(origin, options, async () => {
        const prompt = await result.begin()
        await keepAddress(prompt.change.id)
        return reviewView(prompt, command)
      })
    case 'form':
      return openView(origin, options, async () => {
        const { change, zones } = await result.begin()
        await keepAddress(change.id)
        return formView({ operation, step: 0, values: change.values, issues: result.issues, change, zones })
      })
    case 'invalid':
      return responder.reply(wordIssues(result.issues, operation, command), 'caller')
    case 'repeated':
  }
}

export function wordIssues(issues: readonly Issue[], { name }: Operation, command: string): Message {
  const problems = issues.slice(0, MAX_PROBLEMS).map(({ problem }) => problem)
  return failure(problems.join(' '), `Nothing was done. See ${command} help ${name}.`)
}

/**
 * Opens a view on the trigger, behind a view that says to wait when it takes longer to make. Throws UserError when Slack
 * does not open it, or may not have; what goes wrong behind the waiting view is said there.
 */
export async function openView(
  origin: Origin,
  options: ResponderOptions,
  make: () => Promise<ModalView>,
): Promise<void> {
  const { messageSender, clock } = options
  const { triggerId, arrivedMs } = origin
  if (triggerId === undefined) {
    const words = failure('Slack gave no way to open a form here. Nothing was done.', 'Type the command again.')
    return new Responder(origin, options).reply(words, 'caller')
  }
  const making = make()
  const ready = await waitAtMost(clock, Math.max(0, arrivedMs + OPEN_DIRECTLY_MS - clock.monotonicMs()), making)
  if (ready !== undefined) {
    await messageSender.openView(triggerId, ready.value).catch(throwNotOpened)
    return
  }
  const opening = messageSender.openView(triggerId, noticeView('Working…', 'One moment: this is being prepared.'))
  const viewId = await opening.catch(throwNotOpened)
  const view = await making.catch((error: unknown) =>
    resultView('Nothing was done', explainAndLog(error, 'a form', options)),
  )
  await updateOpenView(viewId, view, options)
}

/** Does nothing where the view was closed meanwhile. Throws UserError when Slack does not update it, or may not have. */
export async function updateOpenView(
  viewId: string,
  view: ModalView,
  { messageSender }: Pick<ResponderOptions, 'messageSender'>,
): Promise<void> {
  await messageSender.updateView({ viewId }, view).catch((error: unknown) => {
    if (!(error instanceof SlackError && error.code === 'not_found')) throwNotOpened(error)
  })
}

/** That Slack does not open a view is no bug: the trigger is too old, or Slack is slow. It may have done so all the same. */
function throwNotOpened(error: unknown): never {
  if (!(error instanceof SlackError)) throw error
  const { code } = error
  if (TOKEN_REFUSED.has(code)) throw tokenRefused(code)
  const happened = `Slack may not have shown the form (${code}). Nothing was done.`
  throw new UserError('expired', happened, 'If none is there, or it only says to wait, ask again.')
}
