import { describe, expect, it, test, vi } from 'vitest'
import { type ApiKey, ApiKeyList } from '../../../src/cdn/contract/api-keys.ts'
import type { Cdn } from '../../../src/cdn/contract/cdn.ts'
import { apiKeys } from '../../../src/operations/keys/keys-list.ts'
import { ask } from '../../support/ask.ts'
import { invocationOf, problemsOf } from '../../support/operation-context.ts'

function keys(from: number, to: number, roles: readonly string[] = ['User']): readonly ApiKey[] {
  return Array.from({ length: to - from + 1 }, (_, index) => ({
    Id: BigInt(from + index),
    redactedKey: '…a1b2',
    Roles: roles,
  }))
}

const SIGNAL: unknown = expect.any(AbortSignal)

/** An account whose keys are served in pages as the platform does. */
function account(all: readonly ApiKey[]) {
  const listApiKeys = vi.fn<Cdn['listApiKeys']>(async ({ page = 1, perPage = 1_000 } = {}) => ({
    Items: all.slice((page - 1) * perPage, page * perPage),
    CurrentPage: page,
    TotalItems: all.length,
    HasMoreItems: page * perPage < all.length,
  }))
  return { listApiKeys }
}

const page = (label: string, number: number, more = {}) => ({
  kind: 'page',
  label,
  values: { page: String(number), ...more },
})

describe('listing API keys', () => {
  it('is a sensitive read for operators, seen by the caller only, and on record', () => {
    expect(apiKeys).toMatchObject({ baseEffect: 'sensitive read', minimumRole: 'operator', audience: 'caller' })
    expect(apiKeys.shareable).toBe(false)
    const sentences = [{}, { role: 'UserApi' }, { id: '7', role: 'User', page: '2' }]
    expect(sentences.map((values) => invocationOf(apiKeys, values).sentence)).toEqual([
      'List the API keys of the account, page 1',
      'List the API keys of the account with the role UserApi, page 1',
      'List the API keys of the account with the role User and the id 7, page 2',
    ])
  })

  it('says how many keys there are of each role, then shows fifty with who may read statistics', async () => {
    const cdn = account([...keys(9_007_199, 9_007_199, ['SubuserDns']), ...keys(2, 2, ['SubuserDns', 'UserApi'])])
    const { rows, text } = await ask(apiKeys, {}, cdn)
    expect(cdn.listApiKeys).toHaveBeenCalledExactlyOnceWith({ page: 1, perPage: 1_000 }, { signal: SIGNAL })
    expect(text.split('\n').slice(0, 6)).toEqual([
      '2 API keys of the account',
      'SubuserDns 2 · UserApi 1',
      'Page 1 of 1',
      'Values are redacted to their last four characters. The CDN does not tell when a key was made or last used.',
      'Of roles the CDN says only which of them read storage statistics, not what else they allow.',
      'Id 9007199, Key …a1b2, Roles SubuserDns, Reads statistics no',
    ])
    expect(rows).toEqual([
      ['9007199', '…a1b2', 'SubuserDns', 'no'],
      ['2', '…a1b2', 'SubuserDns, UserApi', 'yes'],
    ])
  })

  it('names the eight most frequent of thirty roles, keys without one among them, and counts the others', async () => {
    const roles = Array.from({ length: 40 }, (_, index) => `R${index}`)
    const { text } = await ask(apiKeys, {}, account([...keys(1, 1, roles), ...keys(2, 4, ['R28']), ...keys(5, 6, [])]))
    expect(text.split('\n')[1]).toBe('R28 4 · R0 1 · R1 1 · R2 1 · R3 1 · R4 1 · R5 1 · R6 1 · 22 more roles')
    const few = await ask(apiKeys, {}, account([...keys(1, 2, []), ...keys(3, 3, roles.slice(0, 7))]))
    expect(few.text.split('\n')[1]).toBe('no role 2 · R0 1 · R1 1 · R2 1 · R3 1 · R4 1 · R5 1 · R6 1')
  })

  it.each([
    [2_500, '1', /2,500 API keys of the account\nUser 2,500\nPage 1 of 50/, [page('Next', 2)]],
    [2_500, '2', /2,500 API keys of the account\nPage 2 of 50/, [page('Previous', 1), page('Next', 3)]],
    [70, '2', /70 API keys of the account\nPage 2 of 2/, [page('Previous', 1)]],
    [70, '99', /70 API keys of the account\nThere is no page 99, only 2 pages\./, [page('Last page', 2)]],
    [0, '1', /^No API keys that may be listed$/, []],
  ])('of %i keys shows page %s, and leads to those beside it', async (amount, number, sentence, buttons) => {
    const answer = await ask(apiKeys, { page: number }, account(keys(1, amount)))
    expect(answer.text).toMatch(sentence)
    expect(answer.buttons).toEqual(buttons)
  })

  it('shows what is there when the platform leaves everything out', async () => {
    const listApiKeys = async () => ApiKeyList.parse({ Items: [{ Id: null }, {}] })
    const { rows, text, progress } = await ask(apiKeys, {}, { listApiKeys })
    expect(rows).toEqual(Array.from({ length: 2 }, () => ['–', '–', '–', 'no']))
    expect(text).toContain('2 API keys of the account\nno role 2\n')
    expect(progress).toEqual(['Read 2 of 2 keys'])
    const none = await ask(apiKeys, { role: 'a1b2' }, { listApiKeys })
    expect(none.text).toBe('No key has the role a1b2\nOf 2 keys in all.')
    const second = await ask(apiKeys, { page: '2' }, { listApiKeys })
    expect(second.text).toMatch(/^52 API keys of the account\nPage 2 of 2\n/)
    expect(second.buttons).toEqual([page('Previous', 1)])
  })

  it('fits keys with very many roles and says what found no room', async () => {
    const roles = Array.from({ length: 80 }, (_, index) => `Role<!channel>${index}`)
    const { text, rows } = await ask(apiKeys, {}, account(keys(1, 50, roles)))
    expect(rows.length).toBeLessThan(50)
    expect(text).toContain(`${50 - rows.length} keys of this page found no room`)
  })

  it.each(['0', '-1', '2147483648', 'two'])('refuses page %s', (number) => {
    expect(problemsOf(apiKeys, { page: number })).toEqual(['page: Page must be a whole number from 1 to 2147483647.'])
  })
})

