import { expect, test } from 'vitest'
import { FastClock } from '../../../src/playground/stage/fast-clock.ts'
import { startStage } from '../../../src/playground/stage/stage.ts'
import { alertSteps, playTour, stepsOfTour } from '../../../src/playground/tour/tour.ts'
import { HurriedClock } from '../../support/hurried-clock.ts'
import { styleProblems } from '../../support/message-style.ts'
import { outgoingProblemsOf } from '../../support/outgoing-walker.ts'

/** A process that has just started may not ask for logs before this has passed. */
const LOG_WARM_UP_MS = 10_100

test('the tour shows text, own mentions and links to the panel, in words for three in the morning', async () => {
  const botClock = new HurriedClock()
  const stage = await startStage({ clock: new FastClock(), botClock })
  try {
    botClock.turn(LOG_WARM_UP_MS)
    // Alerts take minutes of the platform; what they show is looked through where they are played.
    const alerts = new Set(alertSteps().map(({ does }) => does))
    const steps = stepsOfTour().filter(({ does }) => !alerts.has(does))
    expect(steps.length).toBeGreaterThan(30)
    expect(await playTour(stage, steps, () => undefined)).toBe(steps.length)
    expect(stage.slack.calls.length).toBeGreaterThan(steps.length)
    expect(outgoingProblemsOf(stage.slack)).toEqual([])
    expect(styleProblems(stage.slack.calls)).toEqual([])
  } finally {
    await stage.close()
  }
}, 120_000)
