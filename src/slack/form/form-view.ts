import type { ViewBlock } from '../../block-kit/blocks.ts'
import { actions, button } from '../../block-kit/buttons.ts'
import { md } from '../../block-kit/mrkdwn.ts'
import { bullets, context, section } from '../../block-kit/sections.ts'
import { modal, type ModalView } from '../../block-kit/view.ts'
import type { NamedZone } from '../../operations/declaration/field.ts'
import type { RawValues } from '../../shared/raw-values.ts'
import type { FormStep, Issue, Operation } from '../../operations/declaration/operation.ts'
import { isRead } from '../../operations/declaration/role.ts'
import type { Change } from '../../store/schema/change.ts'
import { fieldInput } from './field-input.ts'
import { BACK_ACTION, FORM_VIEW, REVIEW_ACTION, writePlace } from './form-place.ts'

export interface FormViewOptions {
  readonly operation: Operation
  /** Counted from 0. */
  readonly step: number
  /** What was given so far, typed or entered: inputs are filled in with it. */
  readonly values: RawValues
  /** What is wrong with it; what is merely missing need not be left out. */
  readonly issues?: readonly Issue[]
  /** The draft; without a channel where the form was opened outside of any, as on Home. */
  readonly change: Pick<Change, 'id' | 'channelId'>
  readonly zones: readonly NamedZone[]
}

/**
 * One page of an operation's form. Issues stand under their inputs, or on top where the page has no input for them;
 * a value that an input cannot show is named there too, so that nothing typed disappears unseen. Throws RangeError for
 * a step the operation's form does not have.
 */
export function formView(options: FormViewOptions): ModalView {
  const { operation, step, values, change } = options
  const { form = [] } = operation
  const page = form[step]
  if (page === undefined) throw new RangeError(`The form of ${operation.name} has no step ${step}`)
  const names = fieldsOf(page, operation, values)
  const issues = worthSaying(options, names)
  const inputs = names.flatMap((name) => inputBlocks(name, page, options, issues))
  const elsewhere = issues.filter(({ field }) => field === undefined || !names.includes(field))
  return modal({
    callbackId: FORM_VIEW,
    title: page.title,
    privateMetadata: writePlace({ change: change.id, step }),
    submit: isLast(operation, step) ? lastSubmit(operation) : 'Next',
    close: 'Cancel',
    // A form given up ends its draft, and with it any secret value entered so far.
    notifyOnClose: true,
    blocks: [
      ...(elsewhere.length === 0
        ? []
        : [section(md`:warning: *Please look at this first*`), bullets(elsewhere.map(({ problem }) => problem))]),
      ...(form.length > 1 ? [context(md`Step ${step + 1} of ${form.length}`)] : []),
      ...(page.intro === undefined ? [] : [section(md`${page.intro}`)]),
      ...inputs,
      ...footBlocks(options),
    ],
  })
}

/** Whether the step is the last before the review, or before the answer where nothing is written. */
export function isLast({ form }: Operation, step: number): boolean {
  return step === (form?.length ?? 0) - 1
}

/** The fields a step shows for these values. Names the operation does not have are left out. */
export function fieldsOf(page: FormStep, { fields }: Operation, values: RawValues): readonly string[] {
  return [...new Set(page.fields(values))].filter((name) => Object.hasOwn(fields, name))
}

function inputBlocks(
  name: string,
  page: FormStep,
  { operation, values, zones }: FormViewOptions,
  issues: readonly Issue[],
): readonly ViewBlock[] {
  const declared = operation.fields[name]
  if (declared === undefined) return []
  const { needed = declared.required, ...words } = page.wording?.(values)[name] ?? {}
  const field = { ...declared, ...words, required: needed }
  const { block, shown } = fieldInput(name, field, values[name], zones, page.redrawOn?.includes(name) ?? false)
  const problems = issues.filter((issue) => issue.field === name).map(({ problem }) => problem)
  const lost = shown || problems.length > 0 ? [] : [`${field.label}: what was typed cannot be used here. Choose again.`]
  return [block, ...[...problems, ...lost].map((problem) => context(md`:warning: ${problem}`))]
}

/** A field still empty is no mistake while the form is under way: Slack itself asks for what is required. */
function worthSaying(
  { operation, step, values, issues = [] }: FormViewOptions,
  here: readonly string[],
): readonly Issue[] {
  const later = (operation.form ?? []).slice(step + 1).flatMap((page) => fieldsOf(page, operation, values))
  const still = new Set([...here, ...later])
  return issues.filter(({ field }) => field === undefined || !still.has(field) || (values[field]?.length ?? 0) > 0)
}

function footBlocks({ step, operation, change }: FormViewOptions): readonly ViewBlock[] {
  const navigation = [
    ...(step > 0 ? [button({ actionId: BACK_ACTION, text: 'Back' })] : []),
    // Nothing on the pages in between has to be filled in.
    ...(hasShortcut(operation, step) ? [button({ actionId: REVIEW_ACTION, text: 'Skip to the review' })] : []),
  ]
  const answersElsewhere = change.channelId === undefined && isRead(operation.baseEffect) && isLast(operation, step)
  return [
    ...(answersElsewhere ? [context('The answer comes under Messages of this app.')] : []),
    ...(navigation.length > 0 ? [actions('navigation', navigation)] : []),
  ]
}

/** Whether a step that is not the last one leads to the review, too. */
export function hasShortcut(operation: Operation, step: number): boolean {
  return !isLast(operation, step) && lastSubmit(operation) === 'Review'
}

function lastSubmit({ baseEffect, verb }: Operation): string {
  return baseEffect === 'write' || baseEffect === 'billed or irreversible' ? 'Review' : verb
}
