import * as z from 'zod'
import { jsonOrUndefined } from '../../shared/json.ts'

/** The `callback_id` of a page of a form. By a view's `callback_id` listeners know what was submitted or closed. */
export const FORM_VIEW = 'form'
/** The `callback_id` of the view after the last page, which shows what will be done before it is. */
export const REVIEW_VIEW = 'review'
export const APPROVE_VIEW = 'approve'
export const DECLINE_VIEW = 'decline'
/** The `callback_id` of a view with nothing to submit: working, result, expired. */
export const NOTICE_VIEW = 'notice'

export const BACK_ACTION = 'form_back'
export const REVIEW_ACTION = 'form_review'

const MAX_ID_CHARACTERS = 64
const MAX_STEPS = 10

const PlaceSchema = z.object({
  change: z.string().min(1).max(MAX_ID_CHARACTERS),
  step: z.int().min(0).max(MAX_STEPS),
  /** Home, on which it was opened, shows what it is about. */
  onHome: z.boolean().optional(),
})

/** Which draft a view belongs to and which page of its form it shows; the review comes after the last page. */
export type FormPlace = Readonly<z.infer<typeof PlaceSchema>>

/** A place as a view's `private_metadata`: everything else about the form is in the store. */
export function writePlace(place: FormPlace): string {
  return JSON.stringify(PlaceSchema.parse(place))
}

/** The place a view remembers, or nothing when its metadata is not ours. */
export function readPlace(privateMetadata: string): FormPlace | undefined {
  return PlaceSchema.safeParse(jsonOrUndefined(privateMetadata)).data
}
