import { expect, it } from 'vitest'
import { courseOf } from './flatness.ts'

const sizes = (rss: (index: number) => number) =>
  Array.from({ length: 100 }, (_, index) => ({ rssMb: rss(index), handles: 30 }))

it('what grows all the time is seen to', () => {
  expect(
    courseOf(
      sizes((index) => 100 + index),
      'rssMb',
    ).growth,
  ).toBeGreaterThan(30)
})

it('what grows at the start alone, or for a moment, is flat', () => {
  expect(
    courseOf(
      sizes((index) => Math.min(200, 100 + index * 4)),
      'rssMb',
    ),
  ).toMatchObject({ growth: 0, most: 200 })
  expect(
    courseOf(
      sizes((index) => (index === 90 ? 900 : 100)),
      'rssMb',
    ),
  ).toMatchObject({ growth: 0, most: 900 })
})

it('handles that come and go are counted by themselves', () => {
  expect(
    courseOf(
      sizes(() => 100),
      'handles',
    ),
  ).toEqual({ first: 30, last: 30, most: 30, growth: 0 })
})
