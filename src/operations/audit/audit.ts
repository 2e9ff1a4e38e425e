import { count } from '../../block-kit/amounts.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import { defineOperation } from '../define-operation.ts'
import { flag, integer, text } from '../fields.ts'
import { isMeantAsPerson, person } from '../person-field.ts'
import { instant } from '../time-field.ts'
import { auditAnswer } from './audit-answer.ts'
import { MAX_FILE_ENTRIES, readRecord } from './audit-reading.ts'
import { questionWords } from './audit-words.ts'

const fields = {
  who: person({ label: 'Who', hint: 'Only what this person did or was refused: a mention or a user id.' }),
  operation: text({
    label: 'Operation',
    hint: 'Only entries of this one, such as dns add.',
    maxLength: 100,
    word: 'operation',
  }),
  since: instant({ label: 'Since', hint: 'Only entries from this time on: 2026-11-01, or 14d back from now.' }),
  until: instant({ label: 'Until', hint: 'Only entries before this time, given in the same ways.' }),
  csv: flag({
    label: 'CSV file',
    hint: `Sends what fits as a file to your direct messages, at most ${count(MAX_FILE_ENTRIES)} entries.`,
  }),
  before: integer({
    label: 'Before',
    hint: 'The number of an entry: only older ones are shown.',
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
  }),
}

/** `audit`: the record of what was asked, decided and done. That it was read is itself on record. */
export const audit = defineOperation({
  name: 'audit',
  aliases: ['audit list'],
  summary: 'Show the record of who asked, approved and did what',
  verb: 'Show entries',
  effect: 'sensitive read',
  minimumRole: 'admin',
  audience: 'caller',
  shareable: false,
  fields,
  positionals,
  examples: ['audit', 'audit @U012AB3CD --since 7d', 'audit dns add --csv', 'audit list --since 2026-11-01'],
  check({ since, until }, { now }) {
    if (since !== undefined && since > now) return [{ field: 'since', problem: 'Since lies in the future.' }]
    if (since === undefined || until === undefined || since < until) return []
    return [{ field: 'until', problem: 'Until must lie after since.' }]
  },
  describe: (question) => `Read the audit log${questionWords(question)}`,
  run: readRecord,
  present: auditAnswer,
})

/** The first word may be a person or already the operation. */
function positionals({ who }: RawValues): readonly ('who' | 'operation')[] {
  return who === undefined || isMeantAsPerson(who) ? ['who', 'operation'] : ['operation']
}
