import type { Block } from '../../block-kit/blocks.ts'
import { type Message, message } from '../../block-kit/message.ts'
import { code, dateTime, joinMd, link, md, mention, plainOf, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { bullets, context, facts, section, type Fact } from '../../block-kit/sections.ts'
import type { RawValue } from '../../shared/raw-values.ts'
import { visible } from '../../shared/untrusted.ts'
import type { RecordedEntry } from '../../store/audit-entry.ts'
import type { Approval } from '../../store/approvals.ts'
import type { Change } from '../../store/change.ts'
import { flagName } from '../flag-name.ts'
import { MASK } from '../mask.ts'
import type { Invocation, Operation } from '../operation.ts'
import { changeHistory } from './change-history.ts'
import { changeStory } from './change-story.ts'
import { STATE_WORDS } from './change-words.ts'

/** A change with all there is to say about it. */
export interface KnownChange {
  readonly change: Change
  readonly operation: Operation | undefined
  readonly invocation: Invocation | undefined
  readonly approvals: readonly Approval[]
  /** Its newest entries in the record, the newest first. */
  readonly record: readonly RecordedEntry[]
}

const MAX_VALUES = 40
const MAX_VALUE_CHARACTERS = 200

/** All about one change: what is known of how it ended, what to look at, who did what, and what was asked for. */
export function changeAnswer(known: KnownChange, now: Date, command: string): Message {
  const { change, operation, record } = known
  const { icon, label, meaning } = STATE_WORDS[change.state]
  const headline = md`${icon} *${label}*: ${visible(change.sentence ?? change.operation)}`
  const story = changeStory(known)
  const look = lookAt(known)
  const next = nextSteps(change, command)
  const history = changeHistory(record, change)
  const asked = askedFor(change, operation)
  const small = md`Change ${code(change.id)}, as of ${dateTime(now)}`
  const said = md`${change.outcome ?? meaning}`
  const blocks = [
    section(headline),
    section(said),
    ...(look.length === 0 ? [] : [title('What to look at'), bullets(look)]),
    ...facts(story),
    ...(asked.length === 0 ? [] : [title('What was asked for'), ...facts(asked)]),
    ...(history.length === 0 ? [] : [title('On record'), bullets(history)]),
    ...next.map((line) => context(line)),
    context(small),
  ]
  const named = [...story, ...asked].map(([name, value]) => md`${name}: ${value}`)
  const lines = [headline, said, ...look, ...next, ...named, ...history.map((line) => md`- ${line}`), small]
  return message({ text: lines.map(plainOf).join('\n'), blocks })
}

function title(words: string): Block {
  return section(md`*${words}*`)
}

/** Only where it is not known what happened: what would show it, and where. */
function lookAt({ change: { state, operation }, invocation }: KnownChange): readonly Mrkdwn[] {
  if (state !== 'unknown' && state !== 'sending') return []
  const panel = invocation?.review?.panel
  return [
    md`${invocation?.lookFor ?? `Look in the platform's panel whether it happened before asking for ${operation} again.`}`,
    ...(panel === undefined ? [] : [link(panel, 'See it in the panel')]),
  ]
}

/** What can be typed about a change that has not ended. */
function nextSteps({ id, state, requestedBy }: Change, command: string): readonly Mrkdwn[] {
  if (state === 'waiting') {
    return [md`${mention(requestedBy)} can withdraw it: ${code(`${command} changes cancel ${id}`)}`]
  }
  if (state !== 'unknown') return []
  return [
    md`Whoever has looked can settle it: ${code(`${command} changes settle ${id} happened`)} or ${code('not-happened')}`,
  ]
}

/** The values as they were given; what is secret stays hidden, and so does what the operation no longer knows. */
function askedFor({ values }: Change, operation: Operation | undefined): readonly Fact[] {
  const entries = Object.entries(values)
  const shown = entries.slice(0, MAX_VALUES).map(([name, value]): Fact => {
    const field = operation?.fields[name]
    if (field === undefined) return [flagName(name), MASK]
    return [field.label, field.secret ? MASK : valueText(value)]
  })
  const rest = entries.length - shown.length
  return rest > 0 ? [...shown, ['More', `${rest} further values`]] : shown
}

function valueText(value: RawValue): Mrkdwn {
  const parts = (typeof value === 'string' ? [value] : value).map((part) => code(visible(part, MAX_VALUE_CHARACTERS)))
  return joinMd(parts, ', ')
}
