import { describe, expect, it } from 'vitest'
import { messageProblems } from '../../src/block-kit/validator.ts'
import { decide } from '../../src/execution/policy.ts'
import type { RawValues } from '../../src/shared/raw-values.ts'
import { help } from '../../src/operations/help.ts'
import { OPERATIONS } from '../../src/operations/index.ts'
import type { CatalogEntry, Operation } from '../../src/operations/operation.ts'
import type { Role } from '../../src/operations/role.ts'
import { whoami } from '../../src/operations/whoami.ts'
import { invocationOf, operationContext } from '../support/operation-context.ts'

function catalogFor(role: Role): readonly CatalogEntry[] {
  return OPERATIONS.map((operation) => ({ operation, decision: decide(role, operation, operation.baseEffect) }))
}

async function ask(operation: Operation, values: RawValues, role: Role = 'operator') {
  const actor = { ...operationContext().actor, role, roleSource: 'listed in OPERATORS', id: 'U222' }
  const context = operationContext({}, { actor, catalog: catalogFor(role), command: '/ops' })
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
    expect(text).toMatch(/^Done at once, with Undo:\n- \/ops zones add <pull\|storage\|dns> <id> <name>: /m)
    expect(said).toContain('/ops dns add 201 A www 192.0.2.10')
    expect(text).not.toContain('Not for your role')
  })

  it('has one line for each operation, so that it is read at a glance', async () => {
    const { text } = await ask(help, {})
    const lines = text.split('\n').filter((line) => line.startsWith('- ') && line.includes(': '))
    expect(lines.map((line) => line.slice('- /ops '.length).split(/ [<[…]|:/)[0])).toEqual(
      expect.arrayContaining(OPERATIONS.map(({ name }) => name)),
    )
    expect(lines).toHaveLength(OPERATIONS.length)
    expect(text).toMatch(/^For example:\n(- \/ops .*\n){5}/m)
  })

  it('offers forms of writes before forms of reads, five at most', async () => {
    const { buttons } = await ask(help, {})
    expect(buttons?.map((each) => each.kind)).toEqual(Array.from({ length: buttons!.length }, () => 'form'))
    expect(buttons!.length).toBeLessThanOrEqual(5)
    expect(buttons?.map(({ label }) => label)).toEqual(
      expect.arrayContaining(['library create …', 'dns add …', 'zones add …', 'zones remove …']),
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
    expect(text).toContain('/ops whoami [operation]')
    expect(text).not.toContain('/ops logs')
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

describe('whoami', () => {
  it('says the role, where it comes from, and what follows for each operation and why', async () => {
    const { text, said } = await ask(whoami, {})
    expect(said).toContain('<@U222>, you have the role *operator*: listed in OPERATORS.')
    expect(text).toMatch(/^Reviewed and confirmed by you first: .*dns add/m)
    expect(text).toMatch(/^Answered at once: .*keys list/m)
    expect(text).toContain('can ask for more than is said here')
    const named = text.split('\n').flatMap((line) => line.split(': ')[1]?.split(', ') ?? [])
    expect(named).toEqual(expect.arrayContaining(OPERATIONS.map(({ name }) => name)))
  })

  it('says what is not allowed, and whom to ask', async () => {
    const { text } = await ask(whoami, {}, 'none')
    expect(text).toContain('you have no role')
    expect(text).toMatch(/^Not allowed, needs the role operator: .*dns add/m)
    const one = await ask(whoami, { operation: 'dns add' }, 'none')
    expect(one.text).toContain('dns add: not allowed. dns add needs the role operator; yours is none.')
    expect(text).toContain('ask whoever runs it')
    expect((await ask(whoami, {}, 'admin')).text).not.toContain('ask whoever runs it')
  })

  it('speaks of one operation, or of those of a noun, when asked', async () => {
    const one = await ask(whoami, { operation: 'dns add' }, 'viewer')
    expect(one.text).toContain('dns add: not allowed.')
    expect(one.text).not.toContain('zones')
    const noun = await ask(whoami, { operation: 'zone' }, 'viewer')
    expect(noun.text.match(/^.*zones .*: /gm)).toHaveLength(3)
    expect(noun.text).toContain('zones list: answered at once.')
  })

  it('refuses words that name no operation', async () => {
    await expect(ask(whoami, { operation: 'dns ad' })).rejects.toMatchObject({
      message: 'There is no operation called dns ad.',
      hint: 'Did you mean dns add?',
    })
    await expect(ask(whoami, { operation: 'coffee' })).rejects.toMatchObject({ hint: 'See what there is: /ops help' })
  })
})
