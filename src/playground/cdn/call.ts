import type * as z from 'zod'
import type { EndpointName, Endpoints } from '../../cdn/contract/endpoints.ts'
import type { World } from './world/world.ts'

/** A call that got through: routed, authenticated, its path read. Query and body are still as they came. */
export interface Call<Name extends EndpointName> {
  readonly params: z.output<Endpoints[Name]['params']>
  readonly query: URLSearchParams
  readonly body: unknown
  readonly world: World
  readonly now: Date
}

/** An answer with every field the table's schema knows, if only as null; a file of whole lines, made while sent; or nothing. */
export type Answer<Name extends EndpointName> = Endpoints[Name]['answer'] extends z.ZodType
  ? { readonly status: 200 | 201; readonly body: EveryField<z.input<Endpoints[Name]['answer']>> }
  : Endpoints[Name]['answer'] extends 'lines'
    ? { readonly status: 200; readonly chunks: Iterable<string>; readonly headers: Readonly<Record<string, string>> }
    : { readonly status: 204; readonly body: undefined }

type EveryField<Fields> = { readonly [Name in keyof Fields]-?: Exclude<Fields[Name], undefined> }
