/** A shortest solution as text. */

import { FAR, groupOf } from './search.js'
import { MARKED, arrows, moved, pathTo, reachOf } from './tray.js'

/**
 * The pieces that move, and their ways; null where the group is too large or there is none.
 * @param {import('./tray.js').Board} start @param {number} goal @param {AbortSignal} signal
 */
export async function solution(start, goal, signal) {
  const group = await groupOf(start, goal, undefined, signal)
  const marked = start.pieces.findIndex(one => one.sign === MARKED)
  if (!group || group.toGo(start) === FAR) return null
  const made = []
  for (let board = start; board.pieces[marked].at !== goal;) {
    const left = group.toGo(board)
    const step = board.pieces.flatMap((_, index) => [...reachOf(board, index).keys()].map(to => ({ index, to }))).find(({ index, to }) => group.toGo(moved(board, index, to)) < left)
    if (!step) return null
    made.push(`${board.pieces[step.index].sign}${arrows(board.columns, pathTo(board, step.index, step.to) ?? [])}`)
    board = moved(board, step.index, step.to)
  }
  return made
}
