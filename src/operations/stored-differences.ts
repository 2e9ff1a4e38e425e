import { md, type Mrkdwn } from '../block-kit/mrkdwn.ts'
import { said } from './stored-fields.ts'
import { titledList, type TitledList } from './titled-list.ts'

/** A field that was asked for one way and stored another, both in words. */
export interface Difference {
  readonly field: string
  readonly asked: string
  /** Undefined when the answer does not say. */
  readonly stored: string | undefined
}

/**
 * Whether the platform stored what was asked: nothing, an empty text and an empty list are the same, an id is the same
 * as its digits, and the order of a list does not matter.
 */
export function isSame(asked: unknown, stored: unknown): boolean {
  return comparable(asked) === comparable(stored)
}

/** The differences as a list with a title; nothing when there are none. */
export function differencesList(differences: readonly Difference[]): TitledList {
  return titledList('Stored differently from what was asked', differences.map(inWords))
}

function inWords({ field, asked, stored }: Difference): Mrkdwn {
  if (stored === undefined) return md`*${field}*: asked ${asked}; the answer does not say what was stored`
  // Long texts are cut and secret ones masked, so that two that differ may look the same.
  if (stored === asked) return md`*${field}*: stored otherwise than asked, in a part of ${asked} that is not shown`
  return md`*${field}*: asked ${asked}, stored ${stored}`
}

function comparable(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.map(item).toSorted().join('\n') : said(value)
}

function item(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
