import { beforeAll, describe, expect, test } from 'vitest'
import { runCell } from './cell-run.ts'
import { CERTIFICATE_FAULTS, trustTable } from './certificate-faults.ts'
import { cellsOf } from './fault.ts'

beforeAll(trustTable)

describe('the certificate', () => {
  test.each(cellsOf(CERTIFICATE_FAULTS).map((cell) => [cell.name, cell] as const))('%s', async (_, cell) => {
    expect(await runCell(cell)).toEqual(cell.fault.name)
  })
})
