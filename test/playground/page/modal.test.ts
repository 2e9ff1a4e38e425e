import { describe, expect, it } from 'vitest'
import { modalHtml } from '../../../src/playground/page/regions.ts'
import type { ShownView } from '../../../src/playground/slack/shown.ts'
import { input, section, textInput } from '../slack/sample-blocks.ts'
import { blocksOf, harmIn, HOSTILE, reader, tagsOf, textOf } from './page-markup.ts'

const view: ShownView = {
  id: 'V1',
  type: 'modal',
  callbackId: 'form',
  title: 'Add a record',
  submit: 'Review',
  close: 'Cancel',
  blocks: blocksOf(section('intro'), input(textInput({ action_id: 'a' }), { block_id: 'name' })),
  values: { name: { a: { type: 'plain_text_input', value: 'www' } } },
  errors: { name: 'That name is taken.' },
}
const acts = (markup: ReturnType<typeof modalHtml>) =>
  tagsOf(markup).flatMap(({ attributes }) => attributes['data-act'] ?? [])

describe('a modal', () => {
  it('is a dialog with a name, in front of everything else', () => {
    const markup = modalHtml(view, reader)
    const dialog = tagsOf(markup).find(({ name }) => name === 'dialog')
    expect(dialog?.attributes).toMatchObject({ 'data-view': 'V1' })
    expect(tagsOf(markup).find(({ name }) => name === 'h2')?.attributes['id']).toBe(
      dialog?.attributes['aria-labelledby'],
    )
  })

  it('shows what is entered and what is wrong with it', () => {
    const markup = modalHtml(view, reader)
    expect(tagsOf(markup).find(({ name }) => name === 'input')?.attributes['value']).toBe('www')
    expect(textOf(markup)).toContain('That name is taken.')
  })

  it('has the buttons the app gave it, and always a way out', () => {
    expect(acts(modalHtml(view, reader))).toEqual(['close', 'close', 'submit'])
    expect(acts(modalHtml({ ...view, submit: undefined, close: undefined }, reader))).toEqual(['close'])
    expect(textOf(modalHtml({ ...view, close: undefined }, reader))).toContain('Cancel')
  })

  it.each(HOSTILE)('does no harm with %s', (_name, text) => {
    const errors = { name: text }
    const values = { name: { a: { type: 'plain_text_input', value: text } } }
    expect(harmIn(modalHtml({ ...view, title: text, submit: text, close: text, errors, values }, reader))).toEqual([])
  })
})
