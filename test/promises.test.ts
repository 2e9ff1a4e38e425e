import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const PAGE = '.github/docs/promises.md'
const ROW = /^\| ([^|]+) \| `(test\/[^`]+)` \| ([^|]+) \|$/

const lines = readFileSync(PAGE, 'utf8').split('\n')
const rows = lines.flatMap((line) => {
  const [, promise = '', file = '', test = ''] = ROW.exec(line) ?? []
  return promise === '' ? [] : [{ promise, file, test }]
})

it('is each told with the test that shows it', () => {
  const told = lines.filter((line) => line.startsWith('| ') && !/^\| (Promise|---)/.test(line))
  expect(rows.length).toBeGreaterThan(60)
  expect(rows).toHaveLength(told.length)
  expect(new Set(rows.map(({ promise }) => promise)).size).toBe(rows.length)
})

it.each(rows)('$promise', ({ file, test }) => {
  expect(readFileSync(file, 'utf8')).toContain(test)
})
