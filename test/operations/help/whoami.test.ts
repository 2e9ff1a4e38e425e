import { describe, expect, it } from 'vitest'
import { messageProblems } from '../../support/slack-rules.ts'
import { DEFAULT_POLICY } from '../../../src/execution/policy/policy.ts'
import { OPERATIONS } from '../../../src/operations/index.ts'
import type { OperationContext } from '../../../src/operations/declaration/operation.ts'
import type { Actor } from '../../../src/operations/declaration/role.ts'
import { whoami } from '../../../src/operations/help/whoami.ts'
import { UserError } from '../../../src/shared/errors.ts'
import { parseCommand } from '../../../src/slack/command-text/parse-command.ts'
import { invocationOf, operationContext } from '../../support/operation-context.ts'
import { catalogFor } from '../../support/role-catalog.ts'

const OLGA: Actor = { ...operationContext().actor, id: 'U0OLGA', role: 'operator', roleSource: 'listed in OPERATORS' }

/** The answer to a command as it is typed, for Olga unless it says otherwise. */
async function ask(typed: string, changes: Partial<OperationContext> = {}) {
  const parsed = parseCommand(typed, OPERATIONS)
  if (parsed.kind !== 'operation' || parsed.problems.length > 0) throw new Error(JSON.stringify(parsed))
  const { actor = OLGA } = changes
  const context = operationContext({}, { catalog: catalogFor(actor), command: '/ops', ...changes, actor })
  const invocation = invocationOf(whoami, parsed.values)
  const { message, access } = await invocation.run(context)
  expect(messageProblems(message)).toEqual([])
  return { text: message.text, said: JSON.stringify(message.blocks), invocation, access }
}
const as = (role: Actor['role'], more: Partial<Actor> = {}) => ({ actor: { ...OLGA, role, ...more } })

describe('asking about oneself', () => {
  it('says the role, where it comes from, and what follows for each operation', async () => {
    const { text, said, invocation } = await ask('whoami')
    expect(said).toContain('You are *an operator*, listed in OPERATORS.')
    expect(text).toMatch(/^Reviewed and confirmed by you first: .*dns add/m)
    expect(text).toMatch(/^Answered at once: .*keys list/m)
    expect(text.split('\n').slice(-4)).toEqual([
      'What costs money or cannot be undone may need a second person: its review says so.',
      'Why, for one of them: /ops whoami dns add',
      'To do more, ask whoever runs CDN Ops.',
      'U0OLGA, your Slack id, goes into VIEWERS, OPERATORS or ADMINS in the settings.',
    ])
    const named = text.split('\n').flatMap((line) => line.split(': ').at(-1)?.split(', ') ?? [])
    expect(named).toEqual(expect.arrayContaining(OPERATIONS.map(({ name }) => name)))
    expect([invocation.effect, invocation.minimumRole]).toEqual(['read', 'none'])
  })

  it('says what is not allowed, and whom to ask', async () => {
    const { text } = await ask('whoami', as('none'))
    expect(text).toContain('You have no role here: listed in OPERATORS.')
    expect(text).toMatch(/^Not allowed, needs the role operator: .*dns add/m)
    const one = await ask('whoami dns add', as('none'))
    expect(one.text).toContain('dns add: not allowed. Only operators and admins can use dns add; you have no role.')
    expect(text).toContain('No admin is set yet: whoever runs CDN Ops puts U0OLGA')
    const { said } = await ask('whoami', { ...as('none'), admins: ['U0ADA'] })
    expect(said).toContain('Ask an admin for one: <@U0ADA>')
    expect((await ask('whoami', { ...as('none'), admins: ['U0ADA'] })).access).toBe('status')
    expect((await ask('whoami dns add', { ...as('viewer'), admins: ['U0ADA'] })).access).toBe('dns add')
    expect((await ask('whoami', { ...as('viewer'), admins: ['U0ADA'] })).access).toBeUndefined()
    const guest = await ask('whoami', { ...as('none', { barred: true }), admins: ['U0ADA'] })
    expect(guest.text).toContain('Only full members of this workspace can have a role, so nobody can give you one.')
    expect(guest.said).not.toMatch(/U0ADA|ask an admin|Slack id/)
    expect(guest.access).toBeUndefined()
    expect((await ask('whoami', { ...as('viewer'), admins: ['U0ADA'] })).said).toContain('To do more, ask <@U0ADA>.')
    expect((await ask('whoami', as('admin'))).text).not.toMatch(/To do more|Slack id/)
    expect(said).toContain('`U0OLGA`, your Slack id, goes into')
  })

  it('names the first twenty of other user groups', async () => {
    const groups = Array.from({ length: 21 }, (_, index) => `S0NET${index}`)
    const { said } = await ask('whoami', as('operator', { groups }))
    expect(said.match(/<!subteam\^S0NET\d+>/g)).toEqual(groups.slice(0, 20).map((id) => `<!subteam^${id}>`))
  })

  it('names user groups, and what bars writing though the role would allow it', async () => {
    const stale = {
      roleSource: 'through a user group',
      roleGroup: 'S0OPS',
      groups: ['S0NET', 'S0OPS'],
      writesBarred: 'Slack has not said for 14 minutes who is in its user groups.',
    }
    const { text, said } = await ask('whoami', as('operator', stale))
    expect(said).toContain('You are *an operator*, through <!subteam^S0OPS>.\\nAlso in <!subteam^S0NET>.')
    expect(text).toContain('Only reading goes now. Slack has not said for 14 minutes')
    expect(text).toMatch(/^Not allowed now or here: .*dns add/m)
    expect((await ask('whoami dns add', as('operator', stale))).text).toContain(
      'dns add: not allowed. Slack has not said for 14 minutes who is in its user groups.',
    )
  })

  it('gives the rule of the configuration, and every quorum that has to be met', async () => {
    const quorum = { count: 2, roles: ['admin'], groups: ['S0NET'] } as const
    const rule = {
      name: 'policies[0]',
      operations: ['dns add'],
      decision: 'approve',
      quorum,
      reason: 'DNS takes two.',
    } as const
    const policy = { ...DEFAULT_POLICY, breakGlassGroups: ['S0OPS'], rules: [rule] }
    const { actor } = as('operator', { groups: ['S0OPS'] })
    const { text } = await ask('whoami dns add', { actor, catalog: catalogFor(actor, policy) })
    expect(text).toContain(
      'dns add: takes the approval of 2 admins or members of a user group, or a reason that all admins are told. DNS takes two.',
    )
  })

  it('speaks of one operation, or of those of a noun, when asked', async () => {
    const one = await ask('whoami dns add', as('viewer'))
    expect(one.text).toContain('dns add: not allowed.')
    expect(one.text).not.toMatch(/zones|Why, for one|second person/)
    const noun = await ask('whoami zone', as('viewer'))
    expect(noun.text.match(/^.*zones .*: /gm)).toHaveLength(
      OPERATIONS.filter(({ name }) => name.startsWith('zones ')).length,
    )
    expect(noun.text).toContain('zones list: answered at once.')
  })

  it('refuses words that name no operation', async () => {
    await expect(ask('whoami dns ad')).rejects.toMatchObject({
      message: 'There is no command dns ad.',
      hint: 'Did you mean /ops whoami dns add?',
    })
    await expect(ask('whoami coffee')).rejects.toMatchObject({ hint: 'See /ops help.' })
  })
})

