/**
 * The whole group of a puzzle in the browser: every position that sliding leads to, and its steps to the goal.
 *
 * A position is a row of bytes, the anchors of the pieces: the marked one first, equal ones ascending, so that pieces that
 * cannot be told apart make one position. Moves can be taken back, so a second search, from all positions with the marked
 * piece at the goal, gives the steps of all. It stops where there are more positions than a phone can hold.
 */

import { pauses } from '../parts/pauses.js'
import { Positions } from '../parts/positions.js'
import { MARKED } from './tray.js'

export const MOST_POSITIONS = 400_000
export const FAR = 0xffff

/** The pieces of a board as bytes, and what one step makes of them. */
class Steps {
  /** @param {import('./tray.js').Board} board */
  constructor(board) {
    this.columns = board.columns
    const kind = piece => (piece.sign === MARKED ? '' : piece.shape.name)
    this.order = board.pieces.map((_, index) => index).sort((a, b) => (kind(board.pieces[a]) < kind(board.pieces[b]) ? -1 : kind(board.pieces[a]) > kind(board.pieces[b]) ? 1 : a - b))
    const kinds = this.order.map(index => kind(board.pieces[index]))
    this.first = kinds.map(one => kinds.indexOf(one))
    this.last = kinds.map(one => kinds.lastIndexOf(one))
    this.masks = this.order.map(index => board.pieces[index].shape.masks)
    this.cells = board.rows * board.columns
    this.next = new Uint8Array(kinds.length)
    this.waiting = new Uint8Array(this.cells)
  }

  /** The bytes of a board with these pieces. @param {import('./tray.js').Board} board */
  bytes(board) {
    const made = Uint8Array.from(this.order, index => board.pieces[index].at)
    for (let at = 0; at < made.length; at = this.last[at] + 1) made.subarray(at, this.last[at] + 1).sort()
    return made
  }

  /** Call `visit` with the bytes of each position one step away; they are overwritten afterwards. */
  expand(position, visit) {
    let covered = 0
    for (let at = 0; at < position.length; at++) covered |= this.masks[at][position[at]]
    for (let at = 0; at < position.length; at++) this.slide(position, at, covered & ~this.masks[at][position[at]], visit)
  }

  slide(position, piece, others, visit) {
    const masks = this.masks[piece]
    const { waiting, columns } = this
    let seen = 1 << position[piece]
    let many = 1
    waiting[0] = position[piece]
    while (many) {
      const place = waiting[--many]
      const column = place % columns
      for (let way = 0; way < 4; way++) {
        if ((way === 0 && column === 0) || (way === 1 && column === columns - 1)) continue
        const to = way === 0 ? place - 1 : way === 1 ? place + 1 : way === 2 ? place - columns : place + columns
        if (to < 0 || to >= this.cells || !masks[to] || masks[to] & others || seen & (1 << to)) continue
        seen |= 1 << to
        waiting[many++] = to
        visit(this.with(position, piece, to))
      }
    }
  }

  /** The bytes with one piece elsewhere, equal pieces in order again. */
  with(position, piece, to) {
    const { next } = this
    next.set(position)
    let at = piece
    for (; at > this.first[piece] && next[at - 1] > to; at--) next[at] = next[at - 1]
    for (; at < this.last[piece] && next[at + 1] < to; at++) next[at] = next[at + 1]
    next[at] = to
    return next
  }
}

/** A group with the steps to the goal from all its positions. */
export class Group {
  /** @param {Steps} steps @param {Positions} positions @param {Uint16Array} far */
  constructor(steps, positions, far) {
    this.steps = steps
    this.positions = positions
    this.far = far
    this.size = positions.size
  }

  /** Steps from a board of the group to the goal; FAR where there is no way. @param {import('./tray.js').Board} board */
  toGo(board) {
    return this.far[this.positions.find(this.steps.bytes(board))]
  }

  /** Positions that are 0, 1, 2, ... steps from the goal. */
  layers() {
    /** @type {number[]} */
    const sizes = []
    for (const step of this.far) if (step !== FAR) sizes[step] = (sizes[step] ?? 0) + 1
    return sizes
  }
}

/**
 * The group of a board, its marked piece to come to an anchor; null where it has more positions than are searched.
 * @param {import('./tray.js').Board} board
 * @param {number} goal
 * @param {(met: number) => void} [tell]
 * @param {AbortSignal} [signal]
 */
export async function groupOf(board, goal, tell, signal) {
  const steps = new Steps(board)
  const positions = new Positions(board.pieces.length)
  const rest = pauses(() => tell?.(positions.size), signal)
  positions.meet(steps.bytes(board))
  const meet = one => positions.meet(one)
  for (let at = 0; at < positions.size; at++) {
    if (positions.size > MOST_POSITIONS) return null
    steps.expand(positions.at(at), meet)
    if (at % 64 === 0) await rest()
  }
  const far = new Uint16Array(positions.size).fill(FAR)
  const queue = new Int32Array(positions.size)
  let many = 0
  const reach = step => number => { if (far[number] === FAR) { far[number] = step; queue[many++] = number } }
  for (let number = 0; number < positions.size; number++) if (positions.at(number)[0] === goal) reach(0)(number)
  for (let at = 0; at < many; at++) {
    const next = reach(far[queue[at]] + 1)
    steps.expand(positions.at(queue[at]), one => next(positions.find(one)))
    if (at % 64 === 0) await rest()
  }
  return new Group(steps, positions, far)
}
