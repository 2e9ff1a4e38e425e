import type { AlertKind } from '../../alerts/kinds/alert-kind.ts'
import { ALERT_KINDS, findAlertKind } from '../../alerts/kinds/kinds.ts'
import { count } from '../../block-kit/amounts.ts'
import { messageOf, paragraphs, readLast, smallPrint, tablePart, wordsMessage } from '../../block-kit/message.ts'
import { code, md } from '../../block-kit/mrkdwn.ts'
import type { Table } from '../../block-kit/table.ts'
import type { Answer } from '../declaration/answer.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import { isTriable, kindField, LOOKS_AT } from './kind-fields.ts'
import { ACCOUNT_KINDS, WATCHED_KINDS } from './watch-set.ts'

export const alertsKinds = defineOperation({
  name: 'alerts kinds',
  summary: 'Explain what alerts can look for, and what can be set',
  effect: 'read',
  shareable: true,
  fields: { kind: kindField() },
  positionals: ['kind'],
  examples: ['alerts kinds', 'alerts kinds origin-failing'],
  describe: ({ kind }) => `Explain ${kind ?? 'the kinds of alerts'}`,
  run: async ({ kind }) => (kind === undefined ? undefined : findAlertKind(kind)),
  present: (kind, _, { command }) => (kind === undefined ? allKinds(command) : oneKind(kind, command)),
})

function allKinds(command: string): Answer {
  const table: Table = {
    caption: 'Kinds of alerts',
    columns: ['Kind', 'Looks at', 'What it means'].map((title) => ({ title, kind: 'text' })),
    rows: ALERT_KINDS.map(({ name, subject, summary }) => [name, LOOKS_AT[subject], summary]),
    pageSize: 20,
  }
  const title = md`*${ALERT_KINDS.length} kinds of alerts.*`
  const watch = md`${code(`${command} alerts watch`)} turns on ${WATCHED_KINDS.join(', ')} for a zone, and with --account ${ACCOUNT_KINDS.join(' and ')}.`
  const next = md`What can be set about one: ${code(`${command} alerts kinds origin-failing`)}.`
  const all = readLast(tablePart(table, ALERT_KINDS.length))
  return {
    message: messageOf(paragraphs(title), all, smallPrint(watch, next)),
    buttons: [{ kind: 'form', label: 'Turn one on', operation: 'alerts add', values: {} }],
  }
}

function oneKind(kind: AlertKind, command: string): Answer {
  const { name, title, summary, parameters, subject } = kind
  const said = md`*${title}* (${code(name)}), about ${LOOKS_AT[subject]}. ${summary}`
  // As lines, since what a setting means is a sentence or two, and a narrow table shows its beginning.
  const set = parameters.map(
    (each) =>
      md`${code(`--${each.name}`)} ${count(each.default)} ${each.unit}, from ${count(each.min)} to ${count(each.max)}: ${each.meaning}`,
  )
  const example = subject === 'pull' ? `${name} <pull-zone>` : name
  const test = { kind: 'form', label: 'Try it on the past', operation: 'alerts test', values: { kind: name } } as const
  const small = [md`Turn it on in a channel: ${code(`${command} alerts add ${example}`)}.`]
  return {
    message: wordsMessage(set.length === 0 ? [said, md`Nothing can be set about it.`] : [said], { list: set, small }),
    buttons: [
      { kind: 'form', label: 'Turn it on', operation: 'alerts add', values: { kind: name } },
      ...(isTriable(kind) ? [test] : []),
    ],
  }
}
