import { expect, it } from 'vitest'
import { OPERATIONS } from '../../../src/operations/index.ts'
import { EXAMPLES } from '../../../src/playground/page/regions.ts'

it.each(EXAMPLES)('offers an example of an operation that exists: %s', (example) => {
  expect(OPERATIONS.filter(({ name }) => `${example} `.startsWith(`/cdn ${name} `))).toHaveLength(1)
})

it.each(EXAMPLES)('offers an example that others than admins may use: %s', (example) => {
  const operation = OPERATIONS.find(({ name }) => `${example} `.startsWith(`/cdn ${name} `))
  expect(operation?.minimumRole).not.toBe('admin')
})
