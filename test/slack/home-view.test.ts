import { describe, expect, it } from 'vitest'
import { viewProblems } from '../../src/block-kit/validator.ts'
import { decide } from '../../src/execution/policy.ts'
import { OPERATIONS } from '../../src/operations/index.ts'
import type { Role } from '../../src/operations/role.ts'
import { type HomeContent, homeView } from '../../src/slack/home-view.ts'
import type { Change } from '../../src/store/change.ts'

const NOW = new Date('2026-11-20T12:00:00Z')

function content(role: Role, more: Partial<HomeContent> = {}): HomeContent {
  return {
    actor: { id: 'U0123456789', team: 'T1', role, roleSource: 'listed somewhere', timeZone: 'UTC' },
    catalog: OPERATIONS.map((operation) => ({ operation, decision: decide(role, operation, operation.baseEffect) })),
    openChanges: [],
    command: '/cdn',
    now: NOW,
    ...more,
  }
}

function change(id: number, sentence: string): Change {
  const at = new Date(NOW.getTime() - id * 60_000)
  return {
    id: String(id).padStart(32, '0'),
    state: 'unknown',
    operation: 'dns add',
    values: {},
    sentence,
    requestedBy: 'U0OLGA0001',
    team: 'T1',
    createdAt: at,
    updatedAt: at,
    expiresAt: at,
  }
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

  it('says when the store does not answer, and when nothing is open', () => {
    expect(JSON.stringify(homeView(content('viewer', { openChanges: undefined })))).toContain('could not be read')
    expect(JSON.stringify(homeView(content('viewer')))).toContain('None, as of')
  })

  it.each(['none', 'viewer', 'operator', 'admin'] as const)('is within the limits of Slack for the role %s', (role) => {
    const openChanges = Array.from({ length: 50 }, (_, index) => change(index, `<!channel> ${'x'.repeat(3_000)}`))
    const view = homeView(content(role, { openChanges }))
    expect(viewProblems(view)).toEqual([])
    expect(JSON.stringify(view)).not.toContain('<!channel>')
  })
})
