export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
/** Of UTC: it has no day of another length. */
export const DAY_MS = 24 * HOUR_MS

/** The same in minutes, which logs are counted by. */
export const DAY_MINUTES = DAY_MS / MINUTE_MS
export const WEEK_MINUTES = 7 * DAY_MINUTES
