import type { RawValues } from '../../shared/raw-values.ts'
import type { AnswerButton } from '../declaration/answer.ts'

/** It opens a form that asks for nothing but whom to ping: a mention that is there, and empty, is what tells it. */
export function pingButton(operation: string, values: RawValues): AnswerButton {
  return { kind: 'form', label: 'Ping somebody …', operation, values: { ...values, mention: '' } }
}

export function pingFields({ mention }: RawValues) {
  return mention === '' ? (['mention', 'after', 'escalate'] as const) : undefined
}
