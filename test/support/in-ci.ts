/** `.ci/run` says so: all there plays in twelve minutes, so the suites that repeat draw fewer cases than by hand. */
export const IN_CI = process.env['CI'] !== undefined
