import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/*
 * What the emulator does as Slack does, and other emulators do not, with the test that holds each part of it. A part
 * without a test, or a test that was renamed or dropped, is found here.
 */

const HERE = 'test/playground/slack'

type Held = readonly [part: string, file: string, test: string]

const HELD: readonly Held[] = [
  [
    '3,000 ms for an acknowledgement',
    'commands.test.ts',
    'fails after three seconds of silence, and a late answer is not shown',
  ],
  ['a form nobody acknowledges', 'forms.test.ts', 'not answered in three seconds shows trouble and leaves the form'],
  ['a button nobody acknowledges', 'interactions.test.ts', 'that nobody acknowledges shows a warning sign'],
  ['no link at all', 'commands.test.ts', 'fails when nobody is connected'],
  ['only the first acknowledgement counts', 'commands.test.ts', 'counts only the first acknowledgement'],
  [
    'an envelope goes to one link',
    'socket-mode.wire.test.ts',
    'is the only one that gets an envelope; links take turns',
  ],
  ['ten links', 'socket-mode.wire.test.ts', 'is turned away when there are ten'],
  ['hello', 'socket-mode.wire.test.ts', 'is greeted, with the number of links'],
  [
    'every reason to go',
    'socket-mode.wire.test.ts',
    'that was told to go by %s gets nothing more and is cut off after ten seconds',
  ],
  ['a warning', 'socket-mode.wire.test.ts', 'that was only warned goes on working'],
  ['one link refreshed', 'socket-mode.wire.test.ts', 'goes alone when only the oldest is told to'],
  ['no new links', 'socket-mode.wire.test.ts', 'is refused while connections are refused'],
  ['a trigger lives three seconds', 'web-api/views.test.ts', 'takes a trigger for three seconds and no longer'],
  ['a trigger opens one view', 'web-api/views.test.ts', 'takes a trigger once'],
  ['a response_url takes five posts', 'response-urls.test.ts', 'takes five posts'],
  ['a response_url lives thirty minutes', 'response-urls.test.ts', 'is good for thirty minutes'],
  [
    'an ephemeral is gone on reload',
    'web-api/chat.test.ts',
    'shows a message to one person until the client is loaded again',
  ],
  [
    'an ephemeral cannot be edited',
    'web-api/chat.test.ts',
    'refuse what the bot did not write, what only one person sees and what is gone',
  ],
  ['hash and hash_conflict', 'web-api/views.test.ts', 'changes the hash every time and refuses an old one'],
  ['a stack of three views', 'web-api/views.test.ts', 'stacks three views and refuses a fourth'],
  ['external ids are unique', 'web-api/views.test.ts', 'refuses a name that another open view has'],
  [
    'state.values, null where untouched',
    'forms.test.ts',
    'carries every value by block and action, null where nothing was entered',
  ],
  [
    'values kept over views.update',
    'web-api/views.test.ts',
    'keeps what was entered where block id, action id and kind stay, and only there',
  ],
  [
    'complaints by block id',
    'forms.test.ts',
    'shows the complaints of the app under its inputs and keeps what was typed',
  ],
  ['a wrong view in an acknowledgement', 'forms.test.ts', 'answered with %s shows trouble and leaves the form'],
  ['options wait for a pause in typing', 'typeahead.test.ts', 'asks the app once nothing more is typed for 300 ms'],
  ['stale options are dropped', 'typeahead.test.ts', 'does not show an answer that comes after the next letter'],
  ['dispatch_action', 'fields.test.ts', 'tells the app what was chosen, once, with all values and no response_url'],
  ['view_closed', 'forms.test.ts', 'is told to an app that asked, with no value of an input'],
  [
    'files in three steps',
    'web-api/directory.test.ts',
    'are announced, received, completed and then seen where they were shared',
  ],
  ['files from the stock client', 'web-api.wire.test.ts', 'comes from the stock client and is there to read'],
  ['no commands in threads', 'commands.test.ts', 'reaches nobody when it is unknown or typed in a thread'],
  ['threads of people', 'saying.test.ts', 'may stand in a thread, whose root any of its replies names'],
  [
    'user groups, on paid plans',
    'web-api/directory.test.ts',
    'change while people play, and do not exist on a free plan',
  ],
  [
    'disabled user groups',
    'web-api/directory.test.ts',
    'keep their people while they are disabled, but are listed only on demand',
  ],
  [
    'events of user groups',
    'workspace-events.test.ts',
    'of who is in a user group tells who came, who went, and how it stands',
  ],
  ['events of people', 'workspace-events.test.ts', 'about a person tells what is known of them now'],
  ['events by manifest', 'workspace-events.test.ts', 'is told only to an app whose manifest asks for it'],
  [
    'edited messages',
    'web-api/chat.test.ts',
    'keep the place of an edited message, and what stands in it now can be used',
  ],
  [
    'confirmation dialogs',
    'interactions.test.ts',
    'asks first where the app wants it, and counts only when that is accepted',
  ],
  [
    'a lost acknowledgement',
    'forger.test.ts',
    'whose acknowledgement is lost is tried again by the person, in the same form',
  ],
  ['users', 'web-api/directory.test.ts', 'tells who %s is'],
  ['channels by membership', 'web-api/directory.test.ts', 'are seen as far as the bot can see'],
  ['posts by membership', 'web-api/chat.test.ts', 'refuses %s'],
  [
    'scopes of the manifest',
    'app-manifest.test.ts',
    'may do what the scopes of its manifest allow, and learns which one it needs',
  ],
  ['commands of the manifest', 'app-manifest.test.ts', 'hears only the commands it has, escaped if it wants that'],
  ['shortcuts of the manifest', 'app-manifest.test.ts', 'offers only the global shortcuts it has'],
  ['Home of the manifest', 'app-manifest.test.ts', 'without a Home can publish none, and nobody can open it'],
  ['one message a second for each channel', 'web-api/access.test.ts', 'let about one message a second into a channel'],
  ['tiers and Retry-After', 'web-api/access.test.ts', 'answer 429 with the seconds to wait, by method'],
  ['forms and JSON', 'web-api.wire.test.ts', 'may be a form with JSON in it, or JSON'],
  ['the shape of invalid_blocks', 'web-api/chat.test.ts', 'says what is wrong with blocks the way Slack does'],
  [
    'the shape of a refused view',
    'web-api/views.test.ts',
    'says what is wrong with a view the way Slack does, and leaves the trigger good',
  ],
  [
    'signed requests',
    'http-mode.wire.test.ts',
    'is signed over its time and its exact body, and goes to the address for options when it asks for some',
  ],
  ['a stock HTTP receiver', 'http-mode.wire.test.ts', 'opens a form, offers options, complains and takes it'],
  [
    'events come again',
    'interactions.test.ts',
    'is announced again when nobody answers: at once, after a minute, after five',
  ],
  ['limits of messages', 'block-rules/message-limits.test.ts', 'takes %s up to %i and refuses one more'],
  ['limits of views', 'block-rules/view-rules.test.ts', 'takes %s up to %i and refuses one more'],
  ['limits of calls', 'web-api/limits.test.ts', 'takes %s up to %i and refuses one more'],
  ['what stands where', 'block-rules/message-rules.test.ts', 'is %s'],
  [
    'charts and tables switched off',
    'block-rules/message-rules.test.ts',
    'is a chart or a table where they are switched off',
  ],
  ['every error', 'web-api/errors.test.ts', '%s can be had'],
]

describe('What makes the emulator faithful', () => {
  it.each(HELD)('%s is held by %s', (_part, file, test) => {
    expect(readFileSync(`${HERE}/${file}`, 'utf8')).toContain(`'${test}'`)
  })
})
