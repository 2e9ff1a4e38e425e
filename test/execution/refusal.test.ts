import { describe, expect, it } from 'vitest'
import { refusal } from '../../src/execution/executor.ts'
import { actor } from '../support/execution-bench.ts'

const denied = { kind: 'deny', reason: 'keys list needs the role operator; yours is viewer.' } as const
const approve = { kind: 'approve', reason: 'It takes somebody else.' } as const

describe('a refusal', () => {
  it('says why, that nothing was done, and who can help', () => {
    const { text, blocks } = refusal(denied, actor('viewer'), ['UADA', 'UBEN'])
    expect(text).toBe(`${denied.reason} Nothing was done. Your role is viewer: listed for a test. An admin can help.`)
    expect(JSON.stringify(blocks)).toContain('An admin can help: <@UADA>, <@UBEN>')
  })

  it('tells somebody without a role which user id the settings would have to name', () => {
    expect(refusal(denied, actor('none', 'U77'), ['UADA']).text).toContain('You are U77: listed for a test.')
  })

  it('sends those to nobody who can have no role', () => {
    const guest = { ...actor('none', 'U77'), roleSource: 'guests have no role', barred: true }
    const { text, blocks } = refusal(denied, guest, ['UADA'])
    expect(text).toBe(
      `${denied.reason} Nothing was done. You are U77: guests have no role. Only full members of this workspace can have a role, so nobody can give you one.`,
    )
    expect(JSON.stringify(blocks)).toContain('so nobody can give you one.')
    expect(JSON.stringify(blocks)).not.toMatch(/UADA|can help/)
  })

  it('names who may do what takes an approval', () => {
    const { text, blocks } = refusal(approve, actor('operator'), ['UADA'])
    expect(text).toMatch(
      /^This may be billed or cannot be undone, so your role cannot start it alone\. Nothing was done\./,
    )
    expect(JSON.stringify(blocks)).toContain('An admin may do it: <@UADA>')
  })

  it('mentions five people at most, since each is notified', () => {
    const admins = Array.from({ length: 8 }, (_, index) => `UADA${index}`)
    const shown = JSON.stringify(refusal(denied, actor('viewer'), admins).blocks)
    expect(shown.match(/<@UA/g)).toHaveLength(5)
    expect(shown).toContain('and 3 more')
  })

  it('says which setting is missing when there is no admin', () => {
    const { text, blocks } = refusal(denied, actor('viewer'), [])
    expect(text).toContain('No admin is configured.')
    expect(JSON.stringify(blocks)).toContain('set ADMINS')
  })
})
