/** Stands for the tag of every transaction that writes. */
export const ANY_TAG = 'any'

/** What one statement of the store writes, in a word or two: the event it puts on record, or the table it touches. */
export function tagsOf(sql: string, parameters: readonly unknown[]): readonly string[] {
  const [, verb = '', table = ''] =
    /^(insert into|update|delete from|create table)(?: if not exists)? "(\w+)"/.exec(sql) ?? []
  if (verb === 'create table') return ['migration']
  if (table === 'audit_entries') {
    // One statement puts several entries on record.
    const columns = columnsOf(sql)
    const event = columns.indexOf('event')
    return parameters.filter((_, place) => place % columns.length === event).map(String)
  }
  const tag = TABLE_TAGS[table]?.[verb]
  if (tag !== undefined) return [typeof tag === 'string' ? tag : tag(sql)]
  return []
}

type Tag = string | ((sql: string) => string)

/** The first column that an update of a change sets says what it is. */
const CHANGE_UPDATES = [
  ['shown_revision', 'shown'],
  ['announcing_until', 'posting'],
  ['state', 'step'],
] as const

const TABLE_TAGS: Readonly<Record<string, Readonly<Record<string, Tag>>>> = {
  changes: {
    'insert into': 'draft',
    update: (sql) => {
      const [set = ''] = sql.split(' where ')
      return CHANGE_UPDATES.find(([column]) => set.includes(`"${column}" =`))?.[1] ?? 'draft_saved'
    },
    'delete from': 'draft_dropped',
  },
  deliveries: { 'insert into': 'delivery' },
  remembered: { 'insert into': 'remembered', update: 'remembered' },
  // A look moves the watch of its subject on, whatever else it writes.
  alert_watches: { 'insert into': 'look', update: 'look' },
  outbox: {
    'insert into': 'message',
    update: (sql) => (sql.includes('"attempts" = "attempts"') ? 'message_claimed' : 'message_put_off'),
    'delete from': 'message_delivered',
  },
  digests: { update: 'digest_told' },
  answers: { 'insert into': 'answer', 'delete from': 'answer_dropped' },
}

function columnsOf(sql: string): readonly string[] {
  const [, list = ''] = /^insert into "\w+" \(([^)]*)\)/.exec(sql) ?? []
  return list.split(',').map((name) => name.trim().replaceAll('"', ''))
}
