import { describe, expect, it } from 'vitest'
import { VERA } from '../../../src/playground/slack/seed.ts'
import { field, lastView, openForm } from './open-form.ts'
import { option, plain, select } from './sample-blocks.ts'
import type { Received, Script } from './scripted-app.ts'

describe('An input that dispatches', () => {
  const types = select({ action_id: 'type', options: [option('A'), option('MX')] })

  it('tells the app what was chosen, once, with all values and no response_url', async () => {
    const on = await openForm([field('type', types, { dispatch_action: true }), field('name')])
    await on.person(VERA).choose('name', 'www')
    await on.person(VERA).choose('type', 'MX')
    await on.person(VERA).choose('type', 'MX')
    expect(on.received).toHaveLength(2)
    expect(on.received[1]).toMatchObject({
      type: 'block_actions',
      actions: [{ action_id: 'type', block_id: 'type', selected_option: { value: 'MX' } }],
      view: { hash: expect.any(String), state: { values: { name: { value: { value: 'www' } } } } },
    })
    expect(on.received[1]).not.toHaveProperty('response_url')
  })
})

describe('An external select', () => {
  const zones = { type: 'external_select', action_id: 'zone', min_query_length: 0 }
  const offer: Script = (payload) =>
    payload['type'] === 'block_suggestion' ? { options: [option('17', { text: plain('shop') })] } : {}

  it('asks the app and offers what it answers', async () => {
    const on = await openForm([field('zone', zones)], offer)
    expect(await on.person(VERA).suggest('zone', 'zone', 'sh')).toEqual({
      ok: true,
      options: [option('17', { text: plain('shop') })],
    })
    expect(on.received.at(-1)).toMatchObject({
      type: 'block_suggestion',
      action_id: 'zone',
      block_id: 'zone',
      value: 'sh',
    })
    await on.person(VERA).submit({ zone: 'shop' })
    expect(lastView(on)['state']).toMatchObject({ values: { zone: { zone: { selected_option: { value: '17' } } } } })
    expect(on.received).toHaveLength(3)
  })

  it('asks nothing before enough was typed', async () => {
    const on = await openForm([field('zone', { ...zones, min_query_length: 2 })], offer)
    expect(await on.person(VERA).suggest('zone', 'zone', 's')).toMatchObject({
      ok: false,
      shown: expect.stringContaining('2'),
    })
    expect(on.received).toHaveLength(1)
  })

  it.each<[string, Received | 'silence']>([
    ['nothing', {}],
    ['too many', { options: Array.from({ length: 101 }, (_, i) => option(`${i}`)) }],
    ['groups of options', { option_groups: [] }],
  ])('shows a problem when the app answers %s', async (_what, answer) => {
    const on = await openForm([field('zone', zones)], () => answer)
    expect(await on.person(VERA).suggest('zone', 'zone')).toMatchObject({ ok: false })
  })
})
