import { defineOperation } from '../../src/operations/declaration/define-operation.ts'
import { required, text } from '../../src/operations/declaration/fields.ts'
import { choice } from '../../src/operations/declaration/choice-field.ts'
import type { Answer } from '../../src/operations/declaration/answer.ts'
import type { Operation, OperationContext } from '../../src/operations/declaration/operation.ts'
import { zone } from '../../src/operations/declaration/zone-field.ts'

/** Told what each operation was asked, and answers it. */
export type Asked = (name: string, input: unknown, context: OperationContext) => Promise<Answer>

/** Operations that the buttons of an incident and questions in its thread ask for, by name and fields as the true ones. */
export function alertOperations(asked: Asked): readonly Operation[] {
  const common = (name: string) => ({
    name,
    summary: 'Do something',
    examples: [],
    describe: () => 'Something',
    run: (input: unknown, context: OperationContext) => asked(name, input, context),
    present: (answer: Answer): Answer => answer,
  })
  const write = { verb: 'Continue', audience: 'channel', shareable: false, positionals: [] } as const
  const read = { effect: 'read', minimumRole: 'viewer', audience: 'caller', shareable: true } as const
  const incident = text({ label: 'Incident' })
  const pullZone = zone({ label: 'Pull zone', zoneKind: 'pull' })
  const answering = { ...write, effect: 'acknowledge', minimumRole: 'viewer' } as const
  const silencing = { ...write, effect: 'write to the bot', minimumRole: 'operator' } as const
  return [
    defineOperation({ ...common('alerts acknowledge'), ...answering, fields: { incident: required(incident) } }),
    defineOperation({ ...common('alerts dismiss'), ...answering, fields: { incident: required(incident) } }),
    defineOperation({
      ...common('alerts silence'),
      ...silencing,
      fields: { incident, for: text({ label: 'For' }), until: text({ label: 'Until' }) },
    }),
    defineOperation({
      ...common('logs'),
      ...read,
      fields: {
        pullZone: required(pullZone),
        status: choice({ label: 'Status', choices: [{ value: '5xx', label: 'Errors' }] }),
        cache: text({ label: 'Cache' }),
        failing: text({ label: 'Failing' }),
        since: text({ label: 'Since' }),
      },
      positionals: ['pullZone', 'status'],
    }),
    defineOperation({ ...common('status'), ...read, fields: { pullZone }, positionals: ['pullZone'] }),
  ]
}
