/** The reader's own records, the fewest moves for a puzzle, kept in the browser and nowhere else. */

const STORED = 'atlas-records'

/** @returns {Record<string, number>} */
function all() {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? '{}')
  } catch {
    return {}
  }
}

/**
 * The record for a puzzle; undefined where there is none.
 * @param {string} puzzle such as `klotski/1A9BF0C00`
 * @returns {number | undefined}
 */
export const recordOf = puzzle => all()[puzzle]

/**
 * Keep a result where it is a record, and give the record.
 * @param {string} puzzle
 * @param {number} moves
 */
export function keepRecord(puzzle, moves) {
  const records = all()
  const best = Math.min(moves, records[puzzle] ?? Infinity)
  try {
    localStorage.setItem(STORED, JSON.stringify({ ...records, [puzzle]: best }))
  } catch {
    // A browser that keeps nothing has no records.
  }
  return best
}
