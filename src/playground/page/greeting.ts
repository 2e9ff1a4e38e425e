import { html, type Html } from './html.ts'
import type { Place } from './place.ts'
import type { SeatKey } from './seats.ts'

/** Something a newcomer can try with one click: who types what. */
export interface Trial {
  readonly who: SeatKey
  readonly type: string
  readonly title: string
  readonly promise: string
}

/** What shows what this is: charts, a form with its review, a request that takes two, a refusal, and an alert. */
export const TRIALS: readonly Trial[] = [
  {
    who: 'olga',
    type: '/cdn storage stats shop',
    title: 'See storage as charts',
    promise: 'Two charts and a table you can sort.',
  },
  {
    who: 'olga',
    type: '/cdn dns add shop',
    title: 'Add a DNS record',
    promise: 'A form that follows the type, then a review before anything is sent.',
  },
  {
    who: 'olga',
    type: '/cdn dns add media A www 192.0.2.44',
    title: 'Ask as Olga, approve as Otto',
    promise: 'This zone takes two people. Ask for approval, then take Otto’s place on the left.',
  },
  {
    who: 'vera',
    type: '/cdn keys list',
    title: 'Be refused',
    promise: 'As Vera, who may only look: keys are not for viewers.',
  },
  {
    who: 'olga',
    type: '/cdn alerts watch shop',
    title: 'Be told when the shop fails',
    promise: 'Then turn on “Time at 60×” and “Origin down” behind the scenes, and wait 15 seconds.',
  },
]

/** The start of a conversation. In the channel where the work is done it says what to try. */
export function greetingHtml(place: Place): Html {
  if (place.kind === 'home') return html``
  if (place.kind === 'dm') {
    return html`<div class="greeting"><h2>CDN Ops <span class="badge">APP</span></h2><p>This is the very beginning of your direct messages with CDN Ops. Commands work here as well: type <code>/cdn</code>.</p></div>`
  }
  const { name } = place.channel
  if (name !== 'ops') {
    return html`<div class="greeting"><h2>#${name}</h2><p>This is the very beginning of the <strong>#${name}</strong> channel.</p></div>`
  }
  return html`<div class="greeting"><h2>Welcome to #ops</h2><p>The real bot, between a made-up Slack and a made-up CDN. Olga and Otto are operators, as the group @cdn-operators says, Ada is the admin, and Vera may only look. Try with one click:</p><ol class="trials">${TRIALS.map(
    ({ who, type, title, promise }) =>
      html`<li><button type="button" data-try="${who}" data-type="${type}"><strong>${title}</strong><span>${promise}</span><code>${type}</code></button></li>`,
  )}</ol></div>`
}
