import { describe, expect, it } from 'vitest'
import { OPS, VERA } from '../../../../src/playground/slack/seed.ts'
import { chars, modal, option, section, times } from '../sample-blocks.ts'
import { field, openForm } from '../open-form.ts'
import { scene, type Scene } from '../scripted-app.ts'

const posted = (on: Scene) => on.call('chat.postMessage', { channel: OPS, text: 't' })['ts']

/** A file that is announced and uploaded, and only has to be completed. */
function uploaded(on: Scene): { readonly id: unknown } {
  const { file_id: id } = on.call('files.getUploadURLExternal', { filename: 'a.csv', length: 1 })
  on.parts.files.receive(String(id), Buffer.from('a'))
  return { id }
}

/** What is counted, how much is allowed, a call with just so much of it, and the error for more. */
const LIMITS: readonly (readonly [string, number, (on: Scene, amount: number) => unknown, string])[] = [
  [
    'characters of an edit',
    4_000,
    (on, n) => on.call('chat.update', { channel: OPS, ts: posted(on), text: chars(n) }),
    'msg_too_long',
  ],
  [
    'bytes of an ephemeral message',
    4_000,
    (on, n) => on.call('chat.postEphemeral', { channel: OPS, user: VERA, text: `ü${chars(n - 2)}` }),
    'msg_too_long',
  ],
  [
    'attachments',
    100,
    (on, n) => on.call('chat.postMessage', { channel: OPS, text: 't', attachments: times(n, () => ({})) }),
    'too_many_attachments',
  ],
  [
    'blocks of an edit',
    50,
    (on, n) =>
      on.call('chat.update', { channel: OPS, ts: posted(on), text: 't', blocks: times(n, () => section('s')) }),
    'invalid_blocks',
  ],
  [
    'files at once',
    10,
    (on, n) => on.call('files.completeUploadExternal', { files: times(n, () => uploaded(on)), channel_id: OPS }),
    'invalid_arguments',
  ],
  [
    'blocks of a Home',
    100,
    (on, n) =>
      on.call('views.publish', { user_id: VERA, view: { type: 'home', blocks: times(n, () => section('s')) } }),
    'invalid_arguments',
  ],
  [
    'bytes of a file',
    50_000_000,
    (on, n) => on.call('files.getUploadURLExternal', { filename: 'a.csv', length: n }),
    'file_upload_size_restricted',
  ],
  ['channels a page', 1_000, (on, n) => on.call('conversations.list', { limit: n }), 'invalid_arguments'],
]

describe('A call', () => {
  it.each(LIMITS)('takes %s up to %i and refuses one more', (_what, most, call, error) => {
    expect(call(scene(), most)).toMatchObject({ ok: true })
    expect(call(scene(), most + 1)).toMatchObject({ ok: false, error })
  })

  it('cuts the text of a message at 40,000 characters', () => {
    const on = scene()
    on.call('chat.postMessage', { channel: OPS, text: `${chars(40_000)}y` })
    expect(on.person(VERA).messages(OPS)[0]?.text).toBe(chars(40_000))
  })
})

describe('An answer to a select', () => {
  const zones = { type: 'external_select', action_id: 'zone', min_query_length: 0 }
  const options = (count: number) => times(count, (index) => option(`${index}`))

  it.each([
    ['a hundred options', { options: options(100) }, true],
    ['a hundred and one', { options: options(101) }, false],
  ])('may hold %s: %#', async (_what, answer, ok) => {
    const on = await openForm([field('zone', zones)], () => answer)
    expect(await on.person(VERA).suggest('zone', 'zone')).toMatchObject({ ok })
  })
})

describe('A modal', () => {
  it('that is refused leaves nothing open', async () => {
    const on = await openForm([])
    const before = on.person(VERA).view()
    expect(on.call('views.update', { view_id: before?.id, view: modal(times(101, () => section('s'))) })).toMatchObject(
      {
        error: 'invalid_arguments',
      },
    )
    expect(on.person(VERA).view()).toEqual(before)
  })
})
