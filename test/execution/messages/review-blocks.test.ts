import { describe, expect, it } from 'vitest'
import { reviewBlocks } from '../../../src/execution/messages/review-blocks.ts'
import type { Review } from '../../../src/operations/declaration/operation.ts'
import type { Effect } from '../../../src/operations/declaration/role.ts'
import { drawn } from '../../support/drawn.ts'

const PLAIN: Review = {
  sentence: 'Add www',
  request: [['Name', 'www']],
  notes: [],
  warnings: [],
  costs: [],
  irreversible: [],
  panel: undefined,
}
const reviewed = (more: Partial<Review>) => drawn({ blocks: reviewBlocks({ ...PLAIN, ...more }, 'write') })
const request = (...values: readonly string[]) =>
  reviewed({ request: values.map((value, index) => [`Field ${index}`, value] as const) }).slice(2)

describe('what is read before a write is confirmed', () => {
  it('is what follows, costs, what cannot be undone, and warnings; then the request, and what was changed in it', () => {
    const texts = { follows: ['First.', 'Then.'], costs: ['Money.'], irreversible: ['For good.'] }
    expect(reviewed({ ...texts, warnings: ['Mind.', 'This.'], notes: ['Lower case.'] })).toEqual([
      'First. Then.',
      ':moneybag: *This costs money*',
      '• Money.',
      ':no_entry: *This cannot be undone*',
      '• For good.',
      ':warning: *Please note*',
      '• Mind.\n• This.',
      'divider',
      '# What will be sent',
      '*Name*\n`www`',
      '*Changed from what was typed*',
      '• Lower case.',
    ])
    expect(reviewed({})).toEqual(['divider', '# What will be sent', '*Name*\n`www`'])
  })

  it('says that it may cost or be for good where neither is known', () => {
    const blocks = (effect: Effect) => drawn({ blocks: reviewBlocks(PLAIN, effect) })
    expect(blocks('billed or irreversible')[0]).toBe(':no_entry: *This may be billed, or cannot be undone.*')
    expect(blocks('write')[0]).toBe('divider')
  })

  it('shows each value as it will be sent: short ones in a row, long ones, and those of several lines, by themselves', () => {
    const [short, long] = ['x'.repeat(150), 'x'.repeat(151)]
    expect(request('a', ' ', short, long, 'b\nc', 'd`e', 'f')).toEqual([
      '*Field 0*\n`a`',
      '*Field 1*\n(empty)',
      `*Field 2*\n\`${short}\``,
      ...[3, 4, 5].flatMap((index) => [`*Field ${index}*`, 'rich_text']),
      '*Field 6*\n`f`',
    ])
  })
})
