import type { Clock } from '../shared/clock.ts'

/** Slack gives up after 3 s; a second is left for the way to Slack and back. */
export const ACK_BUDGET_MS = 2_000

/** What was done within the budget, or that it ran out; then `late` is told how the work ended after all. */
export async function withinBudget<T>(
  clock: Clock,
  work: Promise<T>,
  late: (value: T) => void,
  budgetMs = ACK_BUDGET_MS,
): Promise<{ readonly inTime: true; readonly value: T } | { readonly inTime: false }> {
  const limit = Promise.withResolvers<undefined>()
  const timer = clock.after(budgetMs, () => limit.resolve(undefined))
  try {
    const first = await Promise.race([work.then((value) => ({ value })), limit.promise])
    if (first !== undefined) return { inTime: true, value: first.value }
    work.then(late, () => undefined)
    return { inTime: false }
  } finally {
    timer.cancel()
  }
}
