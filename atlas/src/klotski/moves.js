/**
 * Steps: one piece moved any number of cells, in any directions, round corners, without rotation, through empty cells.
 */

import { CELLS, COLUMNS, FOOTPRINT, decode } from './code.js'

/** For each kind and cell, the cells one further where the piece still lies on the board. */
const BESIDE = FOOTPRINT.map(masks => masks.map((mask, cell) => mask ? beside(masks, cell) : []))

function beside(masks, cell) {
  const column = cell % COLUMNS
  const found = []
  if (column > 0) found.push(cell - 1)
  if (column < COLUMNS - 1) found.push(cell + 1)
  found.push(cell - COLUMNS, cell + COLUMNS)
  return found.filter(to => to >= 0 && to < CELLS && masks[to])
}

/**
 * Where a piece can go in one step, each cell with the cell it comes from.
 * @param {number} kind
 * @param {number} cell
 * @param {number} free the cells that are empty or its own
 * @returns {Map<number, number>} without the cell it stands on
 */
export function reach(kind, cell, free) {
  const from = new Map([[cell, cell]])
  for (const at of from.keys()) {
    for (const to of BESIDE[kind][at]) if (!from.has(to) && !(FOOTPRINT[kind][to] & ~free)) from.set(to, at)
  }
  from.delete(cell)
  return from
}

/**
 * The cells that pieces leave free.
 * @param {import('./code.js').Piece[]} pieces
 */
export function freeCells(pieces) {
  return pieces.reduce((free, { kind, cell }) => free & ~FOOTPRINT[kind][cell], (1 << CELLS) - 1)
}

/**
 * Where the piece on a cell can go, in a layout.
 * @param {import('./code.js').Piece[]} pieces
 * @param {number} index of the piece
 */
export function reachOf(pieces, index) {
  const { kind, cell } = pieces[index]
  return reach(kind, cell, freeCells(pieces) | FOOTPRINT[kind][cell])
}

/**
 * The piece that a step moved, and the cells it went over; undefined where two layouts are not one step apart.
 * @param {number} from code
 * @param {number} to code
 * @returns {{kind: number, path: number[]} | undefined}
 */
export function stepBetween(from, to) {
  const left = decode(from)
  const key = piece => `${piece.kind} ${piece.cell}`
  const there = new Set(decode(to).map(key))
  const here = new Set(left.map(key))
  const gone = left.filter(piece => !there.has(key(piece)))
  const come = decode(to).filter(piece => !here.has(key(piece)))
  if (gone.length !== 1 || come.length !== 1 || gone[0].kind !== come[0].kind) return undefined
  const ways = reachOf(left, left.indexOf(gone[0]))
  if (!ways.has(come[0].cell)) return undefined
  const path = [come[0].cell]
  while (path[0] !== gone[0].cell) path.unshift(ways.get(path[0]) ?? gone[0].cell)
  return { kind: gone[0].kind, path }
}

const ARROWS = new Map([[1, '→'], [-1, '←'], [COLUMNS, '↓'], [-COLUMNS, '↑']])

/** A path of cells as arrows. @param {number[]} path */
export const arrowsOf = path => path.slice(1).map((cell, at) => ARROWS.get(cell - path[at])).join('')

export { BESIDE }
