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
  const common = { summary: 'Do something', examples: [], describe: () => 'Something', positionals: [] as const }
  const present = (answer: Answer): Answer => answer
  const answers = ['alerts acknowledge', 'alerts dismiss'].map((name) =>
    defineOperation({
      ...common,
      name,
      verb: 'Continue',
      effect: 'acknowledge',
      minimumRole: 'viewer',
      audience: 'channel',
      shareable: false,
      fields: { incident: required(text({ label: 'Incident' })) },
      run: (input, context) => asked(name, input, context),
      present,
    }),
  )
  return [
    ...answers,
    defineOperation({
      ...common,
      name: 'alerts silence',
      verb: 'Continue',
      effect: 'write to the bot',
      minimumRole: 'operator',
      audience: 'channel',
      shareable: false,
      fields: {
        incident: text({ label: 'Incident' }),
        for: text({ label: 'For' }),
        until: text({ label: 'Until' }),
      },
      run: (input, context) => asked('alerts silence', input, context),
      present,
    }),
    defineOperation({
      ...common,
      name: 'logs',
      effect: 'read',
      minimumRole: 'viewer',
      audience: 'caller',
      shareable: true,
      fields: {
        pullZone: required(zone({ label: 'Pull zone', zoneKind: 'pull' })),
        status: choice({ label: 'Status', choices: [{ value: '5xx', label: 'Errors' }] }),
        cache: text({ label: 'Cache' }),
        failing: text({ label: 'Failing' }),
        since: text({ label: 'Since' }),
      },
      positionals: ['pullZone', 'status'],
      run: (input, context) => asked('logs', input, context),
      present,
    }),
    defineOperation({
      ...common,
      name: 'status',
      effect: 'read',
      minimumRole: 'viewer',
      audience: 'caller',
      shareable: true,
      fields: { pullZone: zone({ label: 'Pull zone', zoneKind: 'pull' }) },
      positionals: ['pullZone'],
      run: (input, context) => asked('status', input, context),
      present,
    }),
  ]
}
