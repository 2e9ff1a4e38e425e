import { describe, expect, it, test } from 'vitest'
import type { ZoneKind } from '../../../src/store/schema/tables.ts'
import { messageProblems } from '../../support/slack-rules.ts'
import { DEFAULT_POLICY, type Policy } from '../../../src/execution/policy/policy.ts'
import type { RawValues } from '../../../src/shared/raw-values.ts'
import type { Checked, Doctor } from '../../../src/operations/declaration/examination.ts'
import { doctor } from '../../../src/operations/help/doctor.ts'
import { help } from '../../../src/operations/help/help.ts'
import { OPERATIONS } from '../../../src/operations/index.ts'
import type { Message } from '../../../src/block-kit/message.ts'
import { md } from '../../../src/block-kit/mrkdwn.ts'
import { preformatted, section } from '../../../src/block-kit/sections.ts'
import { findOperation } from '../../../src/operations/declaration/operation-names.ts'
import { parseCommand } from '../../../src/slack/command-text/parse-command.ts'
import type { Operation, OperationContext } from '../../../src/operations/declaration/operation.ts'
import type { Role } from '../../../src/operations/declaration/role.ts'
import { invocationOf, operationContext } from '../../support/operation-context.ts'
import { ask as askPlainly } from '../../support/ask.ts'
import { catalogFor } from '../../support/role-catalog.ts'

