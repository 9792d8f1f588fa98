/**
 * Boards of sliding blocks. A tray has up to 30 cells, so that a set of cells is a whole number with a bit for each cell
 * in reading order. A piece is a set of cells that edges connect; it slides and never turns. Where a piece stands is told
 * by its anchor: the cell of the upper left corner of its bounding box, which need not be its own.
 */

import { DrawingFault, EMPTY, readDrawing } from '../parts/drawing.js'

/** Scripts that come later take it from here: a copy of their own would be another class. */
export { DrawingFault }

export const MOST_CELLS = 30
export const MOST_SIDE = 10
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
/** The piece that has to come to the goal. */
export const MARKED = 'A'

/** @typedef {{sign: string, shape: Shape, at: number}} Piece */
/** @typedef {{rows: number, columns: number, pieces: Piece[]}} Board */
/** @typedef {{name: string, height: number, width: number, masks: Int32Array}} Shape masks by anchor; 0 where the shape does not fit */

/** A text that is no board: a key of the strings, and what it is about. */
export class BoardFault extends DrawingFault {
  /** @param {string} key @param {Record<string, any>} [values] */
  constructor(key, values = {}) {
    super(`sliding.fault.${key}`, values)
  }
}

/** The numbers of the cells of a set. @param {number} mask */
export function cellsOf(mask) {
  const found = []
  for (let left = mask; left; left &= left - 1) found.push(31 - Math.clz32(left & -left))
  return found
}

/**
 * The board that a drawing shows: equal signs are a piece, a dot is a void. The board's own signs are capital letters:
 * pieces with other signs get letters that are free, small ones their capitals if they can.
 * @param {string} text
 * @returns {Board}
 */
export function parseBoard(text) {
  const lines = readDrawing(text, 'sliding')
  const [rows, columns] = [lines.length, lines[0].length]
  if (rows * columns > MOST_CELLS || Math.max(rows, columns) > MOST_SIDE) throw new BoardFault('large', { rows, columns, most: MOST_CELLS, side: MOST_SIDE })
  const cells = lines.flat()
  const letters = lettersFor([...new Set(cells)].filter(sign => sign !== EMPTY))
  /** @type {Map<string, number>} */
  const masks = new Map()
  cells.forEach((sign, cell) => {
    const letter = letters.get(sign)
    if (letter) masks.set(letter, (masks.get(letter) ?? 0) | 1 << cell)
  })
  for (const [sign, letter] of letters) {
    const parts = components(rows, columns, masks.get(letter) ?? 0)
    if (parts > 1) throw new BoardFault('parts', { sign, parts })
  }
  const pieces = [...masks].map(([sign, mask]) => ({ sign, ...placed(rows, columns, mask) }))
  return { rows, columns, pieces: pieces.sort((a, b) => (a.sign < b.sign ? -1 : 1)) }
}

/** A capital letter for each sign: its own, else its capital, else one that is free. @param {string[]} signs */
function lettersFor(signs) {
  if (signs.length > LETTERS.length) throw new BoardFault('many', { pieces: signs.length, most: LETTERS.length })
  const isLetter = sign => sign.length === 1 && LETTERS.includes(sign)
  /** @type {Map<string, string>} */
  const found = new Map(signs.filter(isLetter).map(sign => [sign, sign]))
  const taken = new Set(found.keys())
  const give = (sign, letter) => { found.set(sign, letter); taken.add(letter) }
  for (const sign of signs) if (!found.has(sign) && isLetter(sign.toUpperCase()) && !taken.has(sign.toUpperCase())) give(sign, sign.toUpperCase())
  for (const sign of signs) if (!found.has(sign)) give(sign, /** @type {string} */ ([...LETTERS.slice(1), MARKED].find(letter => !taken.has(letter))))
  return found
}

/**
 * The board row by row, with / between.
 * @param {Board} board
 */
export function textOf({ rows, columns, pieces }) {
  const signs = new Array(rows * columns).fill('.')
  for (const { sign, shape, at } of pieces) for (const cell of cellsOf(shape.masks[at])) signs[cell] = sign
  return Array.from({ length: rows }, (_, row) => signs.slice(row * columns, (row + 1) * columns).join('')).join('/')
}

/** The shape of a set of cells, and where it stands. */
function placed(rows, columns, mask) {
  const cells = cellsOf(mask).map(cell => [Math.floor(cell / columns), cell % columns])
  const [top, left] = [0, 1].map(axis => Math.min(...cells.map(cell => cell[axis])))
  const [height, width] = [Math.max(...cells.map(cell => cell[0])) - top + 1, Math.max(...cells.map(cell => cell[1])) - left + 1]
  const masks = new Int32Array(rows * columns)
  const home = cells.reduce((sum, [row, column]) => sum | 1 << ((row - top) * columns + column - left), 0)
  for (let row = 0; row + height <= rows; row++) for (let column = 0; column + width <= columns; column++) masks[row * columns + column] = home << (row * columns + column)
  return { shape: { name: String(home), height, width, masks }, at: top * columns + left }
}

