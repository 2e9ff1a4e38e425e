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

/** Three things that show what this is: numbers as charts, a form with its review, and a refusal. */
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
    who: 'vera',
    type: '/cdn keys list',
    title: 'Be refused',
    promise: 'As Vera, who may only look: keys are not for viewers.',
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
  return html`<div class="greeting"><h2>Welcome to #ops</h2><p>The real bot answers here, between a made-up Slack and a made-up CDN. Three things to try, each one click:</p><ol class="trials">${TRIALS.map(
    ({ who, type, title, promise }) =>
      html`<li><button type="button" data-try="${who}" data-type="${type}"><strong>${title}</strong><span>${promise}</span><code>${type}</code></button></li>`,
  )}</ol></div>`
}
