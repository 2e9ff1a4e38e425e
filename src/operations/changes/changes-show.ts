import type { Block } from '../../block-kit/blocks.ts'
import { message } from '../../block-kit/message.ts'
import { code, dateTime, joinMd, link, md, mention, plainOf, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { bullets, context, facts, section, type Fact } from '../../block-kit/sections.ts'
import { UserError } from '../../shared/errors.ts'
import { visible } from '../../shared/untrusted.ts'
import type { Change } from '../../store/change.ts'
import type { Answer } from '../answer.ts'
import { defineOperation } from '../define-operation.ts'
import type { NamedZone } from '../field.ts'
import type { RawValue } from '../../shared/raw-values.ts'
import { checked, required, text } from '../fields.ts'
import { flagName } from '../flag-name.ts'
import { MASK } from '../mask.ts'
import type { Invocation, Operation, OperationContext } from '../operation.ts'
import { STATE_WORDS } from './change-words.ts'

const MAX_VALUES = 40
const MAX_VALUE_CHARACTERS = 200

/** `changes show`: one requested write, what became of it, and what to look at when nobody knows. */
export const changesShow = defineOperation({
  name: 'changes show',
  summary: 'Show one write that was asked for, and what became of it',
  effect: 'read',
  minimumRole: 'viewer',
  audience: 'caller',
  shareable: false,
  fields: {
    id: required(
      checked(
        text({ label: 'Change id', hint: 'The 32 letters and digits that answers and lists show.', maxLength: 32 }),
        (id) =>
          /^[0-9a-f]{32}$/i.test(id)
            ? undefined
            : 'A change id has 32 letters and digits, as answers and lists show it.',
      ),
    ),
  },
  positionals: ['id'],
  examples: ['changes show 0123456789abcdef0123456789abcdef'],
  describe: ({ id }) => `Show change ${id.toLowerCase()}`,
  async run({ id }, context) {
    const { store, actor } = context
    const change = await store.changes.get(id.toLowerCase())
    // A draft is a form somebody has open: to anybody else it does not exist yet.
    if (change === undefined || (change.state === 'draft' && change.requestedBy !== actor.id)) {
      throw new UserError(
        'invalid_input',
        'There is no change with this id. It may have been removed when it grew old.',
        `See what there is: ${context.command} changes list`,
      )
    }
    return { change, known: meaningOf(change, await store.zones.list(), context) }
  },
  present: ({ change, known }, _, context): Answer => changeAnswer(change, known, context),
})

interface Known {
  readonly operation: Operation | undefined
  /** The change read again, for what it says about looking: missing when its values no longer make sense. */
  readonly invocation: Invocation | undefined
}

function meaningOf(change: Change, zones: readonly NamedZone[], context: OperationContext): Known {
  const { actor, now, panel, catalog } = context
  const operation = catalog.find((entry) => entry.operation.name === change.operation)?.operation
  const parsed = operation?.parse(change.values, { now, zones, timeZone: actor.timeZone, panel })
  return { operation, invocation: parsed?.ok === true ? parsed.invocation : undefined }
}

function changeAnswer(change: Change, known: Known, { now }: OperationContext): Answer {
  const { icon, label, meaning } = STATE_WORDS[change.state]
  const headline = md`${icon} *${label}*: ${visible(change.sentence ?? change.operation)}`
  const story = storyOf(change)
  const look = lookAt(change, known)
  const asked = askedFor(change, known.operation)
  const small = md`Change ${code(change.id)}, as of ${dateTime(now)}`
  const blocks = [
    section(headline),
    section(md`${change.outcome ?? meaning}`),
    ...(look.length === 0 ? [] : [title('What to look at'), bullets(look)]),
    ...facts(story),
    ...(asked.length === 0 ? [] : [title('What was asked for'), ...facts(asked)]),
    context(small),
  ]
  const lines = [
    headline,
    md`${change.outcome ?? meaning}`,
    ...look,
    ...[...story, ...asked].map(([name, value]) => md`${name}: ${value}`),
    small,
  ]
  return { message: message({ text: lines.map(plainOf).join('\n'), blocks }) }
}

function title(words: string): Block {
  return section(md`*${words}*`)
}

function storyOf(change: Change): readonly Fact[] {
  const at = (date: Date | undefined): Mrkdwn | undefined => (date === undefined ? undefined : dateTime(date))
  const story: readonly Fact[] = [
    ['Operation', change.operation],
    ['Asked by', mention(change.requestedBy)],
    ['Asked at', dateTime(change.createdAt)],
    ['Sent at', at(change.sentAt)],
    ['Ended at', at(change.endedAt)],
    ['Can be confirmed until', change.state === 'waiting' ? dateTime(change.expiresAt) : undefined],
    ['Detail', change.detail],
  ]
  return story.filter(([, value]) => value !== undefined)
}

/** Only where it is not known what happened: what would show it, and where. */
function lookAt({ state, operation }: Change, { invocation }: Known): readonly Mrkdwn[] {
  if (state !== 'unknown' && state !== 'sending') return []
  const panel = invocation?.review?.panel
  return [
    md`${invocation?.lookFor ?? `Look in the platform's panel whether it happened before asking for ${operation} again.`}`,
    ...(panel === undefined ? [] : [link(panel, 'See it in the panel')]),
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
