import { describe, expect, it } from 'vitest'
import type { ZoneKind } from '../../../src/store/schema/tables.ts'
import { messageProblems } from '../../support/slack-rules.ts'
import { DEFAULT_POLICY, type Policy } from '../../../src/execution/policy/policy.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import { help } from '../../../src/operations/help/help.ts'
import { OPERATIONS } from '../../../src/operations/index.ts'
import type { Message } from '../../../src/block-kit/message.ts'
import { parseCommand } from '../../../src/slack/command-text/parse-command.ts'
import type { Operation, OperationContext } from '../../../src/operations/declaration/operation.ts'
import type { Role } from '../../../src/operations/declaration/role.ts'
import { invocationOf, operationContext } from '../../support/operation-context.ts'
import { catalogFor } from '../../support/role-catalog.ts'

type Surroundings = Partial<Pick<OperationContext, 'admins' | 'zones'> & { readonly policy: Policy }>

/** As Slack shows them, buttons aside. */
function linesShown({ blocks }: Message): number {
  const texts = JSON.stringify(blocks.filter(({ type }) => type !== 'actions')).match(/"text":"(?:[^"\\]|\\.)*"/g) ?? []
  return texts.reduce((sum, text) => sum + text.split('\\n').length, 0)
}

async function ask(operation: Operation, values: RawValues, role: Role = 'operator', more: Surroundings = {}) {
  const { policy = DEFAULT_POLICY, admins = [], zones = operationContext().zones } = more
  const actor = { ...operationContext().actor, role, roleSource: 'listed in OPERATORS', id: 'U222' }
  const context = operationContext({}, { actor, admins, zones, catalog: catalogFor(actor, policy), command: '/ops' })
  const answer = await invocationOf(operation, values).run(context)
  expect(messageProblems(answer.message)).toEqual([])
  const text = answer.message.text.replaceAll('&lt;', '<').replaceAll('&gt;', '>')
  return { ...answer, text, said: JSON.stringify(answer.message.blocks) }
}

