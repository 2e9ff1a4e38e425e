import { INT32_MAX } from '../cdn/wire-fields.ts'
import { apiKeysAnswer } from './api-keys-answer.ts'
import { readKeyPage, scanKeysByRole } from './api-keys-reading.ts'
import { defineOperation } from './define-operation.ts'
import { integer, text } from './fields.ts'

const MAX_ROLE_LENGTH = 64

const fields = {
  page: integer({ label: 'Page', hint: '50 keys a page; the first unless given.', min: 1, max: INT32_MAX }),
  role: text({
    label: 'Role',
    hint: 'Only keys with this role, such as UserApi; looked for on all pages.',
    maxLength: MAX_ROLE_LENGTH,
    word: 'role',
  }),
}

/** The account's API keys, redacted. Reading them is itself worth a line in the audit log. */
export const apiKeys = defineOperation({
  name: 'keys list',
  aliases: ['keys', 'api keys'],
  summary: 'List the API keys of the account, redacted, with their roles',
  verb: 'List keys',
  effect: 'sensitive read',
  minimumRole: 'operator',
  audience: 'caller',
  shareable: false,
  fields,
  positionals: [],
  form: [{ title: 'API keys', intro: 'Values are shown redacted.', fields: () => ['role', 'page'] }],
  examples: ['keys list', 'keys list --role UserApi', 'keys list --page 2'],
  describe({ page = 1, role }) {
    return `List the API keys of the account${role === undefined ? '' : ` with the role ${role}`}, page ${page}`
  },
  run: ({ page = 1, role }, context) =>
    role === undefined
      ? readKeyPage(context.cdn, page, context.signal)
      : scanKeysByRole(context, { role, page, signal: context.signal }),
  present: apiKeysAnswer,
})
