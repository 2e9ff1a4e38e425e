import { failure } from '../execution/explain.ts'
import type { Admission } from './flood-gate.ts'
import { noticeView } from './form/notice-views.ts'
import type { Reception, Visitor } from './reception.ts'

/** What comes over a form or review whose submission is one too many: that keeps what was filled in. */
export const TOO_FAST = noticeView(
  'Too fast',
  'You ask faster than CDN Ops answers. Nothing was sent by this click.',
  'What you filled in is behind this. Wait a few seconds, close this and submit again.',
)

/** Tells somebody who is not heard that they are not, if that is due. */
export async function turnAway(visitor: Visitor, admission: Admission, reception: Reception): Promise<void> {
  if (admission.isIn || admission.words === undefined) return
  const { happened, next } = admission.words
  await reception.serve(visitor, 'a refusal', () =>
    reception.conversation(visitor).reply(failure(happened, next), 'caller'),
  )
}
