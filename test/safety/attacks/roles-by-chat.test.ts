import { expect, it } from 'vitest'
import { OPERATIONS } from '../../../src/operations/index.ts'
import { sourceFiles } from '../../support/source-imports.ts'

const SOURCES = new URL('../../../src/', import.meta.url).pathname
const RIGHTS = /role|admin|operator|viewer|polic|quorum|approv|member|group|break.?glass/i
const WRITES_FILES = /\b(writeFile|appendFile|createWriteStream|copyFile|rename)(Sync)?\(/

it('nothing that can be asked for changes who may do what', () => {
  expect(OPERATIONS.length).toBeGreaterThan(10)
  const words = OPERATIONS.flatMap(({ name, fields }) => [
    name,
    ...Object.keys(fields).map((field) => `${name} ${field}`),
  ])
  // The roles of the platform's own keys, by which a list is narrowed.
  expect(words.filter((word) => RIGHTS.test(word))).toEqual(['keys list role'])
})

it('what says who may do what is a file, and the bot writes none where people are heard', () => {
  const files = sourceFiles(SOURCES).filter(({ path }) => /^(operations|execution|slack)\//.test(path))
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter(({ code }) => WRITES_FILES.test(code)).map(({ path }) => path)).toEqual([])
})
