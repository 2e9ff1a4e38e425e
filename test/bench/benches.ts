import { alertsBench } from './alerts/alerts-bench.ts'
import type { Bench } from './bench.ts'
import { dayFileBench } from './day-file/day-file-bench.ts'
import { commandsBench } from './commands/commands-bench.ts'
import { changesBench } from './changes/changes-bench.ts'
import { limiterBench } from './limiter/limiter-bench.ts'
import { pagesBench } from './pages/pages-bench.ts'
import { playgroundBench } from './playground/playground-bench.ts'
import { idleBench } from './process/idle-bench.ts'
import { startBench } from './process/start-bench.ts'

/** Everything that is measured, in the order of the table. */
export const BENCHES: readonly Bench[] = [
  commandsBench,
  dayFileBench,
  pagesBench,
  limiterBench,
  alertsBench,
  changesBench,
  startBench,
  idleBench,
  playgroundBench,
]