describe('asking about somebody else', () => {
  const through = { roleSource: 'through a user group', roleGroup: 'S0VIEW', groups: ['S0VIEW'] }
  const otto: Actor = { ...OLGA, id: 'U0OTTO', role: 'viewer', ...through }
  const lookUp = async () => ({ actor: otto, catalog: catalogFor(otto) })
  const admin = { ...as('admin'), lookUp }

  it('is for admins, stays a read, and is on record under the id', async () => {
    const { invocation } = await ask('whoami <@U0OTTO|otto>', admin)
    expect([invocation.effect, invocation.minimumRole]).toEqual(['read', 'admin'])
    expect(invocation.sentence).toBe('Show the role of U0OTTO')
  })

  it.each(['whoami <@U0OTTO|otto> dns add', 'whoami U0OTTO dns add', 'whoami @U0OTTO dns add'])(
    'says their role and their rule: %s',
    async (typed) => {
      const { text, said } = await ask(typed, admin)
      expect(said).toContain('<@U0OTTO> is *a viewer*, through <!subteam^S0VIEW>.')
      expect(text).toContain('dns add: not allowed. Only operators and admins can use dns add; somebody is a viewer.')
      expect(said).toContain('; <@U0OTTO> is a viewer.')
    },
  )

  it('gives the way to the rule of one operation', async () => {
    const one = await ask('whoami @U0OTTO status', admin)
    expect(one.text).toContain('\nstatus: answered at once. The role viewer may do this at once.')
    const { said, text, access } = await ask('whoami @U0OTTO', { ...admin, admins: ['U0ADA'] })
    expect(said).toContain('Why, for one of them: `/ops whoami` <@U0OTTO> `dns add`')
    expect(text).not.toMatch(/by you|you are|To do more/)
    expect(said).toContain('`U0OTTO`, their Slack id, goes into VIEWERS, OPERATORS or ADMINS')
    expect(access).toBeUndefined()
  })

  it('says who has no role, and of whom nobody can give one nothing more', async () => {
    const none: Actor = { ...otto, role: 'none', roleSource: 'nowhere listed', roleGroup: undefined, groups: [] }
    const asked = (typed: string, actor: Actor) =>
      ask(typed, { ...admin, lookUp: async () => ({ actor, catalog: catalogFor(actor) }) })
    const { said } = await asked('whoami @U0OTTO', none)
    expect(said).toContain('<@U0OTTO> has *no role* here: nowhere listed.')
    expect(said).toContain('their Slack id')
    expect((await asked('whoami @U0OTTO dns add', none)).said).toContain('; <@U0OTTO> has no role.')
    expect((await asked('whoami @U0OTTO', { ...none, barred: true })).said).not.toMatch(/Slack id|ask/)
  })

  it('needs no look-up for oneself', async () => {
    expect((await ask('whoami @U0OLGA', as('admin'))).text).toContain('You are an admin')
  })

  it('says so when Slack does not know the person', async () => {
    const unknown = async (): Promise<never> => {
      throw new UserError('not_permitted', 'Slack could not tell who you are.')
    }
    await expect(ask('whoami U0NOBODY', { ...admin, lookUp: unknown })).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'Slack did not say who that is. To CDN Ops, they have no role.',
      hint: "Pick the name from Slack's list after typing @, or ask again in a moment.",
    })
    const busy = async () => Promise.reject(new UserError('busy', 'Later.'))
    await expect(ask('whoami U0NOBODY', { ...admin, lookUp: busy })).rejects.toThrow('Later.')
  })

  it('refuses a name that Slack did not turn into a mention', () => {
    const parsed = parseCommand('whoami @otto dns add', OPERATIONS)
    expect(parsed).toMatchObject({ values: { person: '@otto', operation: 'dns add' } })
    expect(() => invocationOf(whoami, { person: '@otto' })).toThrow('type @ and pick the name')
  })
})
