import { defineOperation } from '../define-operation.ts'
import { zone, zoneLabel } from '../zone-field.ts'
import { type Overview, overviewAnswer, readOverview } from './overview.ts'
import { statusAnswer } from './status-answer.ts'
import { unwatchedStatus, watchedStatus, type ZoneStatus } from './status-reading.ts'

type Status = { readonly one: ZoneStatus } | { readonly all: Overview }

/** `status`: what is happening now, in one zone or in all that are watched. */
export const status = defineOperation({
  name: 'status',
  summary: 'Show how a pull zone does now, or all that are watched',
  effect: 'read',
  minimumRole: 'viewer',
  audience: 'caller',
  shareable: true,
  fields: {
    pullZone: zone({
      label: 'Pull zone',
      hint: 'The name or numeric id of a pull zone; all that are watched when left out.',
      zoneKind: 'pull',
    }),
  },
  positionals: ['pullZone'],
  examples: ['status', 'status 301'],
  describe: ({ pullZone }) =>
    pullZone === undefined ? 'Show how all watched zones do' : `Show how pull zone ${zoneLabel(pullZone)} does`,
  async run({ pullZone }, running): Promise<Status> {
    if (pullZone === undefined) return { all: await readOverview(running) }
    const trust = await running.alerts.trust(pullZone.id)
    const one =
      trust === undefined
        ? await unwatchedStatus(pullZone.id, running)
        : await watchedStatus(pullZone.id, trust, running)
    return { one }
  },
  present(found, { pullZone }, running) {
    if ('all' in found) return overviewAnswer(found.all, running)
    if (pullZone === undefined) throw new TypeError('The status of no zone was read')
    return statusAnswer(found.one, pullZone, running)
  },
})
