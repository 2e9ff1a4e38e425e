import { CdnError, type CdnFailure } from '../../../src/cdn/contract/errors.ts'

/** How the platform takes the next call: what it does, and what is heard of it. */
export const ANSWERS = [
  'ok',
  'refused',
  'created, 500',
  'not created, 500',
  'created, reset',
  'unreachable',
  'hangs',
] as const
export type PlatformAnswer = (typeof ANSWERS)[number]
export type LateAnswer = Exclude<PlatformAnswer, 'hangs' | 'unreachable'>

/** One call as the platform got it. */
export interface PlatformCall {
  readonly changeId: string
  created: boolean
}

/** A platform that creates what it is asked to, and answers as a test wants. */
export class Platform {
  readonly calls: PlatformCall[] = []
  readonly #hanging: ((answer: LateAnswer) => void)[] = []
  answer: PlatformAnswer = 'ok'

  get hanging(): number {
    return this.#hanging.length
  }

  /** What every creation of a bench comes down to. `arrived` is called when the call has left the process. */
  async create(changeId: string, arrived: () => void): Promise<string> {
    if (this.answer === 'unreachable') throw failed({ kind: 'unreachable', reason: 'refused', sent: 'no' })
    const call = { changeId, created: false }
    this.calls.push(call)
    arrived()
    const answer = this.answer === 'hangs' ? await this.#later() : this.answer
    call.created = answer === 'ok' || answer.startsWith('created')
    switch (answer) {
      case 'ok':
        return 'stored'
      case 'refused':
        throw failed({ kind: 'rejected', status: 400 })
      case 'created, reset':
        throw failed({ kind: 'unreachable', reason: 'reset', sent: 'maybe' })
      case 'created, 500':
      case 'not created, 500':
        throw failed({ kind: 'rejected', status: 500 })
    }
  }

  /** The call that has hung for the longest gets its answer. */
  answerLate(answer: LateAnswer): void {
    this.#hanging.shift()?.(answer)
  }

  #later(): Promise<LateAnswer> {
    return new Promise((resolve) => void this.#hanging.push(resolve))
  }
}

function failed(failure: CdnFailure): CdnError {
  return new CdnError('addDnsRecord', failure)
}
