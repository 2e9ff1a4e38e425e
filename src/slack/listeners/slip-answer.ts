import { messageOf, paragraphs, wordsMessage } from '../../block-kit/message.ts'
import { code, md } from '../../block-kit/mrkdwn.ts'
import type { Answer, AnswerButton } from '../../operations/declaration/answer.ts'
import type { NamedZone } from '../../operations/declaration/field.ts'
import { one } from '../../operations/declaration/fields.ts'
import { sortByNearness } from '../../operations/declaration/nearest-word.ts'
import type { Issue, Operation } from '../../operations/declaration/operation.ts'
import { holdsChance } from '../../shared/key-shapes.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import type { CommandParse } from '../command-text/parse-command.ts'

type Slip = Extract<CommandParse, { readonly kind: 'meant' | 'unknown' }>

/** How what was meant can be gone on with: not at all where somebody may not, at once where nothing of it is missing. */
export type GoingOn = 'not allowed' | 'by its form' | 'at once'

/** Asks whether something else was meant than what was typed. Nothing of it is done before the button is pressed. */
export function slipAnswer(slip: Slip, command: string, goingOn: GoingOn): Answer {
  if (slip.kind === 'unknown') {
    const { typed, noun } = slip
    const values = noun === undefined ? {} : { operation: noun }
    const label = noun === undefined ? 'Show help' : `Show what ${noun} has`
    return {
      message: wordsMessage([md`There is no command ${code(typed)}.`]),
      buttons: [{ kind: 'page', label, operation: 'help', values }],
    }
  }
  const { operation, problems, text } = slip
  // What is secret is not kept for a button either.
  const values = Object.fromEntries(Object.entries(slip.values).filter(([name]) => !isSecret(name, operation)))
  const asked = isShownWhole(slip) ? code(`${command} ${text}`) : md`${code(`${command} ${operation.name}`)} …`
  const question = paragraphs(md`Did you mean ${asked}?`, problems.length > 0 && md`${problems.join(' ')}`)
  return { message: messageOf(question), buttons: buttonsFor(operation, values, goingOn) }
}

/** Not where something of it is secret, or may be by the look of it: then only the name of the operation is shown. */
export function isShownWhole({ operation, values, text }: Extract<Slip, { readonly kind: 'meant' }>): boolean {
  return !Object.keys(values).some((name) => isSecret(name, operation)) && !holdsChance(text)
}

function isSecret(field: string, { fields }: Operation): boolean {
  return fields[field]?.secret === true
}

/** More would be a list, which the sentence has. */
const MAX_ZONES_OFFERED = 3

/** The buttons under what is wrong with a command that has no form: the same with a zone that there is, or its help. */
export function buttonsOfProblems(
  issues: readonly Issue[],
  operation: Operation,
  typed: RawValues,
  zones: readonly NamedZone[],
): readonly AnswerButton[] {
  const { name, fields } = operation
  const [wrong] = issues.length === 1 ? issues.map(({ field }) => field ?? '') : []
  const control = fields[wrong ?? '']?.control
  const zoneKind = control?.kind === 'zone' && operation.baseEffect === 'read' ? control.zoneKind : undefined
  const named = zones.filter(({ kind }) => kind === zoneKind).map((zone) => zone.name)
  if (wrong === undefined || named.length === 0)
    return [{ kind: 'page', label: 'Show its help', operation: 'help', values: { operation: name } }]
  return sortByNearness(one(typed[wrong] ?? ''), named)
    .slice(0, MAX_ZONES_OFFERED)
    .map((zone) => ({ kind: 'page', label: zone, operation: name, values: { ...typed, [wrong]: zone } }))
}

function buttonsFor(operation: Operation, values: RawValues, goingOn: GoingOn): readonly AnswerButton[] {
  const { name, form } = operation
  if (goingOn === 'not allowed') return []
  if (goingOn === 'at once') return [{ kind: 'page', label: 'Run it', operation: name, values }]
  return form === undefined
    ? [{ kind: 'page', label: 'Show its help', operation: 'help', values: { operation: name } }]
    : [{ kind: 'form', label: 'Open the form', operation: name, values }]
}
