import type { Clicked } from '../../execution/changes/approvals.ts'
import { POSTED_WITHIN_MS } from '../../execution/changes/change-announcer.ts'
import type { Ended } from '../../execution/changes/change-sender.ts'
import { withBlocks } from '../../block-kit/message.ts'
import { md, mention } from '../../block-kit/mrkdwn.ts'
import { context } from '../../block-kit/sections.ts'
import type { ModalView } from '../../block-kit/view.ts'
import { againButton } from '../../execution/messages/change-card.ts'
import { failure } from '../../execution/messages/error-messages.ts'
import { UserError } from '../../shared/errors.ts'
import type { Change } from '../../store/schema/change.ts'
import { StoreError } from '../../store/schema/store-error.ts'
import { DECLINE_BLOCK, ALONE_BLOCK } from '../form/review-view.ts'
import { APPROVE_VIEW, DECLINE_VIEW, FORM_VIEW, type FormPlace, readPlace, REVIEW_VIEW } from '../form/form-place.ts'
import { readReason } from '../form/form-values.ts'
import { noticeView, resultView, stateView, waitingView, workingView } from '../form/notice-views.ts'
import { InvalidDelivery } from '../gateway/invalid-delivery.ts'
import type { ViewSubmission } from '../gateway/payloads.ts'
import { SlackError } from '../out/web-api.ts'
import { COUNTS_ONCE } from './approval-listener.ts'
import { explainFailure, type ListenerOptions } from './delivery.ts'
import {
  assertOwn,
  keepEntered,
  onFormPage,
  placeOf,
  showView,
  type Submission,
  type SubmittedPage,
  type ViewAck,
} from './form-listener.ts'
import { onHomeOpened } from './home-listener.ts'
import { NOT_HERE } from './responder.ts'
import { refuseKeys } from './typed-keys.ts'

/** A submitted view: a page of a form, a review, or an approver's prompt. */
export async function onViewSubmission(
  payload: ViewSubmission,
  notAfterMs: number,
  options: ListenerOptions,
): Promise<Submission> {
  const { view, user } = payload
  try {
    const submit = Object.hasOwn(SUBMITS, view.callback_id) ? SUBMITS[view.callback_id] : undefined
    if (submit === undefined) throw new InvalidDelivery('It is a view that nobody can submit.')
    const place = placeOf(view)
    const actor = await options.people.actor(user.id, { team: user.team_id, fresh: view.callback_id !== FORM_VIEW })
    const submission = await submit({ ...place, state: view.state?.values ?? {}, actor, notAfterMs }, options)
    if (place.onHome !== true) return submission
    // What was decided waits no more, though it may be under way for a while.
    const afterwards = async (): Promise<void> => {
      await Promise.all([submission.afterwards?.(), onHomeOpened(user.id, options)])
      if (submission.afterwards !== undefined) await onHomeOpened(user.id, options)
    }
    return { ...submission, afterwards }
  } catch (error) {
    return answerFailure(error, payload, options)
  }
}

type SubmittedView = Omit<SubmittedPage, 'change'> & Pick<FormPlace, 'change'>

const SUBMITS: Readonly<Record<string, (view: SubmittedView, options: ListenerOptions) => Promise<Submission>>> = {
  [FORM_VIEW]: async (page, options) => {
    const { change: id, step, state, actor } = page
    await assertOwn(id, actor, options)
    const change = await options.changes.draft(id, actor).catch(async (error: unknown) => {
      await keepEntered({ change: id, step, state }, options)
      throw error
    })
    return onFormPage({ ...page, change }, options)
  },
  [REVIEW_VIEW]: onReview,
  [APPROVE_VIEW]: onApproval,
  [DECLINE_VIEW]: onDecline,
}

/**
 * The click that confirms, or asks others. What it does is on record before Slack hears of it; sending comes after. Of a
 * change that was answered before, it shows the state.
 */
