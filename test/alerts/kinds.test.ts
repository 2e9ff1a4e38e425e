import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { PARAMETER_NAMES } from '../../src/alerts/alert-kind.ts'
import { ALERT_KINDS, alertKind, FORMER_NAMES } from '../../src/alerts/kinds.ts'
import { lived } from './kinds/life-of-kind.ts'

describe('kinds of alert', () => {
  it.each(ALERT_KINDS.map(({ name }) => name))('%s has tests of its own', (name) => {
    expect(readdirSync(new URL('kinds/', import.meta.url))).toContain(`${name}.test.ts`)
  })

  it('are all in the list, each under a name of its own', () => {
    const names = ALERT_KINDS.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    const files = readdirSync(new URL('../../src/alerts/kinds/', import.meta.url))
    // What is no more than a share stands together.
    expect(files.filter((file) => !names.includes(file.replace(/\.ts$/, '')))).toEqual(['shares.ts'])
    expect(ALERT_KINDS.every((kind) => alertKind(kind.name) === kind)).toBe(true)
    expect(alertKind('no-such-kind')).toBeUndefined()
  })

  it('go by what they were called before, and none of these names is another kind now', () => {
    const former = Object.entries(FORMER_NAMES)
    expect(former).toHaveLength(13)
    for (const [name, now] of former) expect([name, alertKind(name)?.name]).toEqual([name, now])
    expect(ALERT_KINDS.filter(({ name }) => name in FORMER_NAMES)).toEqual([])
    expect(alertKind('log-silence')?.subject).toBe('pull')
    expect(alertKind('storage-jump')?.subject).toBe('storage')
  })

  it.each(ALERT_KINDS.map((kind) => [kind.name, kind] as const))('%s declares its parameters whole', (_name, kind) => {
    expect(kind.title.length).toBeLessThanOrEqual(40)
    const names = kind.parameters.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { name, label, meaning, min, max, default: usual } of kind.parameters) {
      expect(PARAMETER_NAMES).toContain(name)
      expect(label.length).toBeLessThanOrEqual(60)
      expect(meaning).toMatch(/\.$/)
      expect(usual).toBeGreaterThanOrEqual(min)
      expect(usual).toBeLessThanOrEqual(max)
    }
  })

  it('begin by nothing where nothing is known', () => {
    for (const kind of ALERT_KINDS) {
      if (kind.subject !== 'pull') continue
      const life = lived({ kind: kind.name, zone: { lines: 9 }, past: 1, minutes: 12, happening: () => ({ read: 0 }) })
      expect([kind.name, life.some(({ firing }) => firing)]).toEqual([kind.name, false])
      if (kind.name === 'cannot-look') continue
      expect(kind.rule({}).sentence({ level: 'no data', facts: {}, seen: { why: 'unread' } })).toMatch(
        /nothing can be said/,
      )
    }
  })
})
