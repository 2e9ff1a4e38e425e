import { message } from '../../block-kit/message.ts'
import { code, dateTime, joinMd, md, mention, plainOf, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { context, section } from '../../block-kit/sections.ts'
import { visible } from '../../shared/untrusted.ts'
import { CHANGE_STATES, type Change, type ChangeState } from '../../store/change.ts'
import type { Answer } from '../answer.ts'
import { defineOperation } from '../define-operation.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import { choices } from '../choice-field.ts'
import { checked, flag, text } from '../fields.ts'
import { STATE_WORDS } from './change-words.ts'

/** Drafts are open forms and nobody's business; everything that was asked for is listed. */
const LISTED = CHANGE_STATES.filter((state): state is Exclude<ChangeState, 'draft'> => state !== 'draft')
const PAGE_ROWS = 15
const MAX_SENTENCE_CHARACTERS = 250
/** The shape of a change's id. */
const CHANGE_ID = /^[0-9a-f]{32}$/

/** `changes list`: every write to the platform that somebody asked for, the newest first. */
export const changesList = defineOperation({
  name: 'changes list',
  aliases: ['changes'],
  summary: 'List the writes that were asked for, and what became of them',
  effect: 'read',
  minimumRole: 'viewer',
  audience: 'caller',
  shareable: false,
  fields: {
    state: choices({
      label: 'State',
      hint: 'Only changes in these states, separated by commas.',
      choices: LISTED.map((value) => ({ value, label: STATE_WORDS[value].label })),
    }),
    mine: flag({ label: 'Mine', hint: 'Only what I asked for.' }),
    before: checked(
      text({ label: 'Before', hint: 'The id of a change: only older ones are listed.', maxLength: 32, word: 'id' }),
      (id) => (CHANGE_ID.test(id) ? undefined : 'Before is the id of a change, 32 letters and digits.'),
    ),
  },
  positionals: ['state'],
  examples: ['changes list', 'changes list --mine', 'changes list --state unknown,rejected'],
  describe: ({ state, mine }) =>
    `List changes${state === undefined ? '' : ` in state ${state.join(', ')}`}${mine === true ? ' of their own' : ''}`,
  async run({ state, mine, before }, { store, actor }) {
    const last = before === undefined ? undefined : await store.changes.get(before)
    const found = await store.changes.list({
      states: state ?? LISTED,
      requestedBy: mine === true ? actor.id : undefined,
      askedFor: true,
      limit: PAGE_ROWS + 1,
      before: last,
    })
    return { changes: found.slice(0, PAGE_ROWS), hasMore: found.length > PAGE_ROWS }
  },
  present({ changes, hasMore }, { state, mine }, { now, command }) {
    const filter: RawValues = { ...(state !== undefined && { state }), ...(mine === true && { mine: 'true' }) }
    const last = changes.at(-1)
    return {
      ...listAnswer(changes, { filtered: Object.keys(filter).length > 0, now, command }),
      buttons: [
        ...(hasMore && last !== undefined
          ? [{ kind: 'page' as const, label: 'Older', values: { ...filter, before: last.id } }]
          : []),
        ...(mine === true || changes.length === 0
          ? []
          : [{ kind: 'page' as const, label: 'Only mine', values: { ...filter, mine: 'true' } }]),
      ],
    }
  },
})

interface ListContext {
  readonly filtered: boolean
  readonly now: Date
  readonly command: string
}

function listAnswer(changes: readonly Change[], { filtered, now, command }: ListContext): Answer {
  if (changes.length === 0) {
    const said = filtered ? 'No change fits.' : 'Nothing has been asked for yet.'
    return { message: message({ text: said, blocks: [section(md`${said}`)] }) }
  }
  const title = md`*${changes.length === 1 ? 'One change' : `${changes.length} changes`}*, the newest first, as of ${dateTime(now)}`
  const lines = changes.map(lineOf)
  const hint = md`All about one of them: ${code(`${command} changes show <id>`)}`
  return {
    message: message({
      text: [title, ...lines, hint].map(plainOf).join('\n'),
      blocks: [section(title), ...lines.map((line) => section(line)), context(hint)],
    }),
  }
}

function lineOf({ id, state, operation, sentence, requestedBy, createdAt }: Change): Mrkdwn {
  const { icon, label } = STATE_WORDS[state]
  const what = visible(sentence ?? operation, MAX_SENTENCE_CHARACTERS)
  const facts = [md`asked by ${mention(requestedBy)}`, dateTime(createdAt), code(id)]
  return md`${icon} *${label}*: ${what}\n${joinMd(facts, ' · ')}`
}