const KIND = 'What the name stands for: a pull zone, a storage zone or a DNS zone. One of: pull, storage, dns.'
const NAME =
  'Letters, digits, points, hyphens and underscores, beginning with a letter or digit; not only digits; at most 40.'

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
        'What goes wrong? /ops logs shop --failing',
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
    // Whoever may not ask about them is not told which there are.
    expect((await ask(help, { operation: 'logs' }, 'none', { zones })).text).toContain('/ops logs <pull-zone> 5xx 2h')
  })

  it('has everything else behind its button: how it is typed, what happens, and last what is not allowed', async () => {
    const { text } = await ask(help, { operation: 'more' })
    expect(text).toMatch(/^Done at once, with Undo:\n(- .*\n)*- \/ops zones add <pull\|storage\|dns> <id> <name>: /m)
    expect(text).not.toContain('/ops logs')
    expect(text).toMatch(/^More commands\nAnswered at once:\n/)
    expect(text).toMatch(
      /\nNot for your role:\n- audit, audit verify\. Why: \/ops whoami\nAll options of one: \/ops help logs\. Text with spaces goes in quotes\.$/,
    )
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
    expect(text.split('\n')).toEqual([
      'You have no role here: listed in OPERATORS.',
      'No admin is set yet: whoever runs CDN Ops puts U222, your Slack id, into ADMINS.',
      'Without one, /ops whoami and /ops help are answered.',
    ])
    expect((await ask(help, {}, 'viewer')).text).toMatch(
      /\nYou are a viewer: \/ops whoami\. All options of a command: \/ops help logs$/,
    )
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
    const { text, message, buttons } = await ask(help, { operation: 'ZONE adds' })
    const examples = ['pull 123456 shop', 'dns 7890 example.net'].map((each) => `/ops zones add ${each}`)
    expect(text.split('\n')).toEqual([
      'zones add: Give a zone a name that can be used in place of its id',
      '/ops zones add <pull|storage|dns> <id> <name>',
      'For you: done at once, with Undo.',
      'Effect: write to the bot; least role operator; only you see the answer.',
      ...examples.map((each) => `Example: ${each}`),
      `- --kind <pull|storage|dns> needed. ${KIND}`,
      "- --id <id> needed. The number in the zone's address in the CDN's panel.",
      `- --name <text> needed. ${NAME}`,
    ])
    expect(message.blocks.slice(3, 6)).toEqual([
      section(md`*Examples*`),
      preformatted(examples.join('\n')),
      section(md`*Options*`),
    ])
    expect(buttons).toEqual([{ kind: 'form', label: 'Open the form', operation: 'zones add', values: {} }])
  })

  it('lists eight options to a section, so that none is cut', async () => {
    const { message } = await ask(help, { operation: 'dns add' })
    const lists = message.blocks.flatMap((block) =>
      block.type === 'section' && block.text?.text.startsWith('• ') ? [block.text.text] : [],
    )
    expect(lists.map((list) => list.split('\n').length)).toEqual([8, 8, 6])
  })

  it.each([
    [
      'dns add',
      '/ops dns',
      [
        '--zone <dns-zone> needed. A name given with zones add, or the numeric id.',
        '--type <A|AAAA|…> needed. The fields below follow the type. One of: A, AAAA, CNAME, TXT, MX, Redirect, Flatten, PullZone, SRV, CAA, PTR, Script, NS, SVCB, HTTPS, TLSA.',
        '--name <text> needed. Relative to the zone, such as www. @ is the zone itself, * every name that has no record.',
        '--value <text> What the record says; its form follows the type.',
        '--ttl <seconds|5m> Seconds, or 5m, 1h, 1d: how long answers may be kept, and so how long a mistake stays. Left out, the CDN decides.',
        '--weight <number> Share of the answers among records of one name: 0 to 100, for SRV 0 to 65535.',
        '--priority <number> 0 to 65535; the lowest is tried first.',
        '--flags <number> 0 as a rule; 128 forbids issuing to who does not know the tag.',
        '--tag <issue|issuewild|iodef> What the record rules. One of: issue, issuewild, iodef.',
        '--port <number> 0 to 65535.',
        '--pull-zone <pull-zone> The pull zone that answers: its name here, or its id.',
        '--script <id> Numeric id of the edge script that answers.',
        '--[no-]accelerated On creates a pull zone, which is billed and stays; it can take half a minute.',
        '--monitor <None|Ping|Http|Monitor> How the CDN watches the target. One of: None, Ping, Http, Monitor.',
        '--latitude <number> -90 to 90; for geolocation routing.',
        '--longitude <number> -180 to 180; for geolocation routing.',
        '--latency-zone <code> Code of a region, such as DE or NY; for latency routing.',
        '--smart-routing <None|Latency|Geolocation> Which of several records is answered. One of: None, Latency, Geolocation.',
        '--[no-]disabled On keeps the record but does not answer with it.',
        '--variables <NAME=value> One NAME=value a line, for the script. The values are never shown again.',
        '--comment <text> For people who look at the zone.',
        '--[no-]auto-ssl Whether the CDN gets a certificate for the name.',
      ],
    ],
    [
      'status',
      '/ops health, /ops status all, /ops firing, /ops alerts firing, /ops alerts open',
      ['--pull-zone <pull-zone> The name or numeric id of a pull zone; all that are watched when left out.'],
    ],
    [
      'storage stats',
      '/ops storage',
      [
        '--storage-zone <storage-zone> needed. The name or numeric id of a storage zone.',
        '--since <time> First day: 2026-11-01, or 14d back from now. Without any range: the last 30 days.',
        '--until <time> Last day, given like the first: 2026-11-01, today, or 7d back.',
        '--csv Sends all days as a file to your direct messages.',
      ],
    ],
    ['zones remove', undefined, [`--kind <pull|storage|dns> ${KIND}`, `--name <text> needed. ${NAME}`]],
    ['zones list', '/ops zones', [`--kind <pull|storage|dns> ${KIND}`]],
    [
      'whoami',
      '/ops who am i, /ops me',
      [
        '--person <@person> Somebody else, which only admins may ask.',
        '--operation <text> Only what holds for this one, such as dns add.',
      ],
    ],
    ['help', '/ops commands, /ops how, /ops ?', ['--operation <text> What to explain, such as dns add; or more.']],
    ['doctor', '/ops check, /ops preflight', []],
  ])('says of %s how else it is typed, and what each option is', async (operation, aliases, options) => {
    const { text } = await ask(help, { operation })
    expect(/^Also typed as (.*)\.$/m.exec(text)?.[1]).toBe(aliases)
    expect(text.match(/(?<=^- ).*$/gm) ?? []).toEqual(options)
  })

  it.each([
    [
      'dns add',
      'Add record',
      'Add a DNS record',
      'Adds a record and replaces nothing. What you leave empty is left to the CDN.',
    ],
    [
      'storage stats',
      'Show statistics',
      'Storage statistics',
      'Used bytes and number of files by day. Without a range, the last 30 days.',
    ],
    ['zones add', 'Add name', 'Name a zone', 'The name can then be typed wherever the id can, and forms offer it.'],
    [
      'zones remove',
      'Remove name',
      'Remove a name',
      'Only the name goes. The zone stays as it is, and its id keeps working.',
    ],
  ])('says in the form of %s what that does', (name, verb, title, intro) => {
    const operation = findOperation(OPERATIONS, name)
    expect([operation?.verb, operation?.form?.[0]]).toMatchObject([verb, { title, intro }])
  })

  it.each([
    ['dns add', true],
    ['library create', true],
    ['zones add', false],
  ])('says that the input of %s may make it graver: %s', async (operation, varies) => {
    const { text } = await ask(help, { operation })
    expect(text.includes('may need a second person')).toBe(varies)
  })

  it('says whose approval is asked for', async () => {
    const { actor } = operationContext()
    const rule = { name: 'policies[0]', operations: ['dns add'], decision: 'approve' } as const
    const policy = { ...DEFAULT_POLICY, rules: [rule], quorum: { ...DEFAULT_POLICY.quorum, count: 2 } }
    const context = operationContext({}, { catalog: catalogFor(actor, policy) })
    const answer = async (values: RawValues) => (await invocationOf(help, values).run(context)).message.text
    expect(await answer({ operation: 'dns add' })).toContain(
      'For you: takes the approval of 2 operators or admins. The configuration asks for a second person (policies[0]).\nEffect: write; least role operator; the channel sees the answer.\n',
    )
  })

  it.each(OPERATIONS.map(({ name }) => name))('has a page for %s that Slack takes', async (name) => {
    for (const role of ['none', 'admin'] as const) {
      const { said } = await ask(help, { operation: name }, role)
      expect(said).toContain(`*${name}*`)
      expect(said).toMatch(
        /Effect: (acknowledge|(sensitive )?read|write( to the bot)?); (least role (viewer|operator|admin)|for anyone); /,
      )
    }
  })

  it('shows all operations of a noun, by its alias the one it runs', async () => {
    const zones = await ask(help, { operation: 'zones' })
    for (const name of ['zones add', 'zones list', 'zones remove']) expect(zones.text).toContain(`/ops ${name}`)
    expect(zones.text).not.toContain('/ops dns add <')
    expect(zones.text).toMatch(/^zones\n/)
    expect(zones.message.blocks[0]).toEqual(section(md`*zones*`))
    expect((await ask(help, { operation: 'api keys' })).text).toContain('keys list: List the API keys')
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
    expect((await ask(help, { operation: 'status of key 42' })).text).toMatch(/^keys list: /)
    const far = await ask(help, { operation: '<!here> `x`' })
    expect(far.text).toMatch(/^There is no command <!here> ˋxˋ\. What do you need\?\n(.*\n)+.*\/ops storage stats/)
    expect(far.said).not.toContain('<!here>')
  })
})

