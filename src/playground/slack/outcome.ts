/** What a person sees of something they did: it went through, or Slack's words for why it did not. */
export type PersonOutcome =
  | { readonly ok: true }
  | {
      readonly ok: false
      readonly shown: string
      /** Complaints under inputs, by block id. */
      readonly errors?: Readonly<Record<string, string>>
    }

/** It went through. */
export const DONE: PersonOutcome = { ok: true }

/** It did not go through, and Slack says why. */
export function refused(shown: string): PersonOutcome {
  return { ok: false, shown }
}

/** Complaints under inputs: each is shown, one to a line. */
export function complained(errors: Readonly<Record<string, string>>): PersonOutcome {
  return { ok: false, shown: Object.values(errors).join('\n'), errors }
}
