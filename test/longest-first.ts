import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest, the longest first. Without an entry here a file only begins later than it might. */
const LONGEST = [
  'test/safety/kill/kill.slow.test.ts',
  'test/end-to-end/process.slow.test.ts',
  'test/safety/replicas/server-trouble.slow.test.ts',
  'test/safety/model/interleavings.slow.test.ts',
  'test/alerts/ended-process.slow.test.ts',
  'test/slack-cli.slow.test.ts',
  'test/safety/replicas/log-slots.slow.test.ts',
  'test/alerts/simulated-hours.slow.test.ts',
  'test/cdn/http/log-limit.slow.test.ts',
  'test/safety/model/changes.slow.test.ts',
  'test/browser/accessibility.browser.test.ts',
  'test/browser/stories.browser.test.ts',
  'test/store/postgres.wire.test.ts',
  'test/end-to-end/process.wire.test.ts',
  'test/safety/faults/matrix.wire.test.ts',
  'test/end-to-end/secrets.wire.test.ts',
  'test/end-to-end/doctor-process.wire.test.ts',
  'test/end-to-end/killed.wire.test.ts',
  'test/alerts/long-lines.wire.test.ts',
]

/** Begins the longest files of a project first, so that no worker is left with one when the others have ended. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const places = new Map(sorted.map((file, place) => [file, this.#rank(file) ?? LONGEST.length + place]))
    const first = new Map<string, number>()
    for (const [place, { project }] of sorted.entries()) if (!first.has(project.name)) first.set(project.name, place)
    return sorted.toSorted(
      (left, right) =>
        (first.get(left.project.name) ?? 0) - (first.get(right.project.name) ?? 0) ||
        (places.get(left) ?? 0) - (places.get(right) ?? 0),
    )
  }

  #rank({ moduleId }: TestSpecification): number | undefined {
    const rank = LONGEST.findIndex((path) => moduleId.endsWith(`/${path}`))
    return rank < 0 ? undefined : rank
  }
}
