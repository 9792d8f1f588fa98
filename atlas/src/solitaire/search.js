/**
 * The least number of moves to the goal, searched in the browser where the data do not hold it: by moves, going on with
 * the peg that jumped last costs nothing. It gives up where too many positions are met.
 */

import { after } from './board.js'

const MOST = 120_000
const SLICE = 12

/**
 * @param {import('./board.js').Board} board
 * @param {number} position
 * @param {number} last the hole of the peg that jumped last, -1 for none
 * @param {(position: number) => boolean} reached
 * @param {AbortSignal} [signal]
 * @returns {Promise<number | null | undefined>} moves; null where the goal cannot be reached; undefined where it gave up
 */
export async function leastMoves(board, position, last, reached, signal) {
  const holes = 64
  const seen = new Set()
  let layer = [[position, last]]
  let pause = performance.now() + SLICE
  for (let moves = 0; layer.length; moves++) {
    const later = []
    while (layer.length) {
      const [now, peg] = /** @type {[number, number]} */ (layer.pop())
      const key = now * holes + peg + 1
      if (seen.has(key)) continue
      seen.add(key)
      if (reached(now)) return moves
      if (seen.size > MOST) return undefined
      const low = now % 2 ** 26
      const high = Math.floor(now / 2 ** 26)
      const has = hole => (hole < 26 ? low >> hole : high >> (hole - 26)) & 1
      for (const jump of board.jumps) {
        if (!has(jump.from) || !has(jump.over) || has(jump.to)) continue
        const next = [after(now, jump), jump.to]
        if (jump.from === peg) layer.push(next)
        else later.push(next)
      }
      if (performance.now() > pause) {
        await new Promise(resume => setTimeout(resume))
        signal?.throwIfAborted()
        pause = performance.now() + SLICE
      }
    }
    layer = later
  }
  return null
}
