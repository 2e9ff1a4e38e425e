import type { Clock } from '../shared/clock.ts'
import { startStage } from './stage.ts'
import { startTranscript } from './transcript-page.ts'
import { playTour } from './tour/tour.ts'
import { TOUR } from './tour/steps.ts'

/** What the process lends: where to print, its clock, and when somebody wants it to end. */
export interface Surroundings {
  readonly print: (line: string) => void
  readonly clock: Clock
  readonly stopped: Promise<void>
}

/** Loopback ports that are easy to remember; free ones are taken when these are in use. */
const PAGE_PORT = 4_600

/** Plays the tour once and returns the exit code: 0 only when every step was as expected. */
export async function runTour({ print, clock }: Surroundings): Promise<number> {
  print('The real bot, between an emulated Slack and an emulated CDN, over real sockets.')
  const stage = await startStage({ clock, log: () => undefined })
  try {
    const good = await playTour(stage, TOUR, print)
    print(`\ntour: ${good} of ${TOUR.length} steps as expected`)
    return good === TOUR.length ? 0 : 1
  } finally {
    await stage.close()
  }
}

/** Serves emulators, bot and transcript until somebody stops it. */
export async function runPlayground({ print, clock, stopped }: Surroundings): Promise<number> {
  const stage = await startStage({ clock, log: () => undefined })
  const page = await startTranscript(stage, PAGE_PORT)
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
