import type { SlackEmulator } from './slack/emulator.ts'
import { BOT_USER_ID, GENERAL } from './slack/seed.ts'
import { button, toggle, type Switch } from './switch.ts'

type Flag = 'refuseCharts' | 'rateLimits' | 'refusePosts' | 'down' | 'refuseConnections'

export function slackSwitches({
  switches,
  workspace,
  disconnectOldest,
  dropAll,
}: Pick<SlackEmulator, 'switches' | 'workspace' | 'disconnectOldest' | 'dropAll'>): readonly Switch[] {
  const flag = (name: Flag, id: string, label: string, hint: string): Switch =>
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
    flag(
      'refusePosts',
      'refuse-posts',
      'No new messages',
      'Slack answers each new message with 429 and asks for five seconds; what is there can be edited.',
    ),
    flag('down', 'slack-down', 'Slack down', 'Slack answers every call of the bot with 503.'),
    ...channelSwitches(workspace),
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

function channelSwitches(workspace: SlackEmulator['workspace']): readonly Switch[] {
  const general = () => workspace.channel(GENERAL)
  return [
    toggle({
      id: 'archive-general',
      label: '#general archived',
      hint: 'Somebody archives #general: nothing can be posted there, and what is there cannot be edited.',
      isOn: () => general().archived,
      turn: (on) => workspace.setArchived(GENERAL, on),
    }),
    toggle({
      id: 'bot-leaves',
      label: 'Bot not in #general',
      hint: 'Somebody removes the bot from #general; it can post there only once it is invited again.',
      isOn: () => !general().members.has(BOT_USER_ID),
      turn: (on) => workspace.setMembership(GENERAL, BOT_USER_ID, !on),
    }),
    toggle({
      id: 'share-general',
      label: '#general shared',
      hint: 'Another organisation joins #general through Slack Connect.',
      isOn: () => general().shared !== 'no',
      turn: (on) => workspace.setShared(GENERAL, on ? 'yes' : 'no'),
    }),
  ]
}