async function onReview(
  { change: changeId, state, actor, notAfterMs }: SubmittedView,
  options: ListenerOptions,
): Promise<Submission> {
  const { changes, announcer, command } = options
  await assertOwn(changeId, actor, options)
  const reason = typedReason(state, ALONE_BLOCK, changeId, options)
  const submitted = await changes.submit(changeId, actor, reason, notAfterMs)
  const { change } = submitted
  if (submitted.kind === 'answered') return { ack: showView(stateView(change, command)) }
  const undo = (): Promise<void> => takeBack(changeId, actor.id, options)
  if (submitted.kind === 'waiting') {
    const afterwards = () => announcer.announce(changeId, POSTED_WITHIN_MS)
    return { ack: showView(waitingView(change, command)), afterwards, undo }
  }
  const externalId = waitingViewId(changeId, actor.id)
  return {
    ack: showView(workingView(`${submitted.invocation.sentence}: being sent …`, externalId)),
    afterwards: () => sendForRequester(change, externalId, options),
    undo,
  }
}

/** What was given as a reason, which others are shown. Throws InvalidDelivery for what no such view has, and for keys. */
function typedReason(
  state: unknown,
  block: string,
  changeId: string,
  { holdsSecret }: ListenerOptions,
): string | undefined {
  const reason = readReason(state, block, changeId)
  refuseKeys({ name: '', fields: {} }, reason === undefined ? {} : { reason }, holdsSecret, { changeId })
  return reason
}

/** Ends what the person could not be told of in time, or was told did not work. */
async function takeBack(changeId: string, userId: string, { changes }: ListenerOptions): Promise<void> {
  await changes.takeBack(changeId, userId, 'Slack gave up waiting before it was written down')
}

async function onApproval(
  { change: changeId, state, actor }: SubmittedView,
  options: ListenerOptions,
): Promise<Submission> {
  readReason(state, undefined, changeId)
  const clicked = await options.approvals.approve(changeId, actor)
  const { change } = clicked
  if (clicked.kind === 'found' || !clicked.ready)
    return { ack: showView(stateView(change, options.command, wordApproval(clicked))) }
  const externalId = waitingViewId(change.id, actor.id)
  return {
    ack: showView(workingView(`${change.sentence ?? change.operation}: approved, being sent …`, externalId)),
    afterwards: () => sendAndShow(change, externalId, options),
  }
}

function wordApproval(clicked: Clicked): string | undefined {
  if (clicked.kind === 'taken')
    return `Your approval counts.${clicked.change.state === 'waiting' ? ' It goes on once it has all approvals it needs.' : ''}`
  return clicked.repeated ? COUNTS_ONCE : undefined
}

async function onDecline(
  { change: changeId, state, actor }: SubmittedView,
  options: ListenerOptions,
): Promise<Submission> {
  const { approvals, command } = options
  const clicked = await approvals.decline(changeId, actor, typedReason(state, DECLINE_BLOCK, changeId, options))
  const { change } = clicked
  // Found again, it may be this very submission that Slack delivers a second time.
  const isTheirs = clicked.kind === 'taken' || (change.state === 'denied' && change.endedBy === actor.id)
  return { ack: showView(stateView(change, command, isTheirs ? 'You have declined it.' : undefined)) }
}

/** The `external_id` by which the view of somebody who waits for a change is found again. */
function waitingViewId(changeId: string, userId: string): string {
  return `change-${changeId}-${userId}`
}

/** Sends an approved change and shows whoever pressed the last button how it ended; the message about it follows. */
async function sendAndShow(change: Change, externalId: string, options: ListenerOptions) {
  const ended = await options.sender.send(change)
  const { outcome, viewed } = ended
  const isOver = outcome === 'rejected' || outcome === 'not_sent'
  const view = resultView(TITLES[outcome], isOver ? withBlocks(viewed, againButton(change.id)) : viewed)
  const shown = replaceView(externalId, view, options)
  const [place] = await Promise.all([ended.announced, shown])
  return { ended, place }
}

