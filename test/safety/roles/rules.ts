import { ANSWER_RULES } from './answer-rules.ts'
import { CARD_RULES, COMMAND_RULES, SUBMISSION_RULES } from './change-rules.ts'
import { OPERATION_RULES } from './operation-rules.ts'
import type { Rule } from './rule.ts'

/** Who may do what, where and when, written by hand and by nothing that the program goes by. */
export const RULES: readonly Rule[] = [
  ...OPERATION_RULES,
  ...ANSWER_RULES,
  ...CARD_RULES,
  ...COMMAND_RULES,
  ...SUBMISSION_RULES,
]
