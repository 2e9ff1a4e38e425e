import { auditEntry } from '../declaration/operation.ts'
import { wordsMessage } from '../../block-kit/message.ts'
import { code, dateTime, md } from '../../block-kit/mrkdwn.ts'
import { pullSubject } from '../../alerts/state/rule-subjects.ts'
import { UserError } from '../../shared/errors.ts'
import { shortId } from '../../shared/short-id.ts'
import { MARK_RETENTION_MS, type MarkRecord } from '../../store/schema/alert-records.ts'
import { defineOperation } from '../declaration/define-operation.ts'
import { required, text } from '../declaration/fields.ts'
import { instant } from '../declaration/time-field.ts'
import { alertIdField, byId } from './alert-fields.ts'
import { subjectWords } from './watch-set.ts'
import { zone, zoneLabel } from '../declaration/zone-field.ts'

/** The newest of all zones. */
const MAX_LOOKED_AT = 500

export const alertsMark = defineOperation({
  name: 'alerts mark',
  summary: 'Note a deploy or purge, so that what it explains stays quiet',
  verb: 'Note it',
  effect: 'write to the bot',
  undoable: true,
  audience: 'channel',
  fields: {
    pullZone: required(zone({ label: 'Pull zone', hint: 'The name or numeric id of a pull zone.', zoneKind: 'pull' })),
    text: required(text({ label: 'What', hint: 'Such as deploy 1.42, or purge of all.', maxLength: 100 })),
    at: instant({ label: 'At', hint: 'When it was, if not now: 10m back, 03:10, or 2026-11-20T03:10Z.' }),
  },
  positionals: ['pullZone', 'text'],
  form: {
    title: 'Note a deploy or purge',
    intro: 'Misses and a lower hit ratio in the 15 minutes after it are not told. Charts show it.',
    fields: () => ['pullZone', 'text', 'at'],
  },
  examples: ['alerts mark 301 deploy 1.42', 'alerts mark shop purge of /img --at 10m'],
  check({ at, text: what }, { now }) {
    if (what === '') return [{ field: 'text', problem: 'What is needed: a few words.', missing: true }]
    const backMs = at === undefined ? 0 : now.getTime() - at.getTime()
    if (backMs < 0) return [{ field: 'at', problem: 'At lies in the future.' }]
    if (backMs <= MARK_RETENTION_MS) return []
    return [{ field: 'at', problem: 'At lies more than 15 days back; marks are not kept for longer.' }]
  },
  describe: ({ pullZone, text: what }) => `Note for pull zone ${zoneLabel(pullZone)}: ${what}`,
  async run({ pullZone, text: what, at }, running): Promise<MarkRecord> {
    const { store, now, actor, once } = running
    const mark = { id: running.newId(), pullZoneId: String(pullZone.id), at: at ?? now, text: what, by: actor.id }
    const summary = `Noted for pull zone ${pullZone.id} at ${mark.at.toISOString()}: ${what}`
    await store.marks.add(mark, auditEntry('alert_marked', 'alerts mark', summary, running), once)
    return mark
  },
  present(mark, { pullZone }) {
    const said = md`Noted for pull zone ${zoneLabel(pullZone)}, ${dateTime(mark.at)}: *${mark.text}*`
    const next = md`It explains misses, bypasses and a lower hit ratio for 15 minutes; what is still bad then fires.`
    return {
      message: wordsMessage([said], { small: [md`${next} · ${code(shortId(mark.id))}`] }),
      buttons: [{ kind: 'page', label: 'Undo', operation: 'alerts unmark', values: { mark: mark.id } }],
    }
  },
})

export const alertsUnmark = defineOperation({
  name: 'alerts unmark',
  summary: 'Take off a mark that was made by mistake',
  verb: 'Remove the mark',
  effect: 'write to the bot',
  audience: 'channel',
  fields: { mark: required(alertIdField({ label: 'Mark', hint: 'The id that the answer to alerts mark shows.' })) },
  positionals: ['mark'],
  examples: ['alerts unmark 0123abcd'],
  describe: ({ mark }) => `Take off mark ${mark}`,
  async run({ mark: id }, running): Promise<MarkRecord> {
    const { store, now, once, alerts } = running
    const from = new Date(now.getTime() - MARK_RETENTION_MS)
    const { found } = byId(id, await store.marks.between({ from, until: now, limit: MAX_LOOKED_AT }))
    const entry = ({ pullZoneId, at, text: what }: MarkRecord) => {
      const summary = `Took off the mark of pull zone ${pullZoneId} at ${at.toISOString()}: ${what}`
      return auditEntry('alert_unmarked', 'alerts unmark', summary, running)
    }
    const gone = found && (await store.marks.remove(found.id, entry, once))
    if (gone === undefined)
      throw new UserError('invalid_input', `No one mark has the id ${id}. Nothing was done.`, 'It may be gone already.')
    alerts.soon()
    return gone
  },
  present({ pullZoneId, text: what }, _, { zones }) {
    const where = subjectWords(pullSubject(pullZoneId), zones)
    return { message: wordsMessage([md`The mark of ${where} is off: *${what}*. It explains nothing any more.`]) }
  },
})
