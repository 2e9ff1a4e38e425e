import { describe, expect, test } from 'vitest'
import { runCell } from './cell-run.ts'
import { cellsOf } from './fault.ts'
import { NETWORK_FAULTS } from './network-faults.ts'

describe('the connection', () => {
  test.each(cellsOf(NETWORK_FAULTS).map((cell) => [cell.name, cell] as const))('%s', async (_, cell) => {
    expect(await runCell(cell)).toEqual(cell.fault.name)
  })
})
