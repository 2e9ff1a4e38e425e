import { readdirSync, readFileSync } from 'node:fs'

/**
 * What a process has used, by the operating system's own accounting: `/proc` of Linux. Elsewhere there is none that another
 * process may read, and this throws.
 */
export interface ProcessUsage {
  /** Of all its threads, in user and in kernel mode. */
  readonly cpuMs: number
  /** Memory it has in hand now, and the most it ever had. */
  readonly residentBytes: number
  readonly peakBytes: number
}

const NS_PER_MS = 1_000_000
const KIB = 1024

/** Throws when the process is gone. CPU is counted in nanoseconds by the scheduler; ended threads are missing in it. */
export function usageOf(pid: number): ProcessUsage {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const cpuNs = readdirSync(`/proc/${pid}/task`).map((thread) => cpuNsOf(pid, thread))
  return {
    cpuMs: cpuNs.reduce((sum, ns) => sum + ns, 0) / NS_PER_MS,
    residentBytes: kibOf(status, 'VmRSS') * KIB,
    peakBytes: kibOf(status, 'VmHWM') * KIB,
  }
}

function cpuNsOf(pid: number, thread: string): number {
  const [ranNs = ''] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
  return Number(ranNs)
}

function kibOf(status: string, name: string): number {
  const [, kib] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status) ?? []
  if (kib === undefined) throw new Error(`The system does not say ${name}`)
  return Number(kib)
}
