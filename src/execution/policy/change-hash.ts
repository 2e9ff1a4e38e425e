import { createHash, createHmac } from 'node:crypto'
import type { Invocation } from '../../operations/declaration/operation.ts'
import type { Decision } from '../../operations/declaration/role.ts'
import type { Secret } from '../../shared/secret.ts'

/** Stands for a text without telling it: the same for the same text, as 64 hexadecimal digits. */
export type Digest = (text: string) => string

/**
 * A digest under a key, so that nobody who reads the store alone finds a short secret by trying all there are. Without a
 * key it is a plain hash.
 */
export function digestWith(key: Secret | undefined): Digest {
  return (text) => {
    const digest = key === undefined ? createHash('sha256') : createHmac('sha256', key.reveal())
    return digest.update(text).digest('hex')
  }
}

/**
 * What a change is bound to: what will be done, the policy it was reviewed under, and the prompt that its review was. A
 * person whose role rises does not so confirm what they were shown as a question to others.
 */
export function hashChange(
  { operation, canonical }: Invocation,
  under: { readonly policyVersion: string; readonly prompt: Decision['kind']; readonly digest: Digest },
): string {
  return under.digest(JSON.stringify([operation.name, canonical, under.policyVersion, under.prompt]))
}

/** What is asked for, whoever asks and whatever the policy: two changes that ask for the same have the same. */
export function hashRequest({ operation, canonical }: Invocation, digest: Digest): string {
  return digest(JSON.stringify([operation.name, canonical]))
}
