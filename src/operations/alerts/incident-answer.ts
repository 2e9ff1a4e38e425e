import { UserError } from '../../shared/errors.ts'
import type { IncidentRecord } from '../../store/alert-records.ts'
import { required } from '../fields.ts'
import type { OperationContext } from '../operation.ts'
import { alertIdField } from './alert-id-field.ts'
import { incidentMeant } from './silenced.ts'

/** Which incident somebody answers. */
export const incidentField = required(
  alertIdField({ label: 'Incident', hint: 'The id that the message of the alert shows.' }),
)

/** Answers the incident of an id. `commit` says what became of it, undefined where it is not kept any more. Throws UserError. */
export async function answered<End>(
  id: string,
  running: Pick<OperationContext, 'store' | 'command'>,
  commit: (incident: IncidentRecord) => Promise<End | undefined>,
): Promise<{ readonly incident: IncidentRecord; readonly end: End }> {
  const incident = await incidentMeant(id, running)
  const end = await commit(incident)
  if (end !== undefined) return { incident, end }
  const next = `See ${running.command} status.`
  throw new UserError('invalid_input', 'This incident is not kept any more. Nothing was done.', next)
}
