import * as z from 'zod'
import { written } from '../block-rules/problems.ts'
import { checkView, type ViewDefinition } from '../block-rules/view-rules.ts'
import { SlackError } from '../slack-error.ts'
import { viewPayload } from '../view-payload.ts'
import type { StoredView } from '../views.ts'
import { defineMethod, TIER, type Method } from './method.ts'

const shape = {
  view: z.unknown(),
  trigger_id: z.string().optional(),
}

/** Modals and Home: open, put on top, change, publish. A refused view leaves its trigger unused. */
export const viewMethods: Readonly<Record<string, Method>> = {
  'views.open': defineMethod({
    token: 'bot',
    perMinute: TIER.four,
    args: z.object(shape),
    run: (args, { triggers, views }) => {
      const definition = checkedView(args.view, 'modal')
      const { userId } = triggers.exchange(args.trigger_id ?? '')
      return answered(views.open(userId, definition))
    },
  }),

  'views.push': defineMethod({
    token: 'bot',
    perMinute: TIER.four,
    args: z.object(shape),
    run: (args, { triggers, views }) => {
      const definition = checkedView(args.view, 'modal')
      const { userId, viewId } = triggers.exchange(args.trigger_id ?? '')
      // Only an interaction inside a modal gives leave to put another on top of it.
      if (viewId === undefined || views.find({ viewId }) === undefined) throw new SlackError('invalid_trigger_id')
      return answered(views.push(userId, definition))
    },
  }),

  'views.update': defineMethod({
    token: 'bot',
    perMinute: TIER.four,
    args: z.object({
      view: z.unknown(),
      view_id: z.string().optional(),
      external_id: z.string().optional(),
      hash: z.string().optional(),
    }),
    run: (args, { views }) => {
      const shown = views.find({ viewId: args.view_id, externalId: args.external_id })
      if (args.view_id === undefined && args.external_id === undefined) {
        throw invalid(['missing required field: view_id'])
      }
      const definition = checkedView(args.view, shown?.definition.type ?? 'modal')
      if (shown === undefined) throw new SlackError('not_found')
      return answered(views.update(shown, definition, args.hash))
    },
  }),

  'views.publish': defineMethod({
    token: 'bot',
    perMinute: TIER.four,
    args: z.object({ view: z.unknown(), user_id: z.string(), hash: z.string().optional() }),
    run: (args, { views, workspace, app }) => {
      if (!app.homeTab) throw new SlackError('not_enabled')
      const definition = checkedView(args.view, 'home')
      if (workspace.findMember(args.user_id) === undefined) throw invalid(['user_id not found'])
      return answered(views.publish(args.user_id, definition, args.hash))
    },
  }),
}

function checkedView(given: unknown, surface: 'modal' | 'home'): ViewDefinition {
  const checked = checkView(given, surface)
  if (checked.ok) return checked.view
  if (checked.problems.length === 0) throw new SlackError(checked.error)
  throw invalid(['failed to match all allowed schemas [json-pointer:/view]', ...checked.problems.map(written)])
}

function invalid(reasons: readonly string[]): SlackError {
  return new SlackError('invalid_arguments', {
    response_metadata: { messages: reasons.map((reason) => `[ERROR] ${reason}`) },
  })
}

function answered(view: StoredView) {
  return { view: viewPayload(view) }
}
