/** `.ci/run` sets it: there the suites that repeat draw fewer cases than by hand. */
export const IN_CI = process.env['CI'] !== undefined
