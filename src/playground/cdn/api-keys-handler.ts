import type { Answer, Call } from './handler.ts'
import { QueryReader } from './query-reader.ts'
import { invalidField } from './refusal.ts'

const MAX_PAGE = 2_147_483_647
const MAX_PER_PAGE = 1_000

/** Serves the account's keys, values in clear as the platform does. A page past the last is empty. */
export function listApiKeys({ query, world }: Call<'listApiKeys'>): Answer<'listApiKeys'> {
  const reader = new QueryReader(query, ['page', 'perPage'])
  const page = reader.whole('page', { standard: 1, min: 1, max: MAX_PAGE })
  const perPage = reader.whole('perPage', { standard: MAX_PER_PAGE, min: 5, max: MAX_PER_PAGE })
  const [problem] = reader.problems
  if (problem !== undefined) throw invalidField(problem.field, problem.message)

  const keys = world.apiKeys
  const items = keys.slice((page - 1) * perPage, page * perPage).map(({ id, value, roles }) => ({
    Id: id,
    Key: value,
    Roles: roles === null ? null : [...roles],
  }))
  return {
    status: 200,
    body: { Items: items, CurrentPage: page, TotalItems: keys.length, HasMoreItems: page * perPage < keys.length },
  }
}
