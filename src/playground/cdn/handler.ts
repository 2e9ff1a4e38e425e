import type * as z from 'zod'
import type { EndpointName, Endpoints } from '../../cdn/endpoints.ts'
import type { World } from './world/world.ts'

/** A call that got through: routed, authenticated, its path read. Query and body are still as they came. */
export interface Call<Name extends EndpointName> {
  readonly params: z.output<Endpoints[Name]['params']>
  readonly query: URLSearchParams
  /** What the JSON body says; undefined when there was none. */
  readonly body: unknown
  readonly world: World
  readonly now: Date
}

/** An answer with every field the table's schema knows, or a file of lines. */
export type Answer<Name extends EndpointName> = Endpoints[Name]['answer'] extends z.ZodType
  ? JsonAnswer<EveryField<z.input<Endpoints[Name]['answer']>>>
  : LinesAnswer

interface JsonAnswer<Body> {
  readonly status: 200 | 201
  readonly body: Body
}

interface LinesAnswer {
  readonly status: 200
  /** Whole lines, several at a time, each ended by a line feed. Made while they are sent. */
  readonly chunks: Iterable<string>
  readonly headers: Readonly<Record<string, string>>
}

/** Answers leave nothing out: what the client's schema calls optional must be there, if only as null. */
type EveryField<Fields> = { readonly [Name in keyof Fields]-?: Exclude<Fields[Name], undefined> }