test('a next page is offered where the CDN does not say how many keys there are', async () => {
  const some = { Items: keys(1, 50), CurrentPage: 1, TotalItems: undefined, HasMoreItems: true }
  const { buttons } = await ask(apiKeys, { page: '2' }, { listApiKeys: async () => some })
  expect(buttons).toEqual([page('Previous', 1), page('Next', 3)])
})

describe('looking for a role', () => {
  const mixed = [...keys(1, 1_999, ['User']), ...keys(2_000, 2_100, ['Dns', 'UserApi'])]

  it('reads all pages as large as allowed and pages through what it found', async () => {
    const cdn = account(mixed)
    const { text, rows, buttons, progress } = await ask(apiKeys, { role: 'userapi', page: '2' }, cdn)
    expect(cdn.listApiKeys.mock.calls).toEqual(
      [1, 2, 3].map((number) => [{ page: number, perPage: 1_000 }, { signal: SIGNAL }]),
    )
    expect(text).toMatch(
      /^101 keys have the role userapi\nOf 2,100 keys in all.\nPage 2 of 3\nAn id, .* show fewer: \/cdn keys list UserApi\n/,
    )
    expect(rows[0]?.[0]).toBe('2050')
    expect(buttons).toEqual([page('Previous', 1, { role: 'userapi' }), page('Next', 3, { role: 'userapi' })])
    expect(progress).toContain('Read 1000 of 2100 keys')
  })

  it('names the roles it saw when none matches, and leads back from beyond the matches', async () => {
    const none = await ask(apiKeys, { role: 'Root' }, account(mixed))
    expect(none.text).toBe('No key has the role Root\nOf 2,100 keys in all.\nRoles seen: Dns, User, UserApi.')
    expect(none.buttons).toEqual([])
    const beyond = await ask(apiKeys, { role: 'UserApi', page: '9' }, account(mixed))
    expect(beyond.text).toBe('101 keys have the role UserApi\nOf 2,100 keys in all.\nThere is no page 9, only 3 pages.')
    expect(beyond.buttons).toEqual([page('Last page', 3, { role: 'UserApi' })])
  })

  it('finds one key by its id, on whatever page, and says of roles what is known of them', async () => {
    const { text, rows, buttons } = await ask(apiKeys, { id: '2050' }, account(mixed))
    expect(text).toMatch(
      /^1 key has the id 2050\nOf 2,100 keys in all.\nPage 1 of 1\nValues .*\nOf roles .* only which of them read storage/,
    )
    expect(rows).toEqual([['2050', '…a1b2', 'Dns, UserApi', 'yes']])
    expect(buttons).toEqual([])
    const none = await ask(apiKeys, { id: '2050', role: 'User' }, account(mixed))
    expect(none.text).toBe('No key has the role User and the id 2050\nOf 2,100 keys in all.')
  })

  test.each([
    [{ role: 'user' }, '1,999 keys have the role user'],
    [
      { role: 'api' },
      '101 keys have a role with “api” in it\nOf 2,100 keys in all.\nPage 1 of 3\nRoles seen: Dns, User, UserApi.',
    ],
    [{ role: '…a1b2' }, '2,100 keys have a value that ends in a1b2'],
    [{ role: 'a1b2' }, '2,100 keys have a value that ends in a1b2'],
    [{ id: '4158' }, 'No key has the id 4158'],
  ])('finds what comes nearest to %o', async (asked, says) => {
    expect((await ask(apiKeys, asked, account(mixed))).text).toContain(says)
  })

  it('stops after ten pages and says that it did', async () => {
    const cdn = account(keys(1, 12_000, ['UserApi']))
    const { text } = await ask(apiKeys, { role: 'UserApi' }, cdn)
    expect(cdn.listApiKeys).toHaveBeenCalledTimes(10)
    expect(text).toContain('Only the first 10,000 of 12,000 keys were read; there may be more like this.')
    const all = await ask(apiKeys, {}, account(keys(1, 12_000)))
    expect(all.text).toMatch(
      /^12,000 API keys of the account\nUser 10,000\nPage 1 of 240\nOnly the first 10,000 of 12,000 keys were read for these counts\.\n/,
    )
  })

  it('counts a key once, whose page has shifted', async () => {
    const same = { Items: keys(1, 5), CurrentPage: 1, TotalItems: 5, HasMoreItems: true }
    const { text } = await ask(apiKeys, { role: 'User' }, { listApiKeys: async () => same })
    expect(text).toContain('5 keys have the role User\nOf 5 keys')
  })
})
