/**
 * Boards of Rush Hour: a text has a letter for each cell, row by row. A is the red car, o an empty cell, x a wall; the
 * other letters are pieces. Pieces slide along their line, and the red car wants to come to the right end of its row.
 */

import { DrawingFault } from '../parts/drawing.js'
import { pauses } from '../parts/pauses.js'
import { Positions } from '../parts/positions.js'

export { DrawingFault }

export const SIDES = [3, 6]
export const RED = 'A'
export const WALL = 'x'
export const EMPTY = 'o'
/** The largest group of 6 x 6 cells has 541,934. */
export const MOST_POSITIONS = 600_000
const FAR = 0xffff

/** @typedef {{letter: string, row: number, column: number, length: number, across: boolean}} Piece */
/** @typedef {{side: number, walls: number[], pieces: Piece[]}} Board */

/** @param {string} key @param {Record<string, any>} [values] */
const fault = (key, values) => new DrawingFault(`rush.fault.${key}`, values)

/**
 * The board of a text, whose rows may be apart, with a dot for an empty cell.
 * @param {string} text
 * @returns {Board}
 */
export function parseBoard(text) {
  const cells = [...text.replace(/[\s/]/g, '').replaceAll('.', EMPTY)]
  const side = Math.round(Math.sqrt(cells.length))
  if (side * side !== cells.length || side < SIDES[0] || side > SIDES[1]) throw fault('side', { cells: cells.length, least: SIDES[0], most: SIDES[1] })
  /** @type {Map<string, number[]>} */
  const places = new Map()
  cells.forEach((letter, cell) => places.set(letter, [...places.get(letter) ?? [], cell]))
  const walls = places.get(WALL) ?? []
  places.delete(WALL)
  places.delete(EMPTY)
  const pieces = [...places].map(([letter, own]) => {
    const [first] = own
    const across = own.at(-1) === first + own.length - 1 && first % side + own.length <= side
    const down = own.every((cell, at) => cell === first + at * side)
    if (own.length < 2 || own.length > 3 || !across && !down) throw fault('piece', { letter })
    if (letter === RED && (own.length > 2 || !across)) throw fault('red', { letter })
    return { letter, row: Math.floor(first / side), column: first % side, length: own.length, across }
  })
  if (!places.has(RED)) throw fault('noRed', { letter: RED })
  return { side, walls, pieces }
}

/** The letters of the cells of a board. @param {Board} board */
export function textOf({ side, walls, pieces }) {
  const cells = new Array(side * side).fill(EMPTY)
  for (const wall of walls) cells[wall] = WALL
  for (const piece of pieces) for (const cell of cellsOf(piece, side)) cells[cell] = piece.letter
  return cells.join('')
}

/** @param {Piece} piece @param {number} side */
export const cellsOf = ({ row, column, length, across }, side) => Array.from({ length }, (_, at) => row * side + column + at * (across ? 1 : side))

/** A board on the way to its end: a game as `puzzles/play.js` plays it, whose positions are texts. */
export class Game {
  /** @param {Board} board */
  constructor(board) {
    this.board = board
    this.red = board.pieces.findIndex(piece => piece.letter === RED)
    this.held = { to: 'goal' }
    this.met = new Positions(board.pieces.length)
    this.grid = new Uint8Array(board.side ** 2)
    /** @type {Promise<void> | undefined} */
    this.searched = undefined
    /** Steps to the end from the positions met; empty where they are too many. */
    this.far = new Uint16Array(0)
    /** The steps that remain from a position, once they are known. */
    this.left = { get: (/** @type {string} */ text) => this.leftOf(this.bytes(text)) }
  }

  /** Where each piece stands along its line. @param {string} text */
  bytes(text) {
    return Uint8Array.from(this.board.pieces, ({ letter, across }) => {
      const cell = text.indexOf(letter)
      return across ? cell % this.board.side : Math.floor(cell / this.board.side)
    })
  }

