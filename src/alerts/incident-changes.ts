import { factsInWords } from './bound-rule.ts'
import { isAloud } from './held-back.ts'
import type { ReplyKind } from './incident-reply.ts'
import type { IncidentAlert } from './incident.ts'
import { type Facts, graveness } from './reading.ts'
import type { WatchedAlert } from './watched-alert.ts'

/** Something that people see of one alert of an incident. */
export interface AlertChange {
  readonly what: 'begins' | 'ends' | 'worse' | 'eased' | 'flapping' | 'reminder'
  readonly alert: IncidentAlert
  /** Told by a reply of its own, and not only by an edit: nothing holds it back. */
  readonly aloud: boolean
  readonly mention?: string | undefined
}

export interface Compared {
  readonly alerts: readonly IncidentAlert[]
  readonly changes: readonly AlertChange[]
}

/**
 * The alerts of an incident brought to where their rules stand now. An alert whose rule is gone has ended; one whose rule is
 * paused stays as it was. What is held back does not enter; nor does what is on its way out already.
 */
export function compared(
  known: readonly IncidentAlert[],
  watched: readonly WatchedAlert[],
  subject: string,
  atMs: number,
): Compared {
  const changes: AlertChange[] = []
  const alerts = known.map((alert): IncidentAlert => {
    if (alert.endedMs !== undefined) return alert
    const watching = watched.find(({ rule }) => rule.id === alert.ruleId)
    if (watching?.held?.why === 'paused') return alert
    const present = presentOf(alert, watching, atMs)
    const what = whatHappened(alert, present, watching)
    if (what !== undefined) changes.push(changeOf(what, present, watching))
    return present
  })
  const entering = watched.filter(
    ({ rule, state, held }) =>
      isAloud(held) &&
      state.phase === 'firing' &&
      state.clearSinceMs === undefined &&
      !alerts.some(({ ruleId, endedMs }) => ruleId === rule.id && endedMs === undefined),
  )
  const entered = entering.map((watching) => {
    const alert = enteredAlert(watching, subject, atMs)
    changes.push(changeOf(watching.event === 'flapping' ? 'flapping' : 'begins', alert, watching))
    return alert
  })
  const again = new Set(entered.map(({ ruleId }) => ruleId))
  return { alerts: [...alerts.filter(({ ruleId }) => !again.has(ruleId)), ...entered], changes }
}

/** Which reply tells of a change, in an incident that goes on or begins again; undefined where an edit is enough. */
export function replyKindOf(what: AlertChange['what'], again: boolean, goesOn: boolean): ReplyKind | undefined {
  switch (what) {
    case 'begins':
      return again ? 'begins again' : 'joined'
    case 'ends':
      return goesOn ? 'ended one of several' : undefined
    default:
      return what
  }
}

function presentOf(alert: IncidentAlert, watching: WatchedAlert | undefined, atMs: number): IncidentAlert {
  const state = watching?.state
  const isShown = state !== undefined && (state.phase === 'firing' || state.heldUntilMs !== undefined)
  if (watching !== undefined && isShown) return broughtUp(alert, watching)
  return { ...alert, facts: factsOf(watching) ?? alert.facts, endedMs: atMs, flapping: undefined }
}

function enteredAlert(watching: WatchedAlert, subject: string, atMs: number): IncidentAlert {
  const { id: ruleId, kind } = watching.rule
  const firedMs = Math.min(watching.state.sinceMs, atMs)
  const began = { ruleId, kind, subject, severity: 'warning', firedMs, facts: { sentence: '' } } as const
  return broughtUp(began, watching)
}

/** An alert brought up to where its rule stands. */
function broughtUp(alert: IncidentAlert, watching: WatchedAlert): IncidentAlert {
  const { rule, state } = watching
  const facts = factsOf(watching) ?? alert.facts
  return {
    ...alert,
    runbook: rule.runbook,
    severity: state.severity ?? alert.severity,
    facts,
    peak: state.peak ?? alert.peak,
    unit: facts.unit ?? alert.unit,
    flapping: state.heldUntilMs === undefined ? undefined : true,
  }
}

/** What was read last, in words; undefined when nothing was. */
function factsOf(watching: WatchedAlert | undefined): Facts | undefined {
  const reading = watching?.state.last?.reading
  return watching === undefined || reading === undefined ? undefined : factsInWords(watching.rule, reading)
}

function whatHappened(
  before: IncidentAlert,
  now: IncidentAlert,
  watching: WatchedAlert | undefined,
): AlertChange['what'] | undefined {
  if (now.endedMs !== undefined) return 'ends'
  const graver = graveness(now.severity) - graveness(before.severity)
  if (graver > 0) return 'worse'
  if (now.flapping === true && before.flapping === undefined) return 'flapping'
  if (graver < 0) return 'eased'
  return watching?.event === 'reminder' ? 'reminder' : undefined
}

function changeOf(what: AlertChange['what'], alert: IncidentAlert, watching: WatchedAlert | undefined): AlertChange {
  return {
    what,
    alert,
    aloud: isAloud(watching?.held),
    mention: alert.severity === 'critical' && alert.endedMs === undefined ? watching?.rule.mention : undefined,
  }
}
