/** Which entries of the record are asked for; all that every given part holds for. */
export interface AuditQuestion {
  readonly who: string | undefined
  /** As it was typed. */
  readonly operation: string | undefined
  readonly since: Date | undefined
  readonly until: Date | undefined
  readonly csv: boolean | undefined
  readonly before: number | undefined
}

/** What is asked for, to follow the words "the audit log": " of U012AB about dns add since …". Plain. */
export function questionWords({ who, operation, since, until, before }: AuditQuestion): string {
  return [
    who === undefined ? '' : ` of ${who}`,
    operation === undefined ? '' : ` about ${operation}`,
    since === undefined ? '' : ` since ${since.toISOString()}`,
    until === undefined ? '' : ` until ${until.toISOString()}`,
    before === undefined ? '' : `, before entry ${before}`,
  ].join('')
}
