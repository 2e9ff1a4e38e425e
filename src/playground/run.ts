import type { Clock } from '../shared/clock.ts'
import { FastClock } from './stage/fast-clock.ts'
import { openPage } from './page/page-server.ts'
import { startStage } from './stage/stage.ts'
import { playTour, stepsOfTour } from './tour/tour.ts'

/** What the process lends: where to print, its clock, and when somebody wants it to end. */
export interface Surroundings {
  readonly print: (line: string) => void
  readonly clock: Clock
  readonly stopped: Promise<void>
}

/** Loopback ports that are easy to remember; free ones are taken when these are in use. */
const PAGE_PORT = 4_600

export async function runTour({ print, clock: real }: Surroundings): Promise<number> {
  const steps = stepsOfTour()
  print('The real bot, between an emulated Slack and an emulated CDN, over real sockets.')
  const stage = await startStage({ clock: new FastClock(real) })
  try {
    const good = await playTour(stage, steps, print)
    print(`\ntour: ${good} of ${steps.length} steps as expected`)
    return good === steps.length ? 0 : 1
  } finally {
    await stage.close()
  }
}

export async function runPlayground({ print, clock: real, stopped }: Surroundings): Promise<number> {
  const page = await openPage(PAGE_PORT)
  const settings = { CDN_PANEL_URL: `${page.url}account#{place}-{id}` }
  const stage = await startStage({ clock: new FastClock(real), settings })
  page.show(stage)
  print(
    [
      'CDN Ops is running between an emulated Slack and an emulated CDN. No account is needed, and nothing leaves this machine.',
      '',
      `  Open      ${page.url}`,
      `  Slack     ${stage.slack.apiUrl}`,
      `  Platform  ${stage.cdn.managementUrl}   logs: ${stage.cdn.loggingUrl}`,
      '',
      'Stop it with Ctrl-C.',
    ].join('\n'),
  )
  await stopped
  await page.close()
  await stage.close()
  return 0
}
