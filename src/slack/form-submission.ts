import type { Invocation, Issue, Operation } from '../operations/operation.ts'
import { type Actor, writesToBot } from '../operations/role.ts'
import type { RawValues } from '../shared/raw-values.ts'
import type { Change } from '../store/change.ts'
import { waitAtMost } from '../shared/clock.ts'
import { ACK_BUDGET_MS } from './acknowledging.ts'
import { misfitOf } from './form/fitting-state.ts'
import { formErrors, stepIssues } from './form/form-issues.ts'
import { formValues } from './form/form-values.ts'
import { fieldsOf, isLast } from './form/form-view.ts'
import { reviewView } from './form/review-view.ts'
import type { Reception } from './reception.ts'
import { UnfitDelivery } from './refused-delivery.ts'
import { refuseKeys } from './typed-keys.ts'
import { type Outcome, showing } from './view-outcome.ts'
import { operationOfChange, requesterOf } from './view-place.ts'

/** Leaves time to tell Slack, once it is known whether something was written down. */
const WRITE_BUDGET_MS = ACK_BUDGET_MS - 200

/** A page of a form as it was submitted. */
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
  const misfit = misfitOf(operation, step, change.values, state)
  if (misfit !== undefined) throw new UnfitDelivery(misfit, { operation: operation.name, changeId: change.id })
  const entered = formValues(operation, state, change.values)
  const concerned = { operation: operation.name, changeId: change.id }
  refuseKeys(operation, entered, (text) => executor.holdsSecret(text), concerned)
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
