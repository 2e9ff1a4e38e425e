import { describe, expect, it } from 'vitest'
import type { Role } from '../../src/operations/role.ts'
import { type HomeContent, homeView } from '../../src/slack/home-listener.ts'
import type { Change } from '../../src/store/change.ts'
import { catalogFor } from '../support/role-catalog.ts'
import { sampleChange } from '../support/sample-change.ts'
import { viewProblems } from '../support/slack-rules.ts'

const NOW = new Date('2026-11-20T12:00:00Z')

function content(role: Role, more: Partial<HomeContent> = {}): HomeContent {
  return {
    actor: { id: 'U0123456789', team: 'T1', role, roleSource: 'listed somewhere', groups: [], timeZone: 'UTC' },
    catalog: catalogFor({ role, groups: [] }),
    openChanges: [],
    waiting: [],
    command: '/cdn',
    now: NOW,
    ...more,
  }
}

function change(id: number, sentence: string): Change {
  const at = new Date(NOW.getTime() - id * 60_000)
  return sampleChange({ id: String(id).padStart(32, '0'), state: 'unknown', sentence, createdAt: at })
}

describe('the Home page', () => {
  it('offers the forms of what a role may do, and no others', () => {
    const operator = JSON.stringify(homeView(content('operator')))
    expect(operator).toContain('home:dns add')
    expect(operator).toContain('home:library create')
    const viewer = JSON.stringify(homeView(content('viewer')))
    expect(viewer).toContain('home:storage stats')
    expect(viewer).not.toContain('home:dns add')
  })

  it('tells somebody without a role their id and offers no form', () => {
    const shown = JSON.stringify(homeView(content('none')))
    expect(shown).toContain('You have no role here')
    expect(shown).toContain('U0123456789')
    expect(shown).not.toContain('home:storage stats')
  })

  it('lists what is not settled, ten of it, and counts the rest', () => {
    const openChanges = Array.from({ length: 13 }, (_, index) => change(index, `Add record ${index}.`))
    const shown = JSON.stringify(homeView(content('viewer', { openChanges })))
    expect(shown).toContain('Add record 9.')
    expect(shown).not.toContain('Add record 10.')
    expect(shown).toContain('and 3 more')
  })

  it('begins with what waits for this person, and says where it is decided', () => {
    const waiting = [change(1, 'Add record 1.')]
    const shown = JSON.stringify(homeView(content('operator', { waiting })))
    expect(shown).toContain('Waiting for your approval')
    expect(shown.indexOf('Add record 1.')).toBeLessThan(shown.indexOf('home:dns add'))
    expect(shown).toContain('Approve or decline each under its message')
    expect(JSON.stringify(homeView(content('operator')))).not.toContain('Waiting for your approval')
  })

  it('says when the store does not answer, and when nothing is open', () => {
    expect(JSON.stringify(homeView(content('viewer', { openChanges: undefined })))).toContain('could not be read')
    expect(JSON.stringify(homeView(content('viewer')))).toContain('None, as of')
  })

  it.each(['none', 'viewer', 'operator', 'admin'] as const)('is within the limits of Slack for the role %s', (role) => {
    const openChanges = Array.from({ length: 50 }, (_, index) => change(index, `<!channel> ${'x'.repeat(3_000)}`))
    const view = homeView(content(role, { openChanges, waiting: openChanges }))
    expect(viewProblems(view)).toEqual([])
    expect(JSON.stringify(view)).not.toContain('<!channel>')
  })
})
