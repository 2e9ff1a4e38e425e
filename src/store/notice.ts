/** Something that has to be told to people, kept until Slack has taken it. */
export interface Notice {
  readonly id: string
  /** A channel's id, or a person's for their direct messages. */
  readonly recipient: string
  /** The message, as JSON of at most 64 KB. */
  readonly message: unknown
  readonly createdAt: Date
  /** How often it was tried without success. */
  readonly attempts: number
}

/** A notice as it is asked for. `id` is made when it is not given; asked for again under one that still waits, it stays one. */
export interface NewNotice {
  readonly id?: string | undefined
  readonly recipient: string
  readonly message: unknown
}
