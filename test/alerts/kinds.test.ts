import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { PARAMETER_NAMES } from '../../src/alerts/alert-kind.ts'
import { ALERT_KINDS, alertKind } from '../../src/alerts/kinds.ts'
import { parametersOf } from '../../src/alerts/parameters.ts'
import { observed, seriesOf, TRUSTED } from '../support/minute-lines.ts'

/** What the tests of a kind have to be about, each as a `describe`. */
const SUBJECTS = ['threshold', 'window', 'minimum', 'hysteresis']
const OF_KEYS = ['baseline', 'new', 'gone', 'roles changed', 'incomplete listing']

describe('kinds of alert', () => {
  it.each(ALERT_KINDS.map(({ name }) => name))('%s has tests of its own for all that decides', (name) => {
    const text = readFileSync(new URL(`kinds/${name}.test.ts`, import.meta.url), 'utf8')
    const about = [...text.matchAll(/^describe\('([^']+)'/gm)].map(([, title]) => title)
    expect(about).toEqual(expect.arrayContaining(name === 'api-keys-changed' ? OF_KEYS : SUBJECTS))
    expect(text.match(/^ {2}it\(/gm)?.length).toBeGreaterThanOrEqual(about.length)
  })

  it('are all in the list, each under the name of its file', () => {
    const files = readdirSync(new URL('../../src/alerts/kinds/', import.meta.url))
    expect(ALERT_KINDS.map(({ name }) => `${name}.ts`).sort()).toEqual(files.sort())
    expect(ALERT_KINDS.every((kind) => alertKind(kind.name) === kind)).toBe(true)
    expect(alertKind('no-such-kind')).toBeUndefined()
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

  it('are inhibited by kinds that exist', () => {
    const inhibiting = ALERT_KINDS.flatMap((kind) => (kind.subject === 'pull' ? kind.inhibitedBy : []))
    expect(inhibiting.filter((name) => alertKind(name) === undefined)).toEqual([])
  })

  it('say in a sentence why there is no data where nothing is known', () => {
    const { series, at } = seriesOf({ of: 10, covered: 0 })
    for (const kind of ALERT_KINDS) {
      if (kind.subject !== 'pull' || kind.name === 'poller-health') continue
      const view = { series, at, trust: TRUSTED, firing: false, frozenBaseline: undefined }
      const { level, facts } = observed(kind, view)
      expect([kind.name, level]).toEqual([kind.name, 'no data'])
      expect(facts.sentence).toMatch(/^No data: .+\./)
    }
  })

  it('look no farther back than they say', () => {
    const { series, at } = seriesOf({ of: 5 * 1_440, hit: 90, miss: 10, c2xx: 100 })
    for (const kind of ALERT_KINDS) {
      if (kind.subject !== 'pull') continue
      const parameters = parametersOf(kind, {})
      const { minutes, edges = [] } = kind.reach(parameters)
      const from = at - Math.max(minutes, ...edges)
      const view = { series, at, trust: TRUSTED, firing: false, frozenBaseline: undefined }
      const near = seriesOf({ of: from - series.from, covered: 0 }, { of: at - from, hit: 90, miss: 10, c2xx: 100 })
      expect(observed(kind, { ...view, ...near })).toEqual(observed(kind, view))
    }
  })
})
