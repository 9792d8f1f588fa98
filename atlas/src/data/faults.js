/** What went wrong with data, in a form that pages show: a kind (a key of the strings) and what it is about. */

export class DataFault extends Error {
  /**
   * @param {'damaged' | 'missing' | 'no-ranges' | 'network' | 'status' | 'script'} kind
   * @param {string} where the file, and the place in it
   * @param {string} [detail]
   */
  constructor(kind, where, detail = '') {
    super(`${kind}: ${where}${detail ? ` (${detail})` : ''}`)
    this.name = 'DataFault'
    this.kind = kind
    this.where = where
    this.detail = detail
  }
}

/**
 * The data fault in an error's chain of causes; libraries wrap what a codec or a store throws.
 * @param {any} error
 * @returns {DataFault | undefined}
 */
export function dataFault(error) {
  for (let at = error; at; at = at.cause) if (at instanceof DataFault) return at
  return undefined
}

/**
 * A script that is loaded when it is first needed; the fault says so where it does not come.
 * @template T
 * @param {Promise<T>} loading
 * @returns {Promise<T>}
 */
export async function script(loading) {
  try {
    return await loading
  } catch (cause) {
    throw new DataFault('script', String(/** @type {any} */ (cause)?.message ?? cause))
  }
}

/**
 * Whether an error only says that the reader has left the page.
 * @param {any} error
 */
export const aborted = error => error?.name === 'AbortError'
