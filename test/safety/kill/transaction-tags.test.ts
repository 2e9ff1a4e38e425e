import { expect, test } from 'vitest'
import { tagsOf } from './transaction-tags.ts'

test('an entry on record is named by its event, wherever that stands among the columns', () => {
  const sql = 'insert into "audit_entries" ("seq", "at", "event", "hash") values (?, ?, ?, ?)'
  expect(tagsOf(sql, [1, 2, 'sending', 'x'])).toEqual(['sending'])
  expect(tagsOf('insert into "audit_entries" ("event", "seq") values ($1, $2)', ['done', 1])).toEqual(['done'])
})

test.each([
  ['insert into "changes" ("id") values (?)', 'draft'],
  ['update "changes" set "values" = ? where "id" = ?', 'draft_saved'],
  ['update "changes" set "values" = ? where "id" = ? and "state" = ?', 'draft_saved'],
  ['update "changes" set "state" = ?, "revision" = "revision" + ?', 'step'],
  ['update "changes" set "shown_revision" = ?, "message_ts" = ?', 'shown'],
  ['update "changes" set "announcing_until" = $1 where "id" = $2', 'posting'],
  ['insert into "deliveries" ("key") values (?)', 'delivery'],
  ['insert into "alert_watches" ("subject") values (?)', 'look'],
  ['update "alert_watches" set "state" = ?', 'look'],
  ['insert into "outbox" ("id") values (?)', 'message'],
  ['update "outbox" set "held_until" = ?, "again_at" = ?, "attempts" = "attempts" + ?', 'message_claimed'],
  ['update "outbox" set "held_until" = ? where "id" = ?', 'message_put_off'],
  ['delete from "outbox" where "id" = ?', 'message_delivered'],
  ['create table if not exists "kysely_migration" ("name" varchar(255))', 'migration'],
])('%s: %s', (sql, tag) => {
  expect(tagsOf(sql, [])).toEqual([tag])
})

test.each(['select * from "changes"', 'update "audit_head" set "seq" = "seq"', 'begin', ''])(
  '“%s” writes nothing',
  (sql) => {
    expect(tagsOf(sql, [])).toEqual([])
  },
)
