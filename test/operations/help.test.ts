import { describe, expect, it } from 'vitest'
import { messageProblems } from '../support/slack-rules.ts'
import { DEFAULT_POLICY, type Policy } from '../../src/execution/policy.ts'
import type { RawValues } from '../../src/shared/raw-values.ts'
import { help } from '../../src/operations/help.ts'
import { OPERATIONS } from '../../src/operations/index.ts'
import type { Operation } from '../../src/operations/operation.ts'
import type { Role } from '../../src/operations/role.ts'
import { invocationOf, operationContext } from '../support/operation-context.ts'
import { catalogFor } from '../support/role-catalog.ts'

interface Surroundings {
  readonly policy?: Policy
  readonly admins?: readonly string[]
}

async function ask(operation: Operation, values: RawValues, role: Role = 'operator', more: Surroundings = {}) {
  const { policy = DEFAULT_POLICY, admins = [] } = more
  const actor = { ...operationContext().actor, role, roleSource: 'listed in OPERATORS', id: 'U222' }
  const context = operationContext({}, { actor, admins, catalog: catalogFor(actor, policy), command: '/ops' })
  const answer = await invocationOf(operation, values).run(context)
  expect(messageProblems(answer.message)).toEqual([])
  const text = answer.message.text.replaceAll('&lt;', '<').replaceAll('&gt;', '>')
  return { ...answer, text, said: JSON.stringify(answer.message.blocks) }
}

