import type { Store } from '../../src/store/store.ts'
import { forEachTest } from '../support/for-each-test.ts'
import type { Opening, StoreHarness } from './harness.ts'

/** A store on the harness for each test. */
export function useStore(harness: StoreHarness, options?: Opening): Store {
  return forEachTest(() => harness.open(options))
}