/**
 * The same for who asked: where the message about it had to go elsewhere, because the bot is not in the channel, the
 * channel sees the end through the command's own address, as long as that lives.
 */
async function sendForRequester(change: Change, externalId: string, options: ListenerOptions): Promise<void> {
  const { messageSender, log, responseAddresses } = options
  const { ended, place } = await sendAndShow(change, externalId, options)
  if (place === undefined || place.channel === change.channelId) return
  const url = await responseAddresses.find(change.id)
  if (url === undefined) return
  const answer = withBlocks(ended.viewed, context(md`Asked by ${mention(change.requestedBy)}`, NOT_HERE))
  await messageSender.respond(url, answer, { public: true, replace: false }).catch((error: unknown) => {
    log.warn({ err: error }, 'the channel of a change could not be answered')
  })
}

const TITLES: Readonly<Record<Ended['outcome'], string>> = {
  done: 'Done',
  rejected: 'Refused',
  not_sent: 'Not sent',
  unknown: 'Unknown',
  later: 'Not sent yet',
}

/**
 * Replaces a view that may have been closed: what it says stands in the message about the change, too. A fast answer can
 * overtake Slack, which knows the view only once it has taken in the acknowledgement.
 */
async function replaceView(
  externalId: string,
  view: ModalView,
  { messageSender, clock, log }: ListenerOptions,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await messageSender.updateView({ externalId }, view)
      return
    } catch (error) {
      if (!(error instanceof SlackError && error.code === 'not_found') || tries >= MAX_TRIES) {
        log.info({ reason: error instanceof Error ? error.message : 'unknown' }, 'a result view was not updated')
        return
      }
    }
    await clock.sleep(BETWEEN_TRIES_MS)
  }
}

const MAX_TRIES = 4
const BETWEEN_TRIES_MS = 400

async function answerFailure(
  error: unknown,
  { view, user }: ViewSubmission,
  options: ListenerOptions,
): Promise<Submission> {
  const by = { userId: user.id, team: user.team_id ?? undefined }
  const message = await explainFailure(error, by, 'a form', options)
  const isKnown = !(error instanceof StoreError && error.kind === 'unanswered')
  if (isKnown) {
    const place = error instanceof UserError && error.code === 'expired' ? readPlace(view.private_metadata) : undefined
    const asked = view.callback_id === FORM_VIEW || view.callback_id === REVIEW_VIEW ? place : undefined
    const shown = asked === undefined ? message : withBlocks(message, againButton(asked.change))
    return { ack: showView(resultView('Nothing was done', shown)) }
  }
  const ack = showView(resultView('Not known', message))
  // It goes on if it was written down, unless the person was told that nothing was sent.
  return view.callback_id === REVIEW_VIEW
    ? { ack, undo: () => takeBack(placeOf(view).change, user.id, options) }
    : { ack }
}

/** An approval cannot be taken back, so nothing is said of it that may turn out wrong. */
export function answerLate({ view }: ViewSubmission, command: string): ViewAck {
  const form = view.callback_id === FORM_VIEW ? readPlace(view.private_metadata) : undefined
  if (form !== undefined) {
    const happened = 'This took too long to be written down, so nothing was sent by this click.'
    const said = failure(happened, 'Go back to it, and look whether all that you entered was kept.')
    return showView(resultView('Too slow', withBlocks(said, againButton(form.change))))
  }
  const decides = view.callback_id === APPROVE_VIEW || view.callback_id === DECLINE_VIEW
  return showView(
    decides
      ? noticeView(
          'Too slow',
          'This takes long to be written down. Whether it was will show in the message about the change.',
          'If that does not change in a minute, press the button again: it counts once.',
        )
      : noticeView(
          'Too slow',
          'This took too long to be written down, so nothing was sent: what is written down still is taken back.',
          `Look at ${command} changes list before you ask again.`,
        ),
  )
}
