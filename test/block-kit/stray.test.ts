import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Block } from '../../src/block-kit/blocks.ts'
import { markupProblems } from '../../src/block-kit/markup-rules.ts'
import { messageProblems } from '../../src/block-kit/validator.ts'
import { hidesSomething } from '../../src/shared/untrusted.ts'

/*
 * A message is looked through as JSON first, and string by string only where that leaves a doubt. Whatever stands in it, the
 * first look must not pass what the second would name.
 */

const PARTS = [
  '&',
  '&lt;',
  '<',
  '>',
  '<@U1234>',
  '<!here>',
  '\\',
  '"',
  '\n',
  '\t',
  '\r',
  '\b',
  '\0',
  '\\u202e',
  'é',
  '漢',
  '🙂',
]
const HIDDEN = ['\u202E', '\u200B', '\u2028', '\u00AD', '\uD800', '\uDC00', '\u0085']
const text = fc.array(fc.oneof(fc.constantFrom(...PARTS, ...HIDDEN), fc.string({ unit: 'binary', maxLength: 3 })), {
  maxLength: 8,
})

const sentences = (blocks: readonly Block[]) => messageProblems({ text: 'x', blocks }).map(({ sentence }) => sentence)

test('a hidden character is found in whatever stands around it', () => {
  fc.assert(
    fc.property(text, (parts) => {
      const cell = { type: 'raw_text', text: `x${parts.join('')}` } as const
      const table: Block = { type: 'data_table', caption: 'c', rows: [[cell], [cell]] }
      expect(sentences([table]).includes('Must not hold a hidden character.')).toBe(hidesSomething(cell.text))
    }),
    { numRuns: 2_000 },
  )
})

test('markup that is not ours is found in whatever stands around it', () => {
  fc.assert(
    fc.property(text, (parts) => {
      const shown = `x${parts.join('')}`
      const section: Block = { type: 'section', text: { type: 'mrkdwn', text: shown, verbatim: true } }
      const named = markupProblems(shown, '').map(({ sentence }) => sentence)
      expect(sentences([section])).toEqual(expect.arrayContaining(named))
    }),
    { numRuns: 2_000 },
  )
})
