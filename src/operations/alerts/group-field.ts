import type { Field } from '../field.ts'
import { custom, type FieldText, one, problem } from '../fields.ts'

const GROUP = /^(?:<!subteam\^(S[A-Z0-9]{2,20})(?:\|[^<>]*)?>|@?(S[A-Z0-9]{2,20}))$/
const MAX_CHARACTERS = 120

/** A user group of Slack, given by a mention or by its id; the value is the id. */
function userGroup(options: FieldText): Field<string, false> {
  return custom({
    ...options,
    control: { kind: 'text', maxLength: MAX_CHARACTERS, multiline: false, word: '@group' },
    read(raw) {
      const match = GROUP.exec(one(raw).trim())
      const id = match?.[1] ?? match?.[2]
      return id === undefined
        ? problem(
            `${options.label} is no user group of Slack: pick it from the list Slack offers after @, or give its id, S….`,
          )
        : { ok: true, value: id }
    },
  })
}

/** Whom critical alerts mention. */
export const mentionField = userGroup({
  label: 'Mention',
  hint: 'A user group of Slack that critical alerts mention, by @ or by its id, S….',
})