  /** @param {Uint8Array} position @returns {Board} */
  at(position) {
    return { ...this.board, pieces: this.board.pieces.map((piece, at) => ({ ...piece, [piece.across ? 'column' : 'row']: position[at] })) }
  }

  /** @param {Uint8Array} position @returns {number | null | undefined} */
  leftOf(position) {
    if (position[this.red] === this.board.side - 2) return 0
    const far = this.far.length ? this.far[this.met.find(position)] : undefined
    return far === FAR ? null : far
  }

  /**
   * Call `visit` with the bytes of each position one step away, which are overwritten afterwards, the piece and where it comes to.
   * @param {Uint8Array} position
   * @param {(next: Uint8Array, piece: number, to: number) => void} visit
   */
  expand(position, visit) {
    const { grid, board: { side, walls, pieces } } = this
    grid.fill(0)
    for (const wall of walls) grid[wall] = 1
    const cell = (at, along) => (pieces[at].across ? pieces[at].row * side + along : along * side + pieces[at].column)
    pieces.forEach(({ length }, at) => { for (let along = 0; along < length; along++) grid[cell(at, position[at] + along)] = 1 })
    const next = position.slice()
    pieces.forEach(({ length }, at) => {
      for (let to = position[at] - 1; to >= 0 && !grid[cell(at, to)]; to--) { next[at] = to; visit(next, at, to) }
      for (let to = position[at] + 1; to + length <= side && !grid[cell(at, to + length - 1)]; to++) { next[at] = to; visit(next, at, to) }
      next[at] = position[at]
    })
  }

  /** The steps from a position, by the piece's letter and how far it goes: + is right or down. @param {string} text */
  moves(text) {
    const position = this.bytes(text)
    /** @type {{name: string, to: string}[]} */
    const found = []
    this.expand(position, (next, piece, to) => {
      const by = to - position[piece]
      found.push({ name: `${this.board.pieces[piece].letter}${by > 0 ? '+' : ''}${by}`, to: textOf(this.at(next)) })
    })
    return found
  }

  /** Two steps of one piece are one step, or none. @param {string} last @param {string} name @returns {string[] | undefined} */
  joined(last, name) {
    if (last[0] !== name[0]) return undefined
    const by = Number(last.slice(1)) + Number(name.slice(1))
    return by ? [`${name[0]}${by > 0 ? '+' : ''}${by}`] : []
  }

  /** Every position is held. */
  atEdge() {
    return false
  }

  /** What remains from a position; the first time its whole group is searched. */
  async remaining(text, whole, tell, signal) {
    this.searched ??= this.search(tell, signal)
    await this.searched
    const next = /** @type {Map<string, number | null>} */ (new Map())
    for (const { name, to } of this.moves(text)) {
      const left = this.left.get(to)
      if (left !== undefined && this.far.length) next.set(name, left)
    }
    return { moves: this.left.get(text), next, whole: true }
  }

  /** Meet all positions of the group, then go back from all whose red car is at its end. */
  async search(tell, signal) {
    const { met } = this
    const rest = pauses(() => tell?.(met.size), signal)
    met.meet(this.bytes(textOf(this.board)))
    for (let at = 0; at < met.size; at++) {
      if (met.size > MOST_POSITIONS) return
      this.expand(met.at(at), next => met.meet(next))
      if (at % 64 === 0) await rest()
    }
    const far = new Uint16Array(met.size).fill(FAR)
    const queue = new Int32Array(met.size)
    let many = 0
    const reach = (number, steps) => { if (far[number] === FAR) { far[number] = steps; queue[many++] = number } }
    for (let number = 0; number < met.size; number++) if (met.at(number)[this.red] === this.board.side - 2) reach(number, 0)
    for (let at = 0; at < many; at++) {
      this.expand(met.at(queue[at]), next => reach(met.find(next), far[queue[at]] + 1))
      if (at % 64 === 0) await rest()
    }
    this.far = far
  }
}
