/** The CPU that this process has taken since a moment, in ms: what others do meanwhile on a busy machine is not in it. */
export function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** The CPU that `work` takes, in ms. */
export function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  return cpuSince(before)
}
