import { expect, test } from 'vitest'
import { nameZones, type Stage } from '../../src/playground/stage.ts'
import type { AuditEvent } from '../../src/store/audit-entry.ts'

interface Noted {
  readonly operation: string
  readonly event: AuditEvent
}

/** A stage whose bot notes these of each command, the newest first. */
function stageThatNotes(ofCommand: readonly Noted[]): Pick<Stage, 'slack' | 'bot'> {
  const noted: Noted[] = []
  const person = {
    messages: () => noted,
    command: async () => {
      noted.unshift(...ofCommand)
      return { ok: true }
    },
    reload: () => undefined,
  }
  const slack = { person: () => person, until: async () => true }
  const list = async ({ operation, limit }: { readonly operation?: string; readonly limit: number }) =>
    noted.filter((entry) => operation === undefined || entry.operation === operation).slice(0, limit)
  return { slack, bot: { record: { list } } } as unknown as Pick<Stage, 'slack' | 'bot'>
}

const ADDED: Noted = { operation: 'zones add', event: 'zone_added' }

test('zones are named whatever else the bot notes meanwhile', async () => {
  const roles: Noted = { operation: 'configuration', event: 'roles_changed' }
  await expect(nameZones(stageThatNotes([roles, ADDED]))).resolves.toBeUndefined()
})

test.each<[string, readonly Noted[]]>([
  ['nothing', []],
  ['a refusal', [{ operation: 'zones add', event: 'denied' }]],
])('the stage does not open when %s is noted instead of a name', async (_, noted) => {
  await expect(nameZones(stageThatNotes(noted))).rejects.toThrow('The zones could not be named')
})
