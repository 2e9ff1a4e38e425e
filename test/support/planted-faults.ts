import type { CdnEmulator } from '../../src/playground/cdn/emulator.ts'
import type { WireAnswer } from '../../src/playground/cdn/wire.ts'
import type { SlackEmulator } from '../../src/playground/slack/emulator.ts'
import type { Answer } from '../../src/playground/slack/wire/parts.ts'

/** Has Slack answer calls of this method so that more, or something else, is in the body. Later ones come on top. */
function plantAnswer({ parts: { hooks } }: SlackEmulator, method: string, change: (answer: Answer) => Answer): void {
  const before = hooks.around
  hooks.around = (called, answer) => {
    if (called !== method) return before?.(called, answer)
    const given = before?.(called, answer) ?? answer()
    return typeof given === 'string' ? given : change(given)
  }
}

/** The app is installed for an organisation, which grants it these workspaces. */
export function plantOrganisation(slack: SlackEmulator, granted: readonly string[]): void {
  const into = (more: object) => (answer: Answer) =>
    typeof answer.body === 'string' ? answer : { ...answer, body: { ...answer.body, ...more } }
  const org = { team_id: 'E0ORG', enterprise_id: 'E0ORG', is_enterprise_install: true }
  plantAnswer(slack, 'auth.test', into(org))
  plantAnswer(slack, 'auth.teams.list', into({ teams: granted.map((id) => ({ id, name: 'A workspace' })) }))
}

/** The one key of the account, ours, has these roles. */
export function plantRoles({ faults, accessKey }: CdnEmulator, roles: readonly string[]): void {
  const body = { Items: [{ Id: 1, Key: accessKey, Roles: roles }], CurrentPage: 1, TotalItems: 1, HasMoreItems: false }
  const spoil = (answer: WireAnswer): WireAnswer => ({ ...answer, chunks: [JSON.stringify(body)] })
  faults.set('listApiKeys', { kind: 'spoiled', name: 'other roles', carriedOut: true, spoil })
}
