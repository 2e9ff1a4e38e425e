/** Looks at one subject again and again. Each look says when the next one is due. */
export interface SubjectWatch {
  /**
   * Looks once, and commits what follows. Resolves to when it has to look again, in milliseconds since 1970. Rejects
   * with `StoreError`, for a bug, or when the signal is aborted; a platform that fails is a finding.
   */
  look(signal: AbortSignal): Promise<number>
  /** Whether everything is read in time; undefined before the first look. */
  isHealthy(nowMs: number): boolean | undefined
}
