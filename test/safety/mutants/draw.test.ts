import { expect, it } from 'vitest'
import { drawnLines, drawnOfLines, type Line } from './draw.ts'

const file = (path: string, lines: number) => ({ path, text: 'const a = b && c\n'.repeat(lines) })
const names = (lines: readonly Line[]) => lines.map(({ file: path, line }) => `${path}:${line}`)

it('draws the same lines of the bot for a seed, each once, and none of the emulators or without a sign', () => {
  const files = [file('a.ts', 5), file('playground/b.ts', 5), { path: 'c.ts', text: "import x from 'y && z'\nlet d\n" }]
  const drawn = names(drawnLines(files, 'one', 4))
  expect(new Set(drawn).size).toBe(4)
  expect(drawn.every((name) => name.startsWith('src/a.ts:'))).toBe(true)
  expect(names(drawnLines(files, 'one', 4))).toEqual(drawn)
  expect(names(drawnLines(files, 'one', 9))).toHaveLength(5)
  expect(names(drawnLines(files, 'two', 4))).not.toEqual(drawn)
})

it('takes one of each line, goes on to the next where there is none, and takes the same whatever else is drawn', () => {
  const lines = drawnLines([file('a.ts', 9)], 'one', 9)
  const possible = ({ line }: Line) => (line % 3 === 0 ? [] : Array.from({ length: 9 }, (_, at) => `${line}/${at}`))
  const all = drawnOfLines(lines, possible, { seed: 'one', count: 9 })
  expect(all.map((name) => Number(name.split('/')[0]))).toEqual(lines.flatMap(({ line }) => (line % 3 ? [line] : [])))
  expect(new Set(all.map((name) => name.split('/')[1])).size).toBeGreaterThan(1)
  expect(drawnOfLines(lines, possible, { seed: 'one', count: 4 })).toEqual(all.slice(0, 4))
  expect(drawnOfLines(lines.slice(2), possible, { seed: 'one', count: 9 })).toEqual(
    all.filter((name) => names(lines.slice(2)).includes(`src/a.ts:${name.split('/')[0]}`)),
  )
})