describe('help', () => {
  it('shows what this person may do, how it is typed, and what happens then', async () => {
    const { text, said } = await ask(help, {})
    expect(text).toContain('Your role is operator: listed in OPERATORS.')
    expect(text).toContain('/ops dns add <dns-zone>')
    expect(text).toMatch(
      /^Reviewed and confirmed by you first:\n(- .*\n)*- \/ops dns add <.*: Add a record to a DNS zone$/m,
    )
    expect(text).toMatch(/^Done at once, with Undo:\n(- .*\n)*- \/ops zones add <pull\|storage\|dns> <id> <name>: /m)
    expect(said).toContain('/ops dns add 201 A www 192.0.2.10')
    expect(text).toContain('Not for your role: audit, audit verify. Why: /ops whoami.')
  })

  it('has one line for each operation, so that it is read at a glance', async () => {
    const { text } = await ask(help, {}, 'admin')
    const lines = text.split('\n').filter((line) => line.startsWith('- ') && line.includes(': '))
    expect(lines.map((line) => line.slice('- /ops '.length).split(/ [<[…]|:/)[0])).toEqual(
      expect.arrayContaining(OPERATIONS.map(({ name }) => name)),
    )
    expect(lines).toHaveLength(OPERATIONS.length)
    expect(text).not.toContain('Not for your role')
    expect(text).toMatch(/^For example:\n(- \/ops .*\n){5}/m)
  })

  it('offers forms of writes before forms of reads, five at most', async () => {
    const { buttons } = await ask(help, {})
    expect(buttons?.map((each) => each.kind)).toEqual(Array.from({ length: buttons!.length }, () => 'form'))
    expect(buttons!.length).toBeLessThanOrEqual(5)
    expect(buttons?.map(({ label }) => label)).toEqual(
      expect.arrayContaining(['library create …', 'dns add …', 'alerts add …']),
    )
  })

  it('names what the role does not allow, and offers no form for it', async () => {
    const { text, buttons } = await ask(help, {}, 'viewer')
    expect(text).toMatch(/Not for your role: .*keys list.*dns add.*Why: \/ops whoami/)
    expect(text).not.toContain('/ops dns add <')
    expect(JSON.stringify(buttons)).not.toContain('dns add')
  })

  it('tells somebody without a role so, and still shows help and whoami', async () => {
    const { text } = await ask(help, {}, 'none')
    expect(text).toContain('You have no role here')
    expect(text).toContain('/ops help [operation]')
    expect(text).toContain('/ops whoami [person] [operation]')
    expect(text).not.toContain('/ops logs')
    expect(text).toContain('Your Slack id is U222. About a role, ask whoever runs CDN Ops')
    const { said } = await ask(help, {}, 'none', { admins: ['U0ADA', 'U0ABE'] })
    expect(said).toContain('Your Slack id is `U222`. About a role, ask an admin: <@U0ADA>, <@U0ABE>')
    expect((await ask(help, {}, 'viewer')).text).not.toContain('Your Slack id')
  })

  it('does not blame the role for what a rule of the configuration denies here', async () => {
    const rule = { name: 'policies[0]', operations: ['dns add', 'library create'], decision: 'deny' } as const
    const { text } = await ask(help, {}, 'operator', { policy: { ...DEFAULT_POLICY, rules: [rule] } })
    expect(text).toContain('Not for your role: audit, audit verify. Why: /ops whoami.')
    expect(text).toContain('Not now or here: library create, dns add. Why: /ops whoami library create.')
  })

  it('explains one operation with every option, its rule, its role and its examples', async () => {
    const { text, said, buttons } = await ask(help, { operation: 'ZONE adds' })
    expect(text).toContain('zones add: Give a zone a name')
    expect(text).toContain('/ops zones add <pull|storage|dns> <id> <name>')
    expect(text).toContain('For you: done at once, with Undo.')
    expect(text).toContain('least role operator; only you see the answer.')
    expect(text).toContain('- --kind <pull|storage|dns> needed. What the name stands for')
    expect(text).toContain('One of: pull, storage, dns.')
    expect(said).toContain('/ops zones add pull 123456 shop')
    expect(buttons).toEqual([{ kind: 'form', label: 'Open the form', operation: 'zones add', values: {} }])
  })

  it('says how else an operation is typed, where there is another way', async () => {
    expect((await ask(help, { operation: 'keys list' })).text).toContain('Also typed as /ops keys, /ops api keys.')
    expect((await ask(help, { operation: 'zones add' })).text).not.toContain('Also typed as')
  })

  it('says whose approval is asked for, in the list and on the page', async () => {
    const { actor } = operationContext()
    const rule = { name: 'policies[0]', operations: ['dns add'], decision: 'approve' } as const
    const policy = { ...DEFAULT_POLICY, rules: [rule], quorum: { ...DEFAULT_POLICY.quorum, count: 2 } }
    const context = operationContext({}, { catalog: catalogFor(actor, policy) })
    const answer = async (values: RawValues) => (await invocationOf(help, values).run(context)).message.text
    expect(await answer({})).toMatch(/^Takes the approval of 2 operators or admins:\n- \/cdn dns add/m)
    expect(await answer({ operation: 'dns add' })).toContain(
      'For you: takes the approval of 2 operators or admins. The configuration asks for the approval of somebody else (policies[0]).',
    )
  })

  it.each(OPERATIONS.map(({ name }) => name))('has a page for %s that Slack takes', async (name) => {
    for (const role of ['none', 'admin'] as const) {
      const { said } = await ask(help, { operation: name }, role)
      expect(said).toContain(`*${name}*`)
    }
  })

  it('shows all operations of a noun, by its alias the one it runs', async () => {
    const zones = await ask(help, { operation: 'zones' })
    for (const name of ['zones add', 'zones list', 'zones remove']) expect(zones.text).toContain(`/ops ${name}`)
    expect(zones.text).not.toContain('/ops dns add <')
    expect((await ask(help, { operation: 'dns' })).text).toContain('dns add: Add a record')
  })

  it('has no form for what is not allowed, but says why', async () => {
    const { text, buttons } = await ask(help, { operation: 'dns add' }, 'viewer')
    expect(text).toContain('dns add needs the role operator; yours is viewer.')
    expect(buttons).toBeUndefined()
  })

  it('asks what was meant, and shows everything, for words it does not know', async () => {
    const near = await ask(help, { operation: 'dns ad' })
    expect(near.text).toContain('There is nothing called dns ad. Did you mean dns add?')
    const far = await ask(help, { operation: '<!here> `x`' })
    expect(far.text).toMatch(/^There is nothing called .*here.*\. This is what there is:\n/)
    expect(far.said).not.toContain('<!here>')
    expect(far.text).toContain('/ops storage stats')
  })
})
