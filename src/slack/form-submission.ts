import type { Invocation, Issue, Operation } from '../operations/operation.ts'
import { type Actor, writesToBot } from '../operations/role.ts'
import { waitAtMost } from '../shared/clock.ts'
import type { RawValues } from '../shared/raw-values.ts'
import type { Change } from '../store/change.ts'
import { misfitOf } from './form/fitting-state.ts'
import { fieldsInState, formValues } from './form/form-values.ts'
import { fieldsOf, isLast } from './form/form-view.ts'
import { reviewView } from './form/review-view.ts'
import { ACK_BUDGET_MS, operationOfChange, type Reception, requesterOf } from './reception.ts'
import { UnfitDelivery } from './refused-delivery.ts'
import { type Outcome, showing } from './result-view.ts'
import { refuseKeys } from './typed-keys.ts'

/** Leaves time to tell Slack, once it is known whether something was written down. */
const WRITE_BUDGET_MS = ACK_BUDGET_MS - 200

export interface SubmittedPage {
  readonly change: Change
  readonly step: number
  /** `view.state.values` as Slack sent it. */
  readonly state: unknown
  readonly actor: Actor
}

/** One page of a form: its own mistakes first, then the next page, and after the last one the review or the answer. */
export async function onFormPage(
  { change, step, state, actor }: SubmittedPage,
  reception: Reception,
): Promise<Outcome> {
  const { desk, executor } = reception.options
  const operation = operationOfChange(change, reception)
  const concerned = { operation: operation.name, changeId: change.id }
  const misfit = misfitOf(operation, step, change.values, state)
  if (misfit !== undefined) throw new UnfitDelivery(misfit, concerned)
  const entered = formValues(operation, state, change.values)
  refuseKeys(operation, entered, executor.holdsSecret, concerned)
  const check = await executor.check({ timeZone: actor.timeZone, changeId: change.id })
  const first = operation.parse(entered, check)
  const values = first.ok ? entered : mendableValues(operation, entered, first.issues)
  const parsed = first.ok ? first : operation.parse(values, check)
  const issues = parsed.ok ? [] : stepIssues(operation, step, values, parsed.issues)
  if (issues.length > 0) {
    const { errors, elsewhere } = formErrors(state, issues)
    if (elsewhere.length === 0) return { ack: { response_action: 'errors', errors } }
    await desk.save(change, values)
    return { ack: showing(reception.formOf(operation, step, values, issues, change.id, check.zones)) }
  }
  if (parsed.ok && isLast(operation, step)) return finished(parsed.invocation, change, values, actor, reception)
  await desk.save(change, values)
  return { ack: showing(reception.formOf(operation, step + 1, values, [], change.id, check.zones)) }
}

async function finished(
  invocation: Invocation,
  change: Change,
  values: RawValues,
  actor: Actor,
  reception: Reception,
): Promise<Outcome> {
  const { executor, desk } = reception.options
  const { clock, command } = executor.options
  const decision = executor.decide(actor, invocation, change.channelId)
  if (decision.kind !== 'run') return { ack: showing(reviewView(await desk.review(change, values, actor), command)) }
  const visitor = requesterOf(change, reception)
  const { name } = invocation.operation
  const key = `form:${change.id}`
  if (!writesToBot(invocation.effect)) {
    const answer = (): Promise<void> => reception.proceed(invocation, actor, visitor)
    const afterwards = async (): Promise<void> =>
      reception.isNew(key) ? reception.serve(visitor, name, answer) : undefined
    return { ack: undefined, afterwards }
  }
  // Slack hears of it once it is written down, or can be no more: what comes later is taken back by the store.
  const once = { key, notAfterMs: clock.monotonicMs() + WRITE_BUDGET_MS }
  const written = reception.serve(visitor, name, () => reception.proceed(invocation, actor, visitor, once))
  await waitAtMost(clock, WRITE_BUDGET_MS, written)
  return { ack: undefined, afterwards: () => written }
}

/**
 * The values without those that are wrong and that no page of the form shows, such as the weight of a type that has
 * none: nobody could mend them, so they must not hold the form up.
 */
function mendableValues(operation: Operation, values: RawValues, issues: readonly Issue[]): RawValues {
  const shown = new Set((operation.form ?? []).flatMap((page) => fieldsOf(page, operation, values)))
  const stuck = new Set(issues.flatMap(({ field }) => (field === undefined || shown.has(field) ? [] : [field])))
  return Object.fromEntries(Object.entries(values).filter(([name]) => !stuck.has(name)))
}

/**
 * The issues a page of a form must settle before the next is shown: those of its own fields and of the pages before
 * it. What later pages will ask for can wait; what concerns no field waits for the last page.
 */
export function stepIssues(
  operation: Operation,
  step: number,
  values: RawValues,
  issues: readonly Issue[],
): readonly Issue[] {
  if (isLast(operation, step)) return issues
  const pages = (operation.form ?? []).slice(0, step + 1)
  const asked = new Set(pages.flatMap((page) => fieldsOf(page, operation, values)))
  return issues.filter(({ field }) => field !== undefined && asked.has(field))
}

export interface FormErrors {
  /** For the acknowledgement of a submission: `block_id` to sentence. */
  readonly errors: Readonly<Record<string, string>>
  /** What no input of the view can carry. If there is any, the view has to be drawn again with all issues. */
  readonly elsewhere: readonly Issue[]
}

/**
 * Issues as Slack takes them in answer to a submission. Slack refuses the whole answer when it names a block that the
 * submitted view has no input for, so the view's own state decides what can be said there.
 */
export function formErrors(state: unknown, issues: readonly Issue[]): FormErrors {
  const blocks = fieldsInState(state)
  const errors = new Map<string, string>()
  const elsewhere: Issue[] = []
  for (const issue of issues) {
    const blockId = issue.field === undefined ? undefined : blocks.get(issue.field)
    if (blockId === undefined) elsewhere.push(issue)
    else errors.set(blockId, [errors.get(blockId), issue.problem].filter((said) => said !== undefined).join(' '))
  }
  return { errors: Object.fromEntries(errors), elsewhere }
}