test.each<[string, RawValues, string]>([
  ['help', {}, 'Show the help'],
  ['help', { operation: 'dns' }, 'Show the help for dns'],
  ['whoami', {}, 'Show their own role'],
  ['whoami', { operation: 'dns add' }, 'Show their own role for dns add'],
  ['whoami', { person: '@U0OTTO', operation: 'dns add' }, 'Show the role of U0OTTO for dns add'],
  ['doctor', {}, 'Check how CDN Ops is set up, the roles of its API key included'],
  ['status', {}, 'Show how all watched zones do'],
  ['status', { pullZone: 'shop' }, 'Show how pull zone shop (201) does'],
  ['zones add', { kind: 'pull', id: '7', name: 'img' }, 'Name pull zone 7 img'],
  ['zones remove', { name: 'img' }, 'Remove the name img'],
  ['zones remove', { kind: 'dns', name: 'img' }, 'Remove the name img of a DNS zone'],
  ['zones list', {}, 'List the names given to zones'],
  ['zones list', { kind: 'dns' }, 'List the names given to DNS zones'],
])('%s %j is on record as: %s', (name, values, sentence) => {
  expect(OPERATIONS.filter((each) => each.name === name).map((each) => invocationOf(each, values).sentence)).toEqual([
    sentence,
  ])
})

describe('doctor', () => {
  const finding = (happened: string, stops: boolean) => ({ cause: happened, stops, happened, remedy: 'Mend it.' })
  const examined = async (...checked: readonly Checked[]) => {
    const progress: string[] = []
    const examine: Doctor['examine'] = async (_, onCheck) => {
      onCheck?.('Clock')
      return checked
    }
    const answer = await askPlainly(doctor, {}, {}, { doctor: { examine }, progress: (said) => progress.push(said) })
    return { ...answer, progress, lines: answer.text.split('\n'), all: answer.details?.text.split('\n') }
  }
  const clock = { check: 'Clock', seen: 'right', isUnknown: false, findings: [] }
  const logs = { check: 'Logs', seen: 'not asked', isUnknown: true, findings: [] }

  it('says that nothing is wrong, and what was seen', async () => {
    const { lines, said, all, buttons, details } = await examined(clock, logs)
    expect(lines).toEqual(['Nothing is wrong with how CDN Ops is set up. 1 check could not be made.'])
    expect(said).toContain('":white_check_mark: *Nothing is wrong* ')
    expect(all).toEqual(['All checks', 'Clock: right', 'Logs: not asked'])
    expect(JSON.stringify(details?.blocks)).toContain(
      '• :white_check_mark: *Clock*: right\\n• :grey_question: *Logs*: not asked',
    )
    expect(buttons.slice(1)).toEqual([{ kind: 'page', label: 'Check again', values: {} }])
    expect([buttons[0]?.label, (await examined(clock)).lines[0]]).toEqual([
      'All checks',
      'Nothing is wrong with how CDN Ops is set up.',
    ])
  })

  it('says what is wrong, what stops first, and asks for the checks one by one', async () => {
    const findings = [finding('It is late.', false), finding('It stands.', true)]
    const { lines, said, all, details, progress } = await examined({ ...clock, findings }, logs, logs)
    expect(lines).toEqual([
      '2 things are wrong with how CDN Ops is set up. 2 checks could not be made.',
      'It stands. Mend it.',
      'It is late. Mend it.',
    ])
    expect(said).toContain('":warning: *2 things are wrong* ')
    expect(said).toContain('• :x: It stands. *Mend it.*\\n• :warning: It is late. *Mend it.*')
    expect(all?.[1]).toBe('Clock: It is late. It stands.')
    expect(JSON.stringify(details?.blocks)).toContain('• :x: *Clock*: ')
    expect(progress).toEqual(['Checking: Clock'])
    const one = await examined({ ...clock, findings: findings.slice(1) })
    expect(one.lines[0]).toBe('1 thing is wrong with how CDN Ops is set up.')
  })
})
