import type { Stage } from '../stage/stage.ts'
import { renderMessage, renderView } from '../slack/render-text.ts'
import type { Person } from '../slack/person.ts'
import type { PersonOutcome } from '../slack/interactions.ts'
import { ADA, OLGA, OPS, OTTO, VERA } from '../slack/state/seed.ts'

/** Long enough for a log query of a bot that has just started, which waits out its first ten seconds. */
const STEP_TIMEOUT_MS = 20_000
/** Long answers are cut on the terminal; Slack shows them whole. */
const MAX_LINES = 28

export const PEOPLE = {
  Vera: { id: VERA, role: 'viewer' },
  Olga: { id: OLGA, role: 'operator' },
  Otto: { id: OTTO, role: 'operator' },
  Ada: { id: ADA, role: 'admin' },
} as const
export type PersonName = keyof typeof PEOPLE

export interface Seen {
  readonly messages: string
  readonly view: string
  readonly slack: string
}

export interface Step {
  readonly who: PersonName
  readonly does: string
  act(person: Person, stage: Stage): Promise<PersonOutcome>
  /** What has to be seen, all of it, for the step to be as expected. */
  readonly expect: readonly RegExp[]
  readonly never?: readonly RegExp[]
  /** A fact about the platform that has to hold once all is seen. */
  readonly check?: (stage: Stage) => boolean
}

/** Plays steps on a stage and prints each as readable text. Returns how many were as expected. */
export async function playTour(stage: Stage, steps: readonly Step[], print: (line: string) => void): Promise<number> {
  let good = 0
  for (const [index, step] of steps.entries()) {
    print(`\n── ${index + 1}/${steps.length} · ${step.who} (${PEOPLE[step.who].role}) ${step.does}`)
    const { seen, missing } = await play(stage, step)
    for (const line of shown(seen)) print(line)
    if (missing.length === 0) good += 1
    for (const what of missing) print(`   ✗ not as expected: ${what}`)
  }
  return good
}

async function play(stage: Stage, step: Step): Promise<{ seen: Seen; missing: readonly string[] }> {
  const person = stage.slack.person(PEOPLE[step.who].id)
  const known = new Set(person.messages(OPS).map(keyOf))
  const before = viewText(person)
  const outcome = await step
    .act(person, stage)
    .catch((error: unknown) => ({ ok: false, shown: `This could not be done: ${String(error)}` }) as const)
  const look = (): Seen => ({
    messages: person
      .messages(OPS)
      .filter((message) => !known.has(keyOf(message)))
      .map(renderMessage)
      .join('\n'),
    view: viewText(person),
    slack: outcome.ok ? '' : outcome.shown,
  })
  try {
    await stage.slack.until(() => missingIn(look(), step, stage).length === 0, STEP_TIMEOUT_MS)
  } catch {
    // What is missing is said below.
  }
  const seen = look()
  const missing = missingIn(seen, step, stage)
  return {
    seen: seen.view === before && missing.length === 0 && seen.messages !== '' ? { ...seen, view: '' } : seen,
    missing,
  }
}

function missingIn(seen: Seen, { expect, never = [], check }: Step, stage: Stage): readonly string[] {
  const all = `${seen.messages}\n${seen.view}\n${seen.slack}`
  return [
    ...expect.filter((pattern) => !pattern.test(all)).map((pattern) => `${pattern} was not seen`),
    ...never.filter((pattern) => pattern.test(all)).map((pattern) => `${pattern} was seen`),
    ...(check === undefined || check(stage) ? [] : ['the CDN is not as it should be']),
  ]
}

/** An edited message is new to see, so what it says is part of its key. */
function keyOf(message: ReturnType<Person['messages']>[number]): string {
  return `${message.ts} ${JSON.stringify(message.blocks)} ${message.text}`
}

function viewText(person: Person): string {
  const view = person.view()
  return view === undefined ? '' : renderView(view)
}

function shown({ slack, view, messages }: Seen): readonly string[] {
  const text = [slack, view, messages].filter((part) => part !== '').join('\n')
  const lines = text.split('\n').map((line) => `   │ ${line}`)
  return lines.length <= MAX_LINES
    ? lines
    : [...lines.slice(0, MAX_LINES), `   │ … and ${lines.length - MAX_LINES} more lines`]
}