describe('help', () => {
  it('answers in ten lines: what people come for, as questions with examples that work here', async () => {
    const { text, buttons, message } = await ask(help, {})
    expect(text).toBe(
      [
        'What do you need?',
        'Is it healthy? /ops status shop',
        'What happened last night? /ops history',
        'What goes wrong? /ops logs shop',
        'How full is the storage? /ops storage stats shop',
        'Which API keys are there? /ops keys list',
        'A DNS record is missing? /ops dns add shop A www 192.0.2.10',
        'A new video library? /ops library create Trailers',
        'Hear of trouble in a channel? /ops alerts watch shop',
        'You are an operator: /ops whoami. All options of a command: /ops help logs',
      ].join('\n'),
    )
    expect(linesShown(message)).toBeLessThanOrEqual(10)
    expect(buttons).toEqual([{ kind: 'page', label: 'More commands', values: { operation: 'more' } }])
  })

  it.each(['viewer', 'operator', 'admin'] as const)(
    'offers a %s only what they may do, each example as typed',
    async (role) => {
      const { text, message } = await ask(help, {}, role)
      expect(linesShown(message)).toBeLessThanOrEqual(10)
      const typed = text.match(/(?<=\? \/ops ).*/g) ?? []
      expect(typed.length).toBe(role === 'viewer' ? 4 : 8)
      const understood = { kind: 'operation', problems: [] }
      for (const each of typed)
        expect(parseCommand(each, OPERATIONS, operationContext().zones)).toMatchObject(understood)
      expect(text).not.toMatch(/[Nn]ot for|may not/)
    },
  )

  it('leaves room in its examples where no zone has a name', async () => {
    const { text } = await ask(help, {}, 'operator', { zones: [] })
    expect(text).toContain('/ops dns add <dns-zone> A www 192.0.2.10')
    expect(text).toContain('/ops status <pull-zone>')
  })

  it('names zones that there are in the examples of a command, of the kind that each is about', async () => {
    const zone = (kind: ZoneKind, name: string) => ({ kind, name, zoneId: '7' })
    const zones = [zone('storage', 'files'), zone('pull', 'site'), zone('dns', 'home')]
    const examples = async (operation: string) =>
      (await ask(help, { operation }, 'operator', { zones })).text.match(/(?<=^Example: \/ops ).*/gm)
    expect(await examples('alerts watch')).toEqual([
      'alerts watch site',
      'alerts watch site --mention S0123456789 --account',
      'alerts watch site --mention S0123456789 --escalate U0123456789 --after 20m',
      'alerts watch site, <pull-zone>',
      'alerts watch all',
    ])
    expect(await examples('dns add')).toContain('dns add home PullZone cdn site')
    expect(await examples('storage stats')).toContain('storage files 14d --csv')
    expect(await examples('history')).toContain('history site 7d')
    expect(await examples('zones add')).toContain('zones add pull 123456 shop')
  })

  it('has everything else behind its button: how it is typed, what happens, and last what is not allowed', async () => {
    const { text } = await ask(help, { operation: 'more' })
    expect(text).toMatch(/^Done at once, with Undo:\n(- .*\n)*- \/ops zones add <pull\|storage\|dns> <id> <name>: /m)
    expect(text).not.toContain('/ops logs')
    expect(text).toMatch(/^Not for your role:\n- audit, audit verify\. Why: \/ops whoami$/m)
    const admin = await ask(help, { operation: 'More' }, 'admin')
    const first = await ask(help, {}, 'admin')
    for (const { name } of OPERATIONS) expect(`${first.text}\n${admin.text}`).toContain(`/ops ${name}`)
    expect(admin.text).not.toContain('Not for your role')
    const viewer = await ask(help, { operation: 'more' }, 'viewer')
    expect(viewer.text).toMatch(/Not for your role:\n- .*keys list.*dns add.*Why: \/ops whoami/)
    expect(viewer.text).not.toContain('/ops dns add <')
  })

  it('tells somebody without a role who gives one', async () => {
    const { text, buttons, access: nobody } = await ask(help, {}, 'none')
    expect(text).toContain('You have no role here: listed in OPERATORS.')
    expect(text).toContain('Without one, /ops whoami and /ops help are answered.')
    expect((await ask(help, {}, 'viewer')).text).toContain('You are a viewer: /ops whoami.')
    expect(text).toContain('No admin is set yet: whoever runs CDN Ops puts U222, your Slack id, into ADMINS.')
    expect(buttons).toBeUndefined()
    expect(nobody).toBeUndefined()
    const { said, access } = await ask(help, {}, 'none', { admins: ['U0ADA', 'U0ABE'] })
    expect(access).toBe('status')
    expect(said).toContain('Ask an admin for one: <@U0ADA>, <@U0ABE>')
    expect(said).not.toContain('U222')
  })

  it('does not blame the role for what a rule of the configuration denies here', async () => {
    const rule = { name: 'policies[0]', operations: ['dns add', 'library create'], decision: 'deny' } as const
    const policy = { ...DEFAULT_POLICY, rules: [rule] }
    expect((await ask(help, {}, 'operator', { policy })).text).not.toContain('dns add')
    const { text } = await ask(help, { operation: 'more' }, 'operator', { policy })
    expect(text).toMatch(/^Not for your role:\n- audit, audit verify\. Why: \/ops whoami$/m)
    expect(text).toMatch(/^Not now or here:\n- dns add, library create\. Why: \/ops whoami dns add$/m)
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

  it.each([
    ['dns add', true],
    ['library create', true],
    ['zones add', false],
  ])('says that the input of %s may make it graver: %s', async (operation, varies) => {
    const { text } = await ask(help, { operation })
    expect(text.includes('may need a second person')).toBe(varies)
  })

  it('says how else an operation is typed, where there is another way', async () => {
    const { text } = await ask(help, { operation: 'keys list' })
    expect(text).toContain('Also typed as /ops keys, /ops api keys, /ops keys show.')
    expect((await ask(help, { operation: 'zones add' })).text).not.toContain('Also typed as')
  })

  it('says whose approval is asked for', async () => {
    const { actor } = operationContext()
    const rule = { name: 'policies[0]', operations: ['dns add'], decision: 'approve' } as const
    const policy = { ...DEFAULT_POLICY, rules: [rule], quorum: { ...DEFAULT_POLICY.quorum, count: 2 } }
    const context = operationContext({}, { catalog: catalogFor(actor, policy) })
    const answer = async (values: RawValues) => (await invocationOf(help, values).run(context)).message.text
    expect(await answer({ operation: 'dns' })).toContain('takes the approval of 2 operators or admins')
    expect(await answer({ operation: 'dns add' })).toContain(
      'For you: takes the approval of 2 operators or admins. The configuration asks for a second person (policies[0]).',
    )
  })

  it.each(OPERATIONS.map(({ name }) => name))('has a page for %s that Slack takes', async (name) => {
    for (const role of ['none', 'admin'] as const) {
      const { said } = await ask(help, { operation: name }, role)
      expect(said).toContain(`*${name}*`)
      expect(said).toMatch(
        /(An acknowledgement|A read|A sensitive read|A( billed or irreversible)? write( to the bot)?), (least role (viewer|operator|admin)|for anyone); /,
      )
    }
  })

  it('shows all operations of a noun, by its alias the one it runs', async () => {
    const zones = await ask(help, { operation: 'zones' })
    for (const name of ['zones add', 'zones list', 'zones remove']) expect(zones.text).toContain(`/ops ${name}`)
    expect(zones.text).not.toContain('/ops dns add <')
    expect((await ask(help, { operation: 'dns' })).text).toContain('dns add: Add a record')
  })

  it('has no form for what is not allowed, but says why, and offers to ask for it', async () => {
    const { text, buttons, access } = await ask(help, { operation: 'dns add' }, 'viewer', { admins: ['U0ADA'] })
    expect(access).toBe('dns add')
    expect(text).toContain('Only operators and admins can use dns add; you are a viewer.')
    expect(buttons).toBeUndefined()
  })

  it('asks what was meant, or shows the first page, for words it does not know', async () => {
    const near = await ask(help, { operation: 'dns ad' })
    expect(near.text).toBe('There is no command dns ad. Did you mean /ops dns add?')
    expect(near.buttons).toEqual([{ kind: 'page', label: 'Show its help', values: { operation: 'dns add' } }])
    expect((await ask(help, { operation: 'old is key 42' })).text).toMatch(/^keys list: /)
    const far = await ask(help, { operation: '<!here> `x`' })
    expect(far.text).toMatch(/^There is no command .*here.*\. What do you need\?\n/)
    expect(far.said).not.toContain('<!here>')
    expect(far.text).toContain('/ops storage stats')
  })
})
