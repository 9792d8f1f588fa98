/** Pauses in a long search, so that the page stays alive. */

const SLICE = 15 // milliseconds

/**
 * A function to be awaited now and then: it pauses once a slice of time is over.
 * @param {() => void} [tell] called at each pause
 * @param {AbortSignal} [signal]
 */
export function pauses(tell, signal) {
  let end = performance.now() + SLICE
  return () => {
    if (performance.now() < end) return undefined
    tell?.()
    return new Promise(resume => setTimeout(resume)).then(() => {
      signal?.throwIfAborted()
      end = performance.now() + SLICE
    })
  }
}
