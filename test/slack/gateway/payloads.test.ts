import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { BlockActions, BlockSuggestion, CommandPayload, ViewSubmission } from '../../../src/slack/gateway/payloads.ts'

const USER = { id: 'U0123456789', team_id: null }
const VIEW = { id: 'V1', callback_id: 'form', hash: '1764000000.aBcDeF12' }
const ACTION = { action_id: 'value', block_id: 'name' }

const WELL_FORMED = [
  {
    name: 'a cleared input',
    schema: BlockActions,
    body: { user: USER, view: VIEW, actions: [{ ...ACTION, value: null }] },
  },
  { name: 'a click without a value', schema: BlockActions, body: { user: USER, channel: null, actions: [ACTION] } },
  {
    name: 'a click in a channel',
    schema: BlockActions,
    body: { user: USER, channel: { id: 'C0123456789' }, actions: [ACTION] },
  },
  { name: 'a submission', schema: ViewSubmission, body: { user: USER, team: null, view: VIEW } },
  { name: 'a closed view', schema: ViewSubmission, body: { user: USER, view: VIEW } },
  { name: 'an open menu', schema: BlockSuggestion, body: { user: USER, block_id: 'storageZone:storage' } },
] as const
const SCHEMAS = [CommandPayload, BlockActions, BlockSuggestion, ViewSubmission]

describe('what Slack sends', () => {
  test.each(WELL_FORMED)('is read with what it leaves out or sends as null: $name', ({ schema, body }) => {
    expect(schema.safeParse({ ...body, something: 'new' })).toMatchObject({ success: true })
  })

  test.each([
    ['no action', { user: USER, actions: [] }],
    ['too many actions', { user: USER, actions: Array.from({ length: 26 }, () => ACTION) }],
    ['a person who is none', { user: { id: 'U1; drop' }, actions: [ACTION] }],
    ['a value no button of ours has', { user: USER, actions: [{ ...ACTION, value: 'x'.repeat(2_001) }] }],
  ])('is refused with %s', (_, body) => {
    expect(BlockActions.safeParse(body).success).toBe(false)
  })

  it('is read or refused whatever it is, and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (odd) => {
        const body = { user: odd, view: odd, actions: [odd], team: odd, value: odd, block_id: odd }
        for (const schema of SCHEMAS) {
          for (const given of [odd, body]) expect(typeof schema.safeParse(given).success).toBe('boolean')
        }
      }),
    )
  })

  it('is read where its state is nested deeper than a stack', () => {
    let state: unknown = 'end'
    for (let depth = 0; depth < 100_000; depth += 1) state = [state]
    const body = { user: USER, view: { ...VIEW, state: { values: state } } }
    expect(ViewSubmission.safeParse(body).success).toBe(true)
  })
})
