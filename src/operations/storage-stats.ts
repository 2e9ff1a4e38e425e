import { utcDay } from '../cdn/dates.ts'
import { orderIssues } from '../cdn/log-filter.ts'
import type { StorageStatistics } from '../cdn/storage-statistics.ts'
import { defineOperation } from './define-operation.ts'
import { flag, required } from './fields.ts'
import { storageAnswer } from './storage-stats-answer.ts'
import { instant } from './time-field.ts'
import { zone, zoneLabel } from './zone-field.ts'

const fields = {
  storageZone: required(
    zone({ label: 'Storage zone', hint: 'The name or numeric id of a storage zone.', zoneKind: 'storage' }),
  ),
  since: instant({
    label: 'Since',
    hint: 'First day: 2026-11-01, or 14d back from now. Without any range: the last 30 days.',
  }),
  until: instant({ label: 'Until', hint: 'Last day, given like the first; it must lie after it.' }),
  csv: flag({ label: 'CSV file', hint: 'Sends all days as a file to your direct messages.' }),
}

/** Used bytes and number of files of a storage zone by day. */
export const storageStats = defineOperation({
  name: 'storage stats',
  aliases: ['storage'],
  summary: 'Show how much a storage zone holds, by day',
  verb: 'Show statistics',
  effect: 'read',
  minimumRole: 'viewer',
  audience: 'caller',
  shareable: true,
  fields,
  positionals: ['storageZone'],
  form: [
    {
      title: 'Storage statistics',
      intro: 'Used bytes and number of files by day. Without a range, the last 30 days.',
      fields: () => ['storageZone', 'since', 'until', 'csv'],
    },
  ],
  examples: [
    'storage stats 101',
    'storage stats 101 --since 2026-10-01 --until 2026-11-01',
    'storage shop --since 14d --csv',
  ],
  check: ({ since, until }, { now }) => [
    ...orderIssues({ from: since, to: until }).map(({ message }) => ({ field: 'since', problem: message })),
    ...(since !== undefined && since > now ? [{ field: 'since', problem: 'Since lies in the future.' }] : []),
  ],
  describe({ storageZone, since, until }) {
    const range = [since && `since ${utcDay(since)}`, until && `until ${utcDay(until)}`].filter(Boolean).join(' ')
    return `Read the statistics of storage zone ${zoneLabel(storageZone)}, ${range === '' ? 'last 30 days' : range}`
  },
  async run({ storageZone, since, until }, { cdn, signal }): Promise<StorageStatistics> {
    return cdn.getStorageStatistics(storageZone.id, { from: since, to: until }, { signal })
  },
  present: (statistics, input, { panel }) =>
    storageAnswer(statistics, { ...input, panel: panel('storage-zone', input.storageZone.id) }),
})