/** How many connected parts a set of cells has. */
function components(rows, columns, mask) {
  let parts = 0
  for (let left = mask; left; parts++) {
    let part = 0
    for (let grown = left & -left; grown !== part; grown = part | cellsOf(part).flatMap(cell => neighbours(rows, columns, cell)).reduce((sum, cell) => sum | (mask & 1 << cell), 0)) part = grown
    left &= ~part
  }
  return parts
}

/** The cells that share an edge with one: left, right, above, below, those on the tray. */
export function neighbours(rows, columns, cell) {
  const column = cell % columns
  return [column > 0 && cell - 1, column < columns - 1 && cell + 1, cell >= columns && cell - columns, cell < (rows - 1) * columns && cell + columns].filter(one => one !== false)
}

/** The anchor at which a shape lies in the lower right corner. @param {Board} board @param {Shape} shape */
export const cornerOf = ({ rows, columns }, shape) => (rows - shape.height) * columns + columns - shape.width

/** The goal of a corner puzzle: the lower right corner, for the marked piece. @param {Board} board */
export const cornerGoal = board => cornerOf(board, /** @type {Piece} */ (board.pieces.find(one => one.sign === MARKED)).shape)

/**
 * Where a piece can go in one step, each anchor with the one it comes from; its own is not among them.
 * @param {Board} board
 * @param {number} index of the piece
 * @returns {Map<number, number>}
 */
export function reachOf({ rows, columns, pieces }, index) {
  const { shape, at } = pieces[index]
  const others = pieces.reduce((sum, one, number) => (number === index ? sum : sum | one.shape.masks[one.at]), 0)
  const from = new Map([[at, at]])
  for (const place of from.keys()) {
    for (const to of neighbours(rows, columns, place)) if (!from.has(to) && shape.masks[to] && !(shape.masks[to] & others)) from.set(to, place)
  }
  from.delete(at)
  return from
}

/**
 * The anchors on the way to one, the first the piece's own; undefined where it cannot go there.
 * @param {Board} board
 * @param {number} index
 * @param {number} to
 */
export function pathTo(board, index, to) {
  const ways = reachOf(board, index)
  if (!ways.has(to)) return undefined
  const path = [to]
  while (path[0] !== board.pieces[index].at) path.unshift(/** @type {number} */ (ways.get(path[0])))
  return path
}

/** @type {Record<string, (place: number[]) => number[]>} */
const WAYS = { u: ([row, column]) => [row - 1, column], r: ([row, column]) => [row, column + 1], d: ([row, column]) => [row + 1, column], l: ([row, column]) => [row, column - 1] }

/** A path as letters: `rd` is right, then down. @param {number} columns @param {number[]} path */
export function wayOf(columns, path) {
  return path.slice(1).map((to, at) => ({ [-columns]: 'u', 1: 'r', [columns]: 'd', [-1]: 'l' })[to - path[at]]).join('')
}

/** A path as arrows. @param {number} columns @param {number[]} path */
export const arrows = (columns, path) => [...wayOf(columns, path)].map(letter => ({ u: '↑', r: '→', d: '↓', l: '←' })[letter]).join('')

/**
 * The board after steps such as `BrAdd`, and the anchor each piece came to; undefined where one is not possible.
 * @param {Board} board
 * @param {string} text
 */
export function stepsIn(board, text) {
  const steps = [...text.matchAll(/([A-Z])([urdl]+)/g)]
  if (steps.map(step => step[0]).join('') !== text) return undefined
  const made = []
  let now = board
  for (const [, sign, way] of steps) {
    const index = now.pieces.findIndex(piece => piece.sign === sign)
    if (index < 0) return undefined
    const place = [...way].reduce((at, letter) => WAYS[letter](at), [Math.floor(now.pieces[index].at / now.columns), now.pieces[index].at % now.columns])
    const to = place[1] < 0 || place[1] >= now.columns ? -1 : place[0] * now.columns + place[1]
    if (!reachOf(now, index).has(to)) return undefined
    made.push({ index, to })
    now = moved(now, index, to)
  }
  return made
}

/** The board with a piece elsewhere. @param {Board} board @returns {Board} */
export const moved = (board, index, to) => ({ ...board, pieces: board.pieces.map((piece, at) => (at === index ? { ...piece, at: to } : piece)) })
