import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ATTACKS } from './attacks.ts'
import { CHANGE_BUGS } from './change-bugs.ts'

const ROOT = new URL('../../..', import.meta.url).pathname

/** Those that have to have a seeded bug, and those that may do without. */
const P0 = 'X1 X2 X3 X4 X6 X7 X8 X10 A1 A2 A3 A4 A5 A6 A7 S1 S2 S3 S4 K1 K2 K3 K4 K6 N1 N2 N3 N4'.split(' ')
const P1 = 'X5 X9 X11 A8 A9 A10 A11 S5 S6 S7 K5 K7 K8 N5 N6 N7 N8'.split(' ')

const proofs = ATTACKS.flatMap(({ id, proofs: each }) => each.map((proof) => ({ id, ...proof })))
const controls = proofs.flatMap(({ id, bugs }) => bugs.map((each) => ({ id, ...each })))
const mistakes = CHANGE_BUGS.map(({ id }) => id)

describe('the table of attacks', () => {
  it('has each of them once', () => {
    expect(ATTACKS.map(({ id }) => id).toSorted()).toEqual([...P0, ...P1, ...mistakes].toSorted())
    expect(new Set(mistakes).size).toBe(mistakes.length)
  })

  it.each(proofs)('$id names a test that there is: $test', ({ file, test }) => {
    const path = join(ROOT, file)
    expect(existsSync(path)).toBe(true)
    expect(file).toMatch(/\.test\.ts$/)
    expect(readFileSync(path, 'utf8')).toContain(test)
  })

  it.each([...P0, ...mistakes])('%s has a control', (id) => {
    expect(controls.map((control) => control.id)).toContain(id)
  })

  it.each(controls)('$id is without its defence where “$from” goes', ({ file, from, to }) => {
    expect(readFileSync(join(ROOT, file), 'utf8').split(from)).toHaveLength(2)
    expect(to).not.toBe(from)
  })
})
