import { describe, expect, it } from 'vitest'
import { OPS, VERA } from '../../../../src/playground/slack/state/seed.ts'
import { actions, button, chars, input, modal, plain, section, textInput, times, type Piece } from '../sample-blocks.ts'
import { scene, type Scene } from '../scripted-app.ts'

const error = (code: string) => expect.objectContaining({ ok: false, error: code })
const view = (over: Piece = {}): Piece => modal([{ ...actions(button()), block_id: 'row' }], over)

/** Opens a modal for Vera as a command would and returns it as the answer shows it. */
async function opened({ call, person, received }: Scene, given: Piece = view()): Promise<Piece> {
  await person(VERA).command(OPS, '/cdn')
  return call('views.open', { trigger_id: received.at(-1)?.['trigger_id'], view: given })['view'] as Piece
}

describe('views.open', () => {
  it('takes a trigger once', async () => {
    const on = scene()
    await on.person(VERA).command(OPS, '/cdn')
    const trigger_id = on.received[0]?.['trigger_id']
    expect(on.call('views.open', { trigger_id, view: view() })).toMatchObject({
      ok: true,
      view: { type: 'modal', hash: expect.any(String), state: { values: {} } },
    })
    expect(on.call('views.open', { trigger_id, view: view() })).toEqual(error('exchanged_trigger_id'))
  })

  it('takes a trigger for three seconds and no longer', async () => {
    const on = scene()
    await on.person(VERA).command(OPS, '/cdn')
    await on.person(VERA).command(OPS, '/cdn')
    const [early, late] = on.received.map((payload) => payload['trigger_id'])
    on.clock.turn(3_000)
    expect(on.call('views.open', { trigger_id: early, view: view() })).toMatchObject({ ok: true })
    on.clock.turn(1)
    expect(on.call('views.open', { trigger_id: late, view: view() })).toEqual(error('expired_trigger_id'))
    expect(on.call('views.open', { trigger_id: '1.2.3', view: view() })).toEqual(error('invalid_trigger_id'))
    expect(on.call('views.open', { view: view() })).toEqual(error('invalid_trigger_id'))
  })

  it('says what is wrong with a view the way Slack does, and leaves the trigger good', async () => {
    const on = scene()
    await on.person(VERA).command(OPS, '/cdn')
    const trigger_id = on.received[0]?.['trigger_id']
    expect(on.call('views.open', { trigger_id, view: view({ title: plain(chars(25)) }) })).toEqual({
      ok: false,
      error: 'invalid_arguments',
      response_metadata: {
        messages: [
          '[ERROR] failed to match all allowed schemas [json-pointer:/view]',
          expect.stringContaining('[json-pointer:/view/title/text]'),
        ],
      },
    })
    const large = modal(times(90, () => section(chars(2_900))))
    expect(on.call('views.open', { trigger_id, view: large })).toEqual(error('view_too_large'))
    expect(on.call('views.open', { trigger_id, view: view() })).toMatchObject({ ok: true })
  })
})

describe('views.update', () => {
  it('keeps what was entered where block id, action id and kind stay, and only there', async () => {
    const on = scene()
    const field = (block_id: string, over: Piece = {}) => input(textInput(over), { block_id, optional: true })
    const { id } = await opened(on, modal([field('kept'), field('renamed')]))
    await on.person(VERA).choose('kept', 'typed')
    await on.person(VERA).choose('renamed', 'typed')
    on.call('views.update', {
      view_id: id,
      view: modal([field('kept', { initial_value: 'given' }), field('other', { initial_value: 'given' })]),
    })
    expect(on.person(VERA).view()?.values).toEqual({
      kept: { value: { type: 'plain_text_input', value: 'typed' } },
      other: { value: { type: 'plain_text_input', value: 'given' } },
    })
  })

  it('changes the hash every time and refuses an old one', async () => {
    const on = scene()
    const { id, hash } = await opened(on)
    const { view: second } = on.call('views.update', { view_id: id, hash, view: view() })
    expect((second as Piece)['hash']).not.toBe(hash)
    expect(on.call('views.update', { view_id: id, hash, view: view() })).toEqual(error('hash_conflict'))
    expect(on.call('views.update', { view_id: id, view: view({ title: plain('New') }) })).toMatchObject({ ok: true })
    expect(on.person(VERA).view()?.title).toBe('New')
  })

  it('finds a view by the name the app gave it, until it is closed', async () => {
    const on = scene()
    await opened(on, view({ external_id: 'mine' }))
    expect(on.call('views.update', { external_id: 'mine', view: view({ external_id: 'mine' }) })).toMatchObject({
      ok: true,
    })
    await on.person(VERA).closeView()
    expect(on.call('views.update', { external_id: 'mine', view: view() })).toEqual(error('not_found'))
    expect(on.call('views.update', { view: view() })).toEqual(error('invalid_arguments'))
  })
})
