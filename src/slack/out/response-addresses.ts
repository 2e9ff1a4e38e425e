import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import type { Clock } from '../../shared/clock.ts'
import type { Log } from '../../shared/log.ts'
import type { Secret } from '../../shared/secret.ts'
import type { Store } from '../../store/store.ts'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

export type ResponseAddresses = ReturnType<typeof responseAddresses>

/**
 * Where a form is answered, by the id of its change: whichever process takes the last page, and also after a restart. Each
 * address lets its holder speak as the app for half an hour, so the store holds it sealed with a key of the bot token, which
 * all processes of one bot have and the store has not. Never throws: what cannot be kept or found is answered by other ways.
 */
export function responseAddresses(
  store: Pick<Store['responseAddresses'], 'put' | 'get'>,
  botToken: Secret,
  { clock, log }: { readonly clock: Pick<Clock, 'newId'>; readonly log: Log },
) {
  const key = new Uint8Array(hkdfSync('sha256', botToken.reveal(), '', 'response addresses', KEY_BYTES))
  const open = (changeId: string, sealed: Buffer): string => {
    const nonce = sealed.subarray(0, NONCE_BYTES)
    const tagEnd = NONCE_BYTES + TAG_BYTES
    const cipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(changeId))
      .setAuthTag(sealed.subarray(NONCE_BYTES, tagEnd))
    return Buffer.concat([cipher.update(sealed.subarray(tagEnd)), cipher.final()]).toString()
  }
  return {
    async keep(changeId: string, address: string): Promise<void> {
      const nonce = Buffer.from(clock.newId(), 'hex').subarray(0, NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(changeId))
      const text = Buffer.concat([cipher.update(address), cipher.final()])
      const sealed = Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64')
      await store.put(changeId, sealed).catch((error: unknown) => {
        log.warn({ err: error, change: changeId }, 'a response address is not kept: the answer goes another way')
      })
    },
    async find(changeId: string): Promise<string | undefined> {
      try {
        const sealed = await store.get(changeId)
        return sealed && open(changeId, Buffer.from(sealed, 'base64'))
      } catch (error) {
        log.warn({ err: error, change: changeId }, 'a response address is not found: the answer goes another way')
        return undefined
      }
    },
  }
}
