import { defineOperation } from '../define-operation.ts'
import { logPositionals } from './log-positionals.ts'
import { logAnswer } from './log-answer.ts'
import { logFields } from './log-fields.ts'
import { readLog } from './log-reading.ts'
import { logIssues } from './log-rules.ts'
import { questionSentence } from './log-words.ts'

/** Lines of a pull zone's request log, from either version of the log interface. */
export const logs = defineOperation({
  name: 'logs',
  aliases: ['log'],
  summary: 'Show requests of a pull zone from its log, MISS and STALE unless asked otherwise',
  verb: 'Show lines',
  effect: 'read',
  minimumRole: 'viewer',
  audience: 'caller',
  shareable: true,
  fields: logFields,
  positionals: logPositionals,
  form: [
    {
      title: 'Log lines',
      intro: 'The platform keeps logs for 3 days. Further filters can be typed: see the help of this command.',
      fields: () => ['pullZone', 'cache', 'status', 'since', 'until', 'url', 'limit', 'by'],
    },
  ],
  examples: [
    'logs 301 --cache MISS,STALE --since 1h',
    'logs 301 --status 5xx --by path',
    'logs shop 5xx 2h',
    'logs shop --since 03:10 --until 03:40 --cache all',
    'logs shop --day yesterday --url /checkout --csv',
  ],
  check: (question, { now }) => logIssues(question, now),
  describe: questionSentence,
  run: readLog,
  present: logAnswer,
})
