import { describe, expect, test } from 'vitest'
import { runCell } from './cell-run.ts'
import { cellsOf } from './fault.ts'
import { STATUS_FAULTS } from './status-faults.ts'

describe('the status', () => {
  test.each(cellsOf(STATUS_FAULTS).map((cell) => [cell.name, cell] as const))('%s', async (_, cell) => {
    expect(await runCell(cell)).toEqual(cell.fault.name)
  })
})
