import type { SlackEmulator } from './slack/emulator.ts'
import { button, toggle, type Switch } from './switch.ts'

/** What can be made harder on Slack's side. */
export function slackSwitches({
  switches,
  disconnectOldest,
  dropAll,
}: Pick<SlackEmulator, 'switches' | 'disconnectOldest' | 'dropAll'>): readonly Switch[] {
  const flag = (name: keyof typeof switches, id: string, label: string, hint: string): Switch =>
    toggle({ id, label, hint, isOn: () => switches[name], turn: (on) => (switches[name] = on) })
  return [
    flag(
      'refuseCharts',
      'refuse-charts',
      'No charts or tables',
      'Slack refuses charts and tables, as some workspaces do; answers come in their plain form.',
    ),
    flag(
      'rateLimits',
      'slack-rate-limits',
      'Slack rate limits',
      'Slack counts calls and answers 429 above its limits.',
    ),
    button({
      id: 'refresh-link',
      label: 'Refresh a link',
      hint: 'Slack asks one of the bot’s links to go, as it does every few hours.',
      press: () => void disconnectOldest('refresh_requested'),
    }),
    button({ id: 'drop-links', label: 'Drop all links', hint: 'Every link ends without a word.', press: dropAll }),
    flag(
      'refuseConnections',
      'refuse-connections',
      'Refuse connections',
      'Slack opens no new link; those that are open stay.',
    ),
  ]
}
