import { wordsMessage } from '../../block-kit/message.ts'
import { md, mention, type Mrkdwn } from '../../block-kit/mrkdwn.ts'
import { UserError } from '../../shared/errors.ts'
import { type IncidentAnswer, MAX_NOTES_PER_INCIDENT } from '../../store/alerts/incident-answers.ts'
import type { AuditEvent } from '../../store/schema/audit-entry.ts'
import { required } from '../declaration/fields.ts'
import { auditEntry, type OperationContext } from '../declaration/operation.ts'
import { type About, incidentField } from './alert-fields.ts'
import { findMeantIncident } from './alerts-silence.ts'

/** The configuration may let viewers answer, too. */
export const ANSWER = {
  effect: 'acknowledge',
  fields: { incident: required(incidentField()) },
  positionals: ['incident'],
} as const

/** `…` in the summary stands for the incident. `commit` says what became of the answer, undefined where the incident is not kept any more. Throws UserError. */
export async function answered<End>(
  meant: About | undefined,
  running: OperationContext,
  [event, operation, summary]: readonly [AuditEvent, operation: string, summary: string],
  commit: (id: string, answer: IncidentAnswer) => Promise<End | undefined>,
  { detail, ...wanted }: Parameters<typeof findMeantIncident>[2] & { readonly detail?: string | undefined } = {},
) {
  const { actor, now, once } = running
  const incident = await findMeantIncident(meant, running, wanted)
  const which = `incident ${incident.id} of ${incident.subject}`
  const entry = { ...auditEntry(event, operation, summary.replace('…', which), running), detail }
  const end = await commit(incident.id, { person: actor.id, at: now, entry, once })
  if (end === 'full') {
    const full = `This alert has ${MAX_NOTES_PER_INCIDENT} notes already, which is all that is kept. Nothing was done.`
    throw new UserError('invalid_input', full, 'Write it into the thread.')
  }
  if (end !== undefined) return { incident, end }
  const next = `See ${running.command} status.`
  throw new UserError('invalid_input', 'This alert is too old to be known. Nothing was done.', next)
}

export function said(sentence: Mrkdwn, ...small: readonly (Mrkdwn | false)[]) {
  return { message: wordsMessage([sentence], { small }) }
}

export function somebody(id: string | undefined): Mrkdwn {
  return id === undefined ? md`Somebody` : mention(id)
}
