import { describe, expect, it, vi } from 'vitest'
import { messageProblems } from '../support/slack-rules.ts'
import { type ApiKey, SentApiKeyList, toApiKeyList } from '../../src/cdn/api-keys.ts'
import type { Cdn } from '../../src/cdn/cdn.ts'
import { apiKeys } from '../../src/operations/api-keys.ts'
import type { RawValues } from '../../src/shared/raw-values.ts'
import { invocationOf, operationContext, problemsOf } from '../support/operation-context.ts'

function keys(from: number, to: number, roles: readonly string[] = ['User']): readonly ApiKey[] {
  return Array.from({ length: to - from + 1 }, (_, index) => ({
    Id: BigInt(from + index),
    redactedKey: '…a1b2',
    Roles: roles,
  }))
}

/** An account whose keys are served in pages as the platform does. */
function account(all: readonly ApiKey[]) {
  return vi.fn<Cdn['listApiKeys']>(async ({ page = 1, perPage = 1_000 } = {}) => ({
    Items: all.slice((page - 1) * perPage, page * perPage),
    CurrentPage: page,
    TotalItems: all.length,
    HasMoreItems: page * perPage < all.length,
  }))
}

async function ask(listApiKeys: Cdn['listApiKeys'], values: RawValues = {}) {
  const progress = vi.fn<(sentence: string) => void>()
  const answer = await invocationOf(apiKeys, values).run(operationContext({ listApiKeys }, { progress }))
  expect(messageProblems(answer.message)).toEqual([])
  const table = answer.message.blocks.find((block) => block.type === 'data_table')
  const rows = table?.rows.slice(1).map((cells) => cells.map(({ text }) => text)) ?? []
  return { ...answer, rows, text: answer.message.text, progress }
}

describe('listing API keys', () => {
  it('is a sensitive read for operators, seen by the caller only', () => {
    expect(apiKeys).toMatchObject({ baseEffect: 'sensitive read', minimumRole: 'operator', audience: 'caller' })
    expect(apiKeys.shareable).toBe(false)
  })

  it('asks for fifty keys and shows id, redacted value, roles and who may read statistics', async () => {
    const list = account([
      ...keys(9_007_199, 9_007_199, ['SubuserDns']),
      ...keys(2, 2, ['SubuserDns', 'SubuserStatistics']),
    ])
    const { rows } = await ask(list)
    expect(list.mock.calls[0]?.[0]).toEqual({ page: 1, perPage: 50 })
    expect(rows).toEqual([
      ['9007199', '…a1b2', 'SubuserDns', 'no'],
      ['2', '…a1b2', 'SubuserDns, SubuserStatistics', 'yes'],
    ])
  })

  it('has buttons to the pages beside it', async () => {
    const { text, buttons } = await ask(account(keys(1, 2_500)), { page: '2' })
    expect(text).toContain('Page 2 of 50: 50 keys; 2,500 keys in all.')
    expect(buttons).toEqual([
      { kind: 'page', label: 'Previous', values: { page: '1' } },
      { kind: 'page', label: 'Next', values: { page: '3' } },
    ])
  })

  it('goes no further than the last page', async () => {
    const { text, buttons } = await ask(account(keys(1, 70)), { page: '2' })
    expect(text).toContain('Page 2 of 2: 20 keys; 70 keys in all, this is the last page.')
    expect(buttons?.map(({ label }) => label)).toEqual(['Previous'])
  })

  it('says when a page lies beyond the end, and leads back', async () => {
    const { text, buttons } = await ask(account(keys(1, 70)), { page: '99' })
    expect(text).toContain('There is no page 99: the account has 70 keys on 2 pages.')
    expect(buttons).toEqual([{ kind: 'page', label: 'Last page', values: { page: '2' } }])
  })

  it('says when the account has none', async () => {
    const { text, buttons } = await ask(account([]))
    expect(text).toContain('The account has no API keys')
    expect(buttons).toEqual([])
  })

  it('shows what is there when the platform leaves everything out', async () => {
    const { rows, text } = await ask(async () => toApiKeyList(SentApiKeyList.parse({ Items: [{ Id: null }] })))
    expect(rows).toEqual([['–', '–', '–', 'no']])
    expect(text).toContain('Page 1: 1 key, this is the last page.')
  })

  it('goes by the number of keys when the platform does not say whether more follow', async () => {
    const { buttons } = await ask(async () =>
      toApiKeyList(SentApiKeyList.parse({ Items: [{ Id: 1 }], TotalItems: 51 })),
    )
    expect(buttons?.map(({ label }) => label)).toEqual(['Next'])
  })

  it('says when the platform sends another page, or more than was asked for', async () => {
    const { text, rows } = await ask(
      async () => ({
        Items: keys(1, 60),
        CurrentPage: 1,
        TotalItems: 60,
        HasMoreItems: false,
      }),
      { page: '2' },
    )
    expect(text).toContain('Page 2 was asked for; the platform says it sent page 1.')
    expect(text).toContain('sent 60 keys where 50 were asked for')
    expect(rows).toHaveLength(60)
  })

  it('fits keys with very many roles and says what found no room', async () => {
    const roles = Array.from({ length: 80 }, (_, index) => `Role<!channel>${index}`)
    const { text, rows } = await ask(account(keys(1, 50, roles)))
    expect(rows.length).toBeLessThan(50)
    expect(text).toContain(`${50 - rows.length} keys of this page found no room`)
  })

  it.each(['0', '-1', '2147483648', 'two'])('refuses page %s', (page) => {
    expect(problemsOf(apiKeys, { page })).toEqual(['page: Page must be a whole number from 1 to 2147483647.'])
  })
})

