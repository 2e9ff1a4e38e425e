import { decideOperation } from '../../execution/policy/policy.ts'
import { stem } from '../../operations/declaration/operation-names.ts'
import { type Actor, isRead } from '../../operations/declaration/role.ts'
import { type CommandParse, VERBS } from '../command-text/parse-command.ts'
import { unescapeSlack } from '../command-text/slack-escapes.ts'
import type { Delivery, ListenerOptions } from './delivery.ts'
import { messageOf, paragraphs, wordsMessage } from '../../block-kit/message.ts'
import { code, md, link, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import type { Answer, AnswerButton } from '../../operations/declaration/answer.ts'
import type { NamedZone } from '../../operations/declaration/field.ts'
import { one, readId } from '../../operations/declaration/fields.ts'
import { sortByNearness } from '../../operations/declaration/nearest-word.ts'
import type { Issue, Operation, CheckContext, PanelPlace } from '../../operations/declaration/operation.ts'
import { holdsChance } from '../../shared/key-shapes.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import { zonesNamed } from '../../operations/declaration/zone-field.ts'

type Slip = Extract<CommandParse, { readonly kind: 'meant' }>

type Unknown = Extract<CommandParse, { readonly kind: 'unknown' }>

/** What was typed names no operation. Where only the platform's panel can do it, it says so. */
export function unknownAnswer({ typed, noun }: Unknown, text: string, context: CheckContext): Answer {
  const instead = panelOnly(unescapeSlack(text).text, context) ?? md`There is no command ${code(typed)}.`
  const values = noun === undefined ? {} : { operation: noun }
  const label = noun === undefined ? 'Show help' : `Show what ${noun} has`
  return { message: wordsMessage([instead]), buttons: [{ kind: 'page', label, operation: 'help', values }] }
}

/** Asks whether something else was meant than what was typed. Nothing of it is done before the button is pressed. */
export async function slipAnswer(
  slip: Slip,
  actor: Actor,
  delivery: Delivery,
  options: ListenerOptions,
): Promise<Answer> {
  const { operation, problems, text } = slip
  const { command } = options
  const asked = isShownWhole(slip) ? code(`${command} ${text}`) : md`${code(`${command} ${operation.name}`)} …`
  const question = paragraphs(md`Did you mean ${asked}?`, problems.length > 0 && md`${problems.join(' ')}`)
  return { message: messageOf(question), buttons: await buttonsOfSlip(slip, actor, delivery, options) }
}

/** Not where something of it is secret, or may be by the look of it: then only the name of the operation is shown. */
export function isShownWhole({ operation, values, text }: Slip): boolean {
  return !Object.keys(values).some((name) => isSecret(name, operation)) && !holdsChance(text)
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
  if (wrong === undefined || named.length === 0) return [helpButton(operation)]
  return sortByNearness(one(typed[wrong] ?? ''), named)
    .slice(0, MAX_ZONES_OFFERED)
    .map((zone) => ({ kind: 'page', label: zone, operation: name, values: { ...typed, [wrong]: zone } }))
}

/** What alone can be done with something here, and where in the panel the rest is. An API key has no page of its own. */
const THINGS: readonly (readonly [noun: string, here: string, place?: PanelPlace])[] = [
  ['dns', 'add DNS records', 'dns-zone'],
  ['library', 'create video libraries', 'video-library'],
  ['key', 'list API keys'],
]

/** That something typed can be done in the platform's panel alone, with the way there; undefined for anything else. */
export function panelOnly(typed: string, { panel, zones }: Pick<CheckContext, 'panel' | 'zones'>): Mrkdwn | undefined {
  const [noun = '', verb = '', about = ''] = typed.trim().split(/\s+/)
  if (/^(?:flush|invalidate|purge)$/i.test(noun)) return md`CDN Ops can’t purge the cache; the CDN’s panel can.`
  const [, here, place] = THINGS.find(([name]) => stem(name) === stem(noun)) ?? []
  if (here === undefined || !VERBS.has(verb.toLowerCase())) return undefined
  const named = place === 'dns-zone' ? zonesNamed(about, zones).find(({ kind }) => kind === 'dns')?.zoneId : undefined
  const url = panel(place ?? 'dns-zone', place && readId(named ?? about))
  return md`CDN Ops can only ${here}; ${url === undefined ? md`the panel` : link(url, 'the panel')} can do the rest.`
}

/** None where somebody may not. A read that lacks nothing is run by its button; anything else is looked at in its form first. */
async function buttonsOfSlip(
  slip: Slip,
  actor: Actor,
  { channelId }: Delivery,
  { policy, inputs }: ListenerOptions,
): Promise<readonly AnswerButton[]> {
  const { operation, problems } = slip
  const { name, form, baseEffect } = operation
  // What is secret is not kept for a button either.
  const values = Object.fromEntries(Object.entries(slip.values).filter(([field]) => !isSecret(field, operation)))
  if (decideOperation(policy(), actor, operation, channelId).kind === 'deny') return []
  const isComplete = problems.length === 0 && operation.parse(slip.values, await inputs.check(actor, slip)).ok
  if (isComplete && (isRead(baseEffect) || form === undefined))
    return [{ kind: 'page', label: 'Run it', operation: name, values }]
  return form === undefined
    ? [helpButton(operation)]
    : [{ kind: 'form', label: 'Open the form', operation: name, values }]
}

function isSecret(field: string, { fields }: Operation): boolean {
  return fields[field]?.secret === true
}

function helpButton({ name }: Operation): AnswerButton {
  return { kind: 'page', label: 'Show its help', operation: 'help', values: { operation: name } }
}
