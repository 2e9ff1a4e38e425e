import type * as z from 'zod'
import type { chart } from '../../slack/block-rules/charts.ts'
import { html, type Html } from '../html.ts'

/** Shares of a whole. */
export type Pie = Extract<z.infer<typeof chart>, { type: 'pie' }>

export const PIE_SIZE = 220
const CENTRE = PIE_SIZE / 2
const RADIUS = 100
const HOLE = 56
/** An arc cannot end where it begins: a segment that is everything stops just before. */
const NEARLY_ALL = 0.999_99

/** The ring of a pie chart, as the inside of a picture of 220 by 220. */
export function piePicture({ segments }: Pie): Html {
  let from = 0
  return html`${shares(segments).map((share, index) => {
    const to = from + Math.min(share, NEARLY_ALL)
    const path = ring(from, to)
    from += share
    return html`<path class="slice s${index}" d="${path}"><title>${segments[index]?.label}: ${percentage(share)}</title></path>`
  })}`
}

/** What each segment is of the whole: 0 to 1. */
export function shares(segments: Pie['segments']): readonly number[] {
  const whole = segments.reduce((sum, { value }) => sum + value, 0)
  return segments.map(({ value }) => value / whole)
}

/** `12.5%` */
export function percentage(share: number): string {
  return `${(share * 100).toFixed(1)}%`
}

function ring(from: number, to: number): string {
  const isLong = to - from > 0.5 ? 1 : 0
  return [
    `M ${at(from, RADIUS)}`,
    `A ${RADIUS} ${RADIUS} 0 ${isLong} 1 ${at(to, RADIUS)}`,
    `L ${at(to, HOLE)}`,
    `A ${HOLE} ${HOLE} 0 ${isLong} 0 ${at(from, HOLE)}`,
    'Z',
  ].join(' ')
}

/** A point of a circle, a share of the way round from the top. */
function at(share: number, radius: number): string {
  const angle = share * 2 * Math.PI - Math.PI / 2
  return `${(CENTRE + radius * Math.cos(angle)).toFixed(2)} ${(CENTRE + radius * Math.sin(angle)).toFixed(2)}`
}
