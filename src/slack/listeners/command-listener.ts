import { failure } from '../../execution/messages/explain.ts'
import { decideOperation } from '../../execution/policy/policy.ts'
import { withButtons } from '../../execution/requests/answer-buttons.ts'
import { requireOperation, stem } from '../../operations/declaration/operation-names.ts'
import { type Actor, isRead, writesToBot } from '../../operations/declaration/role.ts'
import { type CommandParse, operationNamed, parseCommand } from '../command-text/parse-command.ts'
import type { CommandPayload } from '../gateway/payloads.ts'
import { type Delivery, type ListenerOptions, requestBy } from './delivery.ts'
import { showResult, wordIssues } from './show-result.ts'
import { SlackConversation } from './slack-conversation.ts'
import { type HoldsSecret, refuseEcho, refuseKeys } from './typed-keys.ts'
import { messageOf, paragraphs, wordsMessage } from '../../block-kit/message.ts'
import { code, md, link, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import type { Answer, AnswerButton } from '../../operations/declaration/answer.ts'
import { sentenceStart } from '../../operations/declaration/prompt-words.ts'
import type { NamedZone } from '../../operations/declaration/field.ts'
import { one, readId } from '../../operations/declaration/fields.ts'
import { sortByNearness } from '../../operations/declaration/nearest-word.ts'
import type { Issue, Operation, CheckContext, PanelPlace } from '../../operations/declaration/operation.ts'
import { holdsChance } from '../../shared/key-shapes.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import { zonesNamed } from '../../operations/declaration/zone-field.ts'

/**
 * A typed command, from its text to an answer, a form or a review. It is acknowledged at once; one that writes to the bot
 * when that is committed, so that Slack sends again what was lost.
 */
export async function onCommand(
  { text, trigger_id: trigger }: CommandPayload,
  delivery: Delivery,
  options: ListenerOptions,
): Promise<void> {
  const { operations, people, inputs, command, requests, holdsSecret } = options
  const named = operationNamed(text, operations)
  const mayWriteToBot = named !== undefined && writesToBot(named.baseEffect)
  if (!mayWriteToBot && !(await delivery.accept())) return
  const conversation = new SlackConversation(delivery, options)
  const [actor, zones] = await Promise.all([people.actor(delivery.userId, delivery), inputs.zones()])
  const parse = parseCommand(text, operations, zones)
  try {
    refuseTyped(parse, text, holdsSecret)
  } catch (error) {
    if (await delivery.accept()) throw error
    return
  }
  // What began like a write to the bot may be nothing that can be read.
  if (parse.kind !== 'operation' && !(await delivery.accept())) return
  if (parse.kind === 'unreadable')
    return conversation.reply(failure(parse.problem, `Nothing was done. See ${command} help.`), 'caller')
  const place = { invocation: { operation: requireOperation(operations, 'help'), values: {} }, actor, ...delivery }
  if (parse.kind === 'unknown' || parse.kind === 'meant') {
    const slip =
      parse.kind === 'unknown'
        ? unknownAnswer(parse, panelOnly(text, await inputs.check(actor)))
        : slipAnswer(parse, command, await howToGoOn(parse, actor, delivery, options))
    return conversation.reply(await withButtons(slip, place, options), 'caller')
  }
  const { operation, values, problems } =
    parse.kind === 'empty' ? { operation: requireOperation(operations, 'help'), values: {}, problems: [] } : parse
  const { progress } = conversation
  const by = requestBy(delivery, `command:${trigger}`)
  const result = await requests.handle({ ...by, operation, values, problems, actor, progress })
  if (result.kind === 'form' || result.kind === 'invalid') {
    const shown = result.issues.map(({ problem }) => problem)
    refuseEcho(shown, holdsSecret, { operation: operation.name })
  }
  if (result.kind !== 'invalid') return showResult(result, operation, delivery, conversation, options)
  const each = result.issues.length === 1 ? buttonsOfZones(text, operation, values, zones) : []
  const [issues, buttons] =
    each.length > 0
      ? [[{ field: undefined, problem: `${operation.name} takes one zone at a time.` }], each]
      : [result.issues, buttonsOfProblems(result.issues, operation, values, zones)]
  const answer = { message: wordIssues(issues, operation, command), buttons }
  await conversation.reply(await withButtons(answer, place, options), 'caller')
}

function refuseTyped(parse: CommandParse, text: string, holdsSecret: HoldsSecret): void {
  if (parse.kind === 'unreadable' || parse.kind === 'unknown') refuseEcho([text], holdsSecret)
  if (parse.kind !== 'operation' && parse.kind !== 'meant') return
  refuseKeys(parse.operation, parse.values, holdsSecret)
  // Where it would be shown as a whole, no part of it may be a key, those included that are no value.
  if (parse.kind === 'meant' && isShownWhole(parse)) refuseKeys(parse.operation, { text }, holdsSecret)
  refuseEcho(parse.problems, holdsSecret, { operation: parse.operation.name })
}

/** A read that lacks nothing is run by its button; anything else is looked at in its form first. */
async function howToGoOn(
  slip: Slip,
  actor: Actor,
  { channelId }: Delivery,
  { policy, inputs }: ListenerOptions,
): Promise<GoingOn> {
  const { operation, values, problems } = slip
  if (decideOperation(policy(), actor, operation, channelId).kind === 'deny') return 'not allowed'
  const isComplete = problems.length === 0 && operation.parse(values, await inputs.check(actor, slip)).ok
  return isComplete && (isRead(operation.baseEffect) || operation.form === undefined) ? 'at once' : 'by its form'
}

type Slip = Extract<CommandParse, { readonly kind: 'meant' }>

type Unknown = Extract<CommandParse, { readonly kind: 'unknown' }>

/** How what was meant can be gone on with: not at all where somebody may not, at once where nothing of it is missing. */
type GoingOn = 'not allowed' | 'by its form' | 'at once'

/** What was typed names no operation: `instead` is who can do it, where that is known. */
function unknownAnswer({ typed, noun }: Unknown, instead = md`There is no command ${code(typed)}.`): Answer {
  const values = noun === undefined ? {} : { operation: noun }
  const label = noun === undefined ? 'Show help' : `Show what ${noun} has`
  return { message: wordsMessage([instead]), buttons: [{ kind: 'page', label, operation: 'help', values }] }
}

/** Asks whether something else was meant than what was typed. Nothing of it is done before the button is pressed. */
function slipAnswer(slip: Slip, command: string, goingOn: GoingOn): Answer {
  const { operation, problems, text } = slip
  // What is secret is not kept for a button either.
  const values = Object.fromEntries(Object.entries(slip.values).filter(([name]) => !isSecret(name, operation)))
  const asked = isShownWhole(slip) ? code(`${command} ${text}`) : md`${code(`${command} ${operation.name}`)} …`
  const question = paragraphs(md`Did you mean ${asked}?`, problems.length > 0 && md`${problems.join(' ')}`)
  return { message: messageOf(question), buttons: buttonsFor(operation, values, goingOn) }
}

/** Not where something of it is secret, or may be by the look of it: then only the name of the operation is shown. */
function isShownWhole({ operation, values, text }: Slip): boolean {
  return !Object.keys(values).some((name) => isSecret(name, operation)) && !holdsChance(text)
}

function isSecret(field: string, { fields }: Operation): boolean {
  return fields[field]?.secret === true
}

/** More would be a list, which the sentence has. */
const MAX_ZONES_OFFERED = 3

/** For a read about one zone, typed with several: one for each. */
function buttonsOfZones(
  text: string,
  { name, fields, baseEffect }: Operation,
  typed: RawValues,
  zones: readonly NamedZone[],
): readonly AnswerButton[] {
  const words = new Set(text.toLowerCase().split(/[\s,]+/))
  for (const [field, { control }] of Object.entries(fields)) {
    if (control.kind !== 'zone' || control.several === true || baseEffect !== 'read') continue
    const meant = zones.filter((zone) => zone.kind === control.zoneKind && words.has(zone.name.toLowerCase()))
    if (meant.length < 2) continue
    return meant.slice(0, MAX_ZONES_OFFERED).map((zone) => ({
      kind: 'page',
      label: sentenceStart(`${name} of ${zone.name}`),
      operation: name,
      values: { ...typed, [field]: zone.zoneId },
      beside: true,
    }))
  }
  return []
}

/** The buttons under what is wrong with a command that has no form: the same with a zone that there is, or its help. */
function buttonsOfProblems(
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

function buttonsFor(operation: Operation, values: RawValues, goingOn: GoingOn): readonly AnswerButton[] {
  const { name, form } = operation
  if (goingOn === 'not allowed') return []
  if (goingOn === 'at once') return [{ kind: 'page', label: 'Run it', operation: name, values }]
  return form === undefined
    ? [helpButton(operation)]
    : [{ kind: 'form', label: 'Open the form', operation: name, values }]
}

function helpButton({ name }: Operation): AnswerButton {
  return { kind: 'page', label: 'Show its help', operation: 'help', values: { operation: name } }
}

const VERBS: ReadonlyMap<string, RegExp> = new Map([
  ['remove', /^(?:clear|del|delete|destroy|drop|purge|remove|revoke|rm)$/i],
  ['look up', /^(?:check|find|get|list|lookup|ls|show)$/i],
  ['create', /^(?:add|create|new)$/i],
  ['rotate', /^(?:renew|rotate)$/i],
  ['change', /^(?:change|edit|modify|rename|set|update)$/i],
])

/** An API key has no page of its own, and is looked up here. */
const THINGS: readonly (readonly [noun: string, what: string, place?: PanelPlace])[] = [
  ['dns', 'a record', 'dns-zone'],
  ['library', 'a video library', 'video-library'],
  ['key', 'an API key'],
]

/** That something typed can be done in the platform's panel alone, with the way there; undefined for anything else. */
export function panelOnly(typed: string, { panel, zones }: Pick<CheckContext, 'panel' | 'zones'>): Mrkdwn | undefined {
  const [noun = '', verb = '', about = ''] = typed.trim().split(/\s+/)
  if (/^(?:flush|invalidate|purge)$/i.test(noun)) return md`CDN Ops can’t purge the cache; the CDN’s panel can.`
  const [, what, place] = THINGS.find(([name]) => stem(name) === stem(noun)) ?? []
  const [done] = [...VERBS].find(([, spelling]) => spelling.test(verb)) ?? []
  if (what === undefined || done === undefined || (done === 'look up' && place === undefined)) return undefined
  const named = place === 'dns-zone' ? zonesNamed(about, zones).find(({ kind }) => kind === 'dns')?.zoneId : undefined
  const url = panel(place ?? 'dns-zone', place && readId(named ?? about))
  return md`CDN Ops can’t ${done} ${what}; ${url === undefined ? md`the panel` : link(url, 'the panel')} can.`
}