describe('looking for a role', () => {
  const mixed = [...keys(1, 1_999, ['User']), ...keys(2_000, 2_100, ['UserApi'])]

  it('reads all pages as large as allowed and pages through what it found', async () => {
    const list = account(mixed)
    const { text, rows, buttons, progress } = await ask(list, { role: 'userapi', page: '2' })
    expect(list.mock.calls.map(([page]) => page)).toEqual([1, 2, 3].map((page) => ({ page, perPage: 1_000 })))
    expect(text).toContain('Page 2 of 3: 101 keys have the role userapi, among 2,100 keys looked at.')
    expect(rows[0]?.[0]).toBe('2050')
    expect(buttons).toEqual([
      { kind: 'page', label: 'Previous', values: { page: '1', role: 'userapi' } },
      { kind: 'page', label: 'Next', values: { page: '3', role: 'userapi' } },
    ])
    expect(progress).toHaveBeenCalledWith('Looked at 1000 of 2100 keys')
  })

  it('names the roles it saw when none matches', async () => {
    const { text, buttons } = await ask(account(mixed), { role: 'Root' })
    expect(text).toContain('No key has the role Root, among 2,100 keys looked at.')
    expect(text).toContain('Roles seen: User, UserApi.')
    expect(buttons).toEqual([])
  })

  it('leads back from a page beyond the matches', async () => {
    const { text, buttons } = await ask(account(mixed), { role: 'UserApi', page: '9' })
    expect(text).toContain('There is no page 9: 101 keys have the role UserApi, on 3 pages.')
    expect(buttons).toEqual([{ kind: 'page', label: 'Last page', values: { page: '3', role: 'UserApi' } }])
  })

  it('stops after ten pages and says that it did', async () => {
    const list = account(keys(1, 12_000, ['UserApi']))
    const { text } = await ask(list, { role: 'UserApi' })
    expect(list).toHaveBeenCalledTimes(10)
    expect(text).toContain('The search ended after 10,000 of 12,000 keys')
  })

  it('does not go round in circles when pages stay empty, or repeat', async () => {
    const empty = vi.fn<Cdn['listApiKeys']>(async () => toApiKeyList(SentApiKeyList.parse({ HasMoreItems: true })))
    await ask(empty, { role: 'User' })
    expect(empty).toHaveBeenCalledTimes(1)
    const same = account(keys(1, 5))
    same.mockImplementation(async () => ({ Items: keys(1, 5), CurrentPage: 1, TotalItems: 5, HasMoreItems: true }))
    const { text } = await ask(same, { role: 'User' })
    expect(same).toHaveBeenCalledTimes(10)
    expect(text).toContain('5 keys have the role User, among 5 keys')
  })
})

it('says in the audit log what is listed', () => {
  expect(invocationOf(apiKeys, { role: 'UserApi' }).sentence).toBe(
    'List the API keys of the account with the role UserApi, page 1',
  )
})
