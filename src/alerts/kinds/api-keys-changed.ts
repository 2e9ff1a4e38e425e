import type { KeysKind } from './alert-kind.ts'

export const apiKeysChanged: KeysKind = {
  name: 'api-keys-changed',
  title: 'API keys changed',
  summary: 'Tells of every API key of the account that is new, is gone, or has other roles. Ids and roles only.',
  subject: 'account',
  parameters: [],
}
