import type { KeysKind } from './alert-kind.ts'

/**
 * A key of the account is new, is gone, or has other roles. Each change is an event, told once; it has no numbers and nothing
 * to come back to. How listings are compared stands in
 * `watch/keys-watch.ts`.
 */
export const apiKeysChanged: KeysKind = {
  name: 'api-keys-changed',
  title: 'API keys changed',
  summary: 'Tells of every API key of the account that is new, is gone, or has other roles. Ids and roles only.',
  subject: 'account',
  parameters: [],
}
