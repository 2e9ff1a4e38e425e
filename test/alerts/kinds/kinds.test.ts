import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { PARAMETER_NAMES } from '../../../src/alerts/kinds/alert-kind.ts'
import { ALERT_KINDS, findAlertKind, FORMER_NAMES } from '../../../src/alerts/kinds/kinds.ts'
import { lived } from './life-of-kind.ts'

describe('kinds of alert', () => {
  it.each(ALERT_KINDS.map(({ name }) => name))('%s has tests of its own', (name) => {
    expect(readdirSync(new URL('./', import.meta.url))).toContain(`${name}.test.ts`)
  })

  it('are all in the list, each under a name of its own', () => {
    const names = ALERT_KINDS.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    const files = readdirSync(new URL('../../../src/alerts/kinds/', import.meta.url))
    const shared = ['alert-kind.ts', 'current-rules.ts', 'kinds.ts', 'traffic-kind.ts']
    expect(files.filter((file) => !names.includes(file.replace(/\.ts$/, ''))).toSorted()).toEqual(shared)
    expect(ALERT_KINDS.every((kind) => findAlertKind(kind.name) === kind)).toBe(true)
    expect(findAlertKind('no-such-kind')).toBeUndefined()
  })

  it('go by what they were called before, and none of these names is another kind now', () => {
    const former = Object.entries(FORMER_NAMES)
    expect(former).toHaveLength(13)
    for (const [name, now] of former) expect([name, findAlertKind(name)?.name]).toEqual([name, now])
    expect(ALERT_KINDS.filter(({ name }) => name in FORMER_NAMES)).toEqual([])
    expect(findAlertKind('log-silence')?.subject).toBe('pull')
    expect(findAlertKind('storage-jump')?.subject).toBe('storage')
  })

  it.each(ALERT_KINDS.map((kind) => [kind.name, kind] as const))('%s declares its parameters whole', (_name, kind) => {
    expect(kind.title.length).toBeLessThanOrEqual(40)
    const names = kind.parameters.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { name, label, meaning, min, max, default: standard } of kind.parameters) {
      expect(PARAMETER_NAMES).toContain(name)
      expect(label.length).toBeLessThanOrEqual(60)
      expect(meaning).toMatch(/\.$/)
      expect(standard).toBeGreaterThanOrEqual(min)
      expect(standard).toBeLessThanOrEqual(max)
    }
  })

  it('begin by nothing where nothing is known', () => {
    for (const kind of ALERT_KINDS) {
      if (kind.subject !== 'pull') continue
      const life = lived({ kind: kind.name, zone: { lines: 9 }, past: 1, minutes: 12, happening: () => ({ read: 0 }) })
      expect([kind.name, life.some(({ firing }) => firing)]).toEqual([kind.name, false])
      if (kind.name === 'cannot-look') continue
      const unread = kind.sentence({ level: 'no data', facts: {}, seen: { why: 'unread' } })
      expect(unread).toMatch(/nothing can be said/)
    }
  })
})
