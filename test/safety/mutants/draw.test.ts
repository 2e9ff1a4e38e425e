import { expect, it } from 'vitest'
import type { SourceFile } from '../../support/source-imports.ts'
import { drawnLines } from './draw.ts'

const CODE = `import { a } from 'a'
/** True when x < 1 && y. */
export type Kind = 'some' | 'other'
export function f(x: number): boolean {
  if (x >= 10) return true
  const next = x + 1
  return a(next)
}`
const sources = (path: string, text: string): SourceFile => ({ path, text, code: text, imports: [], packages: [] })
const MANY = [sources('cdn/many.ts', Array.from({ length: 90 }, (_, index) => `f(x > ${index})`).join('\n'))]

it('draws lines in which something is compared or reckoned, of the bot alone', () => {
  const lines = drawnLines([sources('cdn/f.ts', CODE), sources('playground/f.ts', CODE)], '14', 9)
  expect(new Set(lines.map(({ file, line }) => `${file}:${line}`))).toEqual(
    new Set(['src/cdn/f.ts:5', 'src/cdn/f.ts:6']),
  )
})

it('draws the same lines for a seed, each once, and others for another', () => {
  const lines = drawnLines(MANY, '14', 60)
  expect(drawnLines(MANY, '14', 60)).toEqual(lines)
  expect(drawnLines(MANY, '15', 60)).not.toEqual(lines)
  expect(new Set(lines.map(({ line }) => line)).size).toBe(60)
})
