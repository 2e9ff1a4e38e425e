import { describe, expect, it } from 'vitest'
import { findNamed } from '../../../src/slack/people/named-people.ts'
import { SlackError, type WebApi } from '../../../src/slack/out/web-api.ts'
import { TurnedClock } from '../../support/turned-clock.ts'

const OTTO = { id: 'U0OTTO', name: 'otto', real_name: 'Otto Kimura', profile: { display_name: 'otto.k' } }
const ANN = { id: 'U0ANN', name: 'ann', profile: { real_name: 'Ann Otto' } }
const GONE = { id: 'U0GONE', name: 'gone', deleted: true }
const BOT = { id: 'U0BOT', name: 'robot', is_bot: true }
const SLACKBOT = { id: 'USLACKBOT', name: 'slackbot' }
const GROUPS = [
  { id: 'S0OPS', handle: 'cdn-operators', name: 'CDN operators' },
  { id: 'S0OLD', handle: 'old', name: 'Old', date_delete: 1 },
]

/** A Slack with these pages of people. */
function over(pages: readonly unknown[], groups: () => unknown = () => GROUPS) {
  const asked: unknown[] = []
  const api: Pick<WebApi, 'call'> = {
    async call(_, method, args) {
      asked.push([method, args])
      if (method === 'usergroups.list') return { usergroups: await groups() }
      const page = Number(args['cursor'] ?? 0)
      if (pages[page] instanceof Error) throw pages[page]
      const next = page + 1 < pages.length ? String(page + 1) : ''
      return { members: pages[page], response_metadata: { next_cursor: next } }
    },
  }
  const clock = new TurnedClock()
  const tools = { api: api as WebApi, clock, teamId: undefined } // it calls nothing else
  const find = async (name: string) =>
    (await findNamed(name, tools)).filter(({ isOther }) => isOther !== true).map(({ id }) => id)
  return { find, asked, clock, tools }
}

describe('who bears a name', () => {
  it.each([
    ['otto kimura', ['U0OTTO']],
    ['otto.k', ['U0OTTO']],
    ['otto', ['U0OTTO']],
    ['kimura', []],
    ['ann otto', ['U0ANN']],
    ['cdn operators', ['S0OPS']],
    ['cdn-operators', ['S0OPS']],
    ['gone', []],
    ['robot', []],
    ['slackbot', []],
    ['old', []],
    ['ott', []],
  ])('is found by all of it: %s', async (name, ids) => {
    expect(await over([[OTTO, GONE, BOT, SLACKBOT], [ANN]]).find(name)).toEqual(ids)
  })

  it('is everybody who does, by their handles and never by a name that others may take', async () => {
    const { tools } = over([[OTTO, { ...ANN, real_name: 'Otto Kimura' }]])
    const found = await findNamed('otto kimura', tools)
    expect(found).toEqual([
      { id: 'U0OTTO', name: '@otto' },
      { id: 'U0ANN', name: '@ann' },
    ])
    expect(await findNamed('cdn operators', tools)).toEqual([{ id: 'S0OPS', name: '@cdn-operators' }])
  })

  it('is nobody, and then the groups there are are offered', async () => {
    const { tools } = over([[OTTO, ANN]], () => [
      ...GROUPS,
      ...[1, 2, 3, 4, 5].map((id) => ({ id: `S${id}`, handle: `h${id}` })),
    ])
    expect(await findNamed('on-call', tools)).toEqual(
      [['S0OPS', '@cdn-operators'], ...[1, 2, 3, 4].map((id) => [`S${id}`, `@h${id}`])].map(([id, name]) => ({
        id,
        name,
        isOther: true,
      })),
    )
  })

  it('is whoever has it as their handle, whatever others call themselves', async () => {
    const other = { id: 'U0EVIL', name: 'evil', profile: { display_name: 'otto' } }
    expect(await over([[other, OTTO]]).find('otto')).toEqual(['U0OTTO'])
    expect(await over([[other]]).find('otto')).toEqual(['U0EVIL'])
  })

  it('is found among people where Slack says nothing of groups', async () => {
    const refused = () => {
      throw new SlackError('usergroups.list', 'missing_scope')
    }
    expect(await over([[OTTO]], refused).find('otto')).toEqual(['U0OTTO'])
  })

  it('is nobody where there are more people than are looked through: another one may bear it', async () => {
    const { find, asked } = over([[OTTO], [], [], [], []])
    expect(await find('otto')).toEqual([])
    const people = [undefined, '1', '2', '3'].map((cursor) => [
      'users.list',
      { limit: 500, cursor, team_id: undefined },
    ])
    expect(asked).toEqual(expect.arrayContaining([['usergroups.list', { team_id: undefined }], ...people]))
    expect(asked).toHaveLength(5)
    expect(await over([[OTTO], [], [], []]).find('otto')).toEqual(['U0OTTO'])
  })

  it('is nobody where Slack refuses, or takes too long', async () => {
    expect(await over([new SlackError('users.list', 'missing_scope')]).find('cdn operators')).toEqual([])
    const { find, clock } = over([[OTTO]], () => new Promise(() => undefined))
    const found = find('otto')
    clock.turn(1_199)
    expect(clock.timers).toBe(1)
    clock.turn(1)
    expect(await found).toEqual([])
  })
})
