/**
 * What a person reads before confirming a write: exactly what will be sent and what follows from it. All strings are
 * plain text, possibly from outside; they are escaped where they are shown. Values of secret fields are masked.
 */
export interface Review {
  /** What happens, in one sentence: "Add an A record www to DNS zone shop (4711)". */
  readonly sentence: string
  /** The request, field by field, as it will be sent. */
  readonly request: readonly (readonly [label: string, value: string])[]
  /** What was filled in, changed or left to the platform on the way: "Transcribing is turned on, because …". */
  readonly notes: readonly string[]
  readonly warnings: readonly string[]
  readonly costs: readonly string[]
  /** What cannot be undone, or not by CDN Ops. */
  readonly irreversible: readonly string[]
  /** Where the result can be seen in the platform's panel, when its address is configured. */
  readonly panel: URL | undefined
}
