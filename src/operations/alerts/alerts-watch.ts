import { alertKind } from '../../alerts/kinds.ts'
import { COLUMN } from '../../alerts/traffic.ts'
import { LOG_RETENTION_MS } from '../../cdn/log-filter.ts'
import { defineOperation } from '../define-operation.ts'
import { required } from '../fields.ts'
import { zone, zoneLabel } from '../zone-field.ts'
import { channelForAlerts } from './channel-for-alerts.ts'
import { mentionField } from './group-field.ts'
import { pastOf, replay } from './replay.ts'
import { watchedAnswer } from './watched-answer.ts'
import { readBack, turnOn, type Watched } from './watching.ts'

/** `alerts watch`: the recommended alerts for a pull zone, and what they would have told in the last days. */
export const alertsWatch = defineOperation({
  name: 'alerts watch',
  summary: 'Have this channel told when a pull zone is in trouble',
  verb: 'Watch zone',
  effect: 'write to the bot',
  minimumRole: 'operator',
  audience: 'channel',
  shareable: false,
  undoable: true,
  fields: {
    pullZone: required(zone({ label: 'Pull zone', hint: 'The name or numeric id of a pull zone.', zoneKind: 'pull' })),
    mention: mentionField,
  },
  positionals: ['pullZone'],
  form: [
    {
      title: 'Watch a pull zone',
      intro:
        'Turns on the recommended alerts in this channel, and reads back up to 3 days so that they know what is usual.',
      fields: () => ['pullZone', 'mention'],
    },
  ],
  examples: ['alerts watch 301', 'alerts watch shop --mention S0123456789'],
  describe: ({ pullZone }) => `Watch pull zone ${zoneLabel(pullZone)}`,
  async run({ pullZone, mention }, context): Promise<Watched> {
    const channelId = await channelForAlerts(context)
    const { added, before } = await turnOn(pullZone, channelId, mention, context)
    context.alerts.soon()
    const read = await readBack(pullZone.id, context)
    const series = await pastOf(pullZone.id, new Date(context.now.getTime() - LOG_RETENTION_MS), context)
    const kinds = [...added, ...before].flatMap(({ kind: name, parameters }) => {
      const kind = alertKind(name)
      return kind?.subject === 'pull' && name !== 'poller-health' ? [[kind, parameters] as const] : []
    })
    const replays = await replay(kinds, pullZone.id, series, context)
    const { from, until } = series
    const all = series.total(COLUMN.lines, from, until)
    const coded = series.total(COLUMN.coded, from, until)
    return { channelId, added, before, read, replays, coded: all === 0 || coded > 0 }
  },
  present: (watched, { pullZone }, context) => watchedAnswer(watched, pullZone, context),
})
