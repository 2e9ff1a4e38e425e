import { rulesNow } from '../../alerts/rules-now.ts'
import { UserError } from '../../shared/errors.ts'
import type { AlertRule } from '../../store/alert-records.ts'
import { counted } from '../../block-kit/amounts.ts'
import type { OperationContext } from '../operation.ts'
import type { About } from './about-field.ts'
import { byId } from './alert-id-field.ts'
import { subjectWords } from './alert-subjects.ts'
import { channelHere } from './channel-for-alerts.ts'
import { isSameRule } from './watch-set.ts'

/** So many rules are named one by one; the others are counted. */
const MAX_NAMED = 12

/**
 * The rules that are meant: those with these ids, wherever they tell, or those about a zone that tell in this channel, or
 * all of this channel. Throws UserError where there are none.
 */
export async function rulesMeant(
  meant: About,
  context: Pick<OperationContext, 'store' | 'channelId' | 'command'>,
): Promise<readonly AlertRule[]> {
  const { store, command } = context
  const rules = await store.alertRules.list()
  const listed = `See what there is: ${command} alerts list`
  if (meant.all || meant.subjects.length > 0) {
    const inSome = meant.ids.length > 0 && context.channelId === undefined
    const channel = inSome ? undefined : channelHere(context)
    const here = rules.filter(
      ({ channelId, subject }) => channelId === channel && (meant.all || meant.subjects.includes(subject)),
    )
    if (here.length > 0) return here
    if (meant.ids.length === 0) {
      throw new UserError('invalid_input', `This channel has no alerts about ${meant.typed}. Nothing was done.`, listed)
    }
  }
  const found = meant.ids.map((id) => byId(id, rules))
  const all = found.flatMap(({ found: rule }) => (rule === undefined ? [] : [rule]))
  // A rule of a former name stands for all that have become the same kind.
  if (all.length > 0) return rules.filter((rule) => all.some((each) => isSameRule(each, rule)))
  const several = found.some((match) => match.found === undefined && match.several)
  throw new UserError(
    'invalid_input',
    several
      ? `The ids of several rules begin with ${meant.typed}. Nothing was done.`
      : `No rule has the id ${meant.typed}. Nothing was done.`,
    several ? 'Give more of its digits.' : listed,
  )
}

/** Rules in a sentence: `origin-failing for pull zone 301 in C1, …`. By ids alone, as the record has it, without zones. */
export function rulesSentence(rules: readonly AlertRule[], zones: OperationContext['zones'] = []): string {
  const now = rulesNow(rules)
  const named = now
    .slice(0, MAX_NAMED)
    .map(({ kind, subject, channelId }) => `${kind} for ${subjectWords(subject, zones)} in ${channelId}`)
  const rest = now.length - named.length
  return `${named.join(', ')}${rest > 0 ? ` and ${counted(rest, 'other rule')}` : ''}`
}
