import { count, counted } from '../../block-kit/amounts.ts'
import { unreachable } from '../../shared/errors.ts'
import type { AuditHead } from '../../store/audit-chain.ts'
import type { AuditVerdict } from '../../store/audit-verification.ts'

/** What a verdict on the record means, as plain sentences. */
export interface VerdictWords {
  readonly headline: string
  /** What was found, what that does not prove, and what to do. */
  readonly sentences: readonly string[]
}

type Broken = Extract<AuditVerdict, { readonly ok: false }>

const UNKEYED =
  'There is no AUDIT_KEY, so this proves accidents, not forgery: whoever can write to the database can also write the whole record anew.'
const NOT_EXPECTED =
  'That the newest entries were cut off cannot be seen without a head that was noted before: give one with --expect.'

/** Words for people who have to rely on the record, or who have just learnt that they cannot. */
export function verdictWords(verdict: AuditVerdict, expect: AuditHead | undefined): VerdictWords {
  const { entries, keyed } = verdict
  const unkeyed = keyed ? [] : [UNKEYED]
  if (!verdict.ok) {
    return {
      headline: 'The record is not what was written',
      sentences: [faultWords(verdict, expect), ...keyHint(verdict), NEXT, ...unkeyed],
    }
  }
  if (entries === 0) return { headline: 'The record has no entry yet', sentences: [...unkeyed, NOT_EXPECTED] }
  return {
    headline: 'The record is sound',
    sentences: [
      `${counted(entries, 'entry', 'entries')}, each as it was written, none removed, added or moved.`,
      ...(expect === undefined
        ? []
        : [`Entry ${expect.seq} is the one that was noted, so nothing up to it is missing.`]),
      ...unkeyed,
      ...(expect === undefined ? [NOT_EXPECTED] : []),
    ],
  }
}

const NEXT =
  'Keep the database as it is, take a copy of it, and compare it with a backup. Who has access to it should be found out before anything is mended.'

function faultWords({ fault, firstBad, entries }: Broken, expect: AuditHead | undefined): string {
  const sound = entries === 0 ? 'No entry before it is sound.' : `The first ${count(entries)} are sound.`
  switch (fault) {
    case 'entry':
      return `The first bad entry is ${firstBad}: it was changed, removed, added or moved. ${sound}`
    case 'head':
      return `The entries up to ${firstBad} lead to another head than the one that is stored: the newest entries or the head were changed.`
    case 'cut':
      return `What is there is sound, but entry ${expect?.seq ?? firstBad} was noted and is gone: the record was cut off from entry ${firstBad} on.`
    case 'replaced':
      return `Entry ${firstBad} is not the one that was noted: the record was written anew from there or before, or this is another record.`
    default:
      return unreachable(fault)
  }
}

/** A wrong key makes even the first entry look forged. */
function keyHint({ fault, firstBad, keyed }: Broken): readonly string[] {
  if (fault !== 'entry' || firstBad !== 1) return []
  return [
    keyed
      ? 'That is also how it looks when AUDIT_KEY is not the key that the record was written with.'
      : 'That is also how it looks when the record was written with an AUDIT_KEY, which is not set now.',
  ]
}
