/** Boards of sliding blocks as SVG. Colours are attributes, so that a picture can be saved and printed as it is. */

import { s } from '../dom.js'
import { MARKED, cellsOf } from './tray.js'

export const SIDE = 100
const GAP = 5
const ROUND = 9
export const EDGE = 16
const RED = '#b5382a'
const COLOURS = ['#2f5d8c', '#3f7a6b', '#8a6420', '#7a5a94', '#59616b', '#a1546f', '#4b7a2b', '#8c4f2b']

/** The x and y of a cell. @param {number} columns @param {number} cell */
export const placeOf = (columns, cell) => [SIDE * (cell % columns), SIDE * Math.floor(cell / columns)]

/** A colour for each piece: the marked one is red, equal ones have the same. @param {import('./tray.js').Board} board */
export function coloursOf({ pieces }) {
  const shapes = [...new Set(pieces.filter(one => one.sign !== MARKED).map(one => one.shape.name))]
  return pieces.map(one => (one.sign === MARKED ? RED : COLOURS[shapes.indexOf(one.shape.name) % COLOURS.length]))
}

/**
 * The outline of a shape as a path, from the upper left corner of its bounding box, drawn in by a gap; holes included.
 * Sides of cells with the shape on their right are joined to loops; where two cells touch by a corner alone, a loop turns
 * right, so that they stay apart.
 * @param {import('./tray.js').Shape} shape
 * @param {number} columns of the tray
 * @param {number} gap
 */
export function outline(shape, columns, gap) {
  const own = new Set(cellsOf(shape.masks[0]).map(cell => `${cell % columns} ${Math.floor(cell / columns)}`))
  const sides = new Map()
  for (const cell of own) {
    const [x, y] = cell.split(' ').map(Number)
    for (const [from, by, beside] of /** @type {[number[], number[], number[]][]} */ ([[[x, y], [1, 0], [x, y - 1]], [[x + 1, y], [0, 1], [x + 1, y]], [[x + 1, y + 1], [-1, 0], [x, y + 1]], [[x, y + 1], [0, -1], [x - 1, y]]])) {
      if (!own.has(beside.join(' '))) sides.set(`${from} ${by}`, { from, by })
    }
  }
  let path = ''
  while (sides.size) path += loop(sides, gap)
  return path
}

/** Take a loop of sides out, and give its corners. */
function loop(sides, gap) {
  let [first] = sides.keys()
  let path = ''
  for (let key = first, side = sides.get(key); side; ) {
    sides.delete(key)
    const { from: [x, y], by: [dx, dy] } = side
    const end = [x + dx, y + dy]
    const turns = [[-dy, dx], [dx, dy], [dy, -dx]]
    const turn = turns.find(by => sides.has(`${end} ${by}`) || `${end} ${by}` === first) ?? turns[0]
    // Both sides are drawn in to their right: at a corner by both, along a straight line there is no point.
    if (turn !== turns[1]) path += `${path ? 'L' : 'M'}${SIDE * end[0] + gap * (-dy - turn[1])} ${SIDE * end[1] + gap * (dx + turn[0])}`
    key = `${end} ${turn}`
    side = sides.get(key)
  }
  return `${path}Z`
}

/** A piece as a path with round corners. @param {import('./tray.js').Piece} piece @param {number} columns @param {string} fill */
export const drawnPiece = ({ shape }, columns, fill) => s('path', { d: outline(shape, columns, GAP + ROUND), fill, 'fill-rule': 'evenodd', stroke: fill, 'stroke-width': 2 * ROUND, 'stroke-linejoin': 'round' })

/** The letter of a piece, on its first cell. */
export function letterOf({ sign, shape }, columns) {
  const [x, y] = placeOf(columns, cellsOf(shape.masks[0])[0])
  return s('text', { x: x + SIDE / 2, y: y + SIDE / 2, 'font-size': 34, fill: '#fff', 'text-anchor': 'middle', 'dominant-baseline': 'central', 'font-family': 'system-ui, sans-serif', 'font-weight': 600 }, sign)
}

/** The goal as a dashed line. @param {import('./tray.js').Board} board @param {import('./tray.js').Shape} shape @param {number} at */
export function goalOf({ columns }, shape, at) {
  const [x, y] = placeOf(columns, at)
  return s('path', { class: 'goal', transform: `translate(${x} ${y})`, d: outline(shape, columns, 3), fill: 'none', stroke: RED, 'stroke-width': 5, 'stroke-dasharray': '14 9', 'pointer-events': 'none' })
}

/** The tray behind the pieces. @param {import('./tray.js').Board} board */
export function frame({ rows, columns }) {
  const cells = Array.from({ length: rows * columns }, (_, cell) => {
    const [x, y] = placeOf(columns, cell)
    return s('rect', { class: 'cell', fill: '#e3d6bf', x: x + 2, y: y + 2, width: SIDE - 4, height: SIDE - 4, rx: 8 })
  })
  return [
    s('rect', { class: 'wood', fill: '#c9a77a', x: -EDGE, y: -EDGE, width: SIDE * columns + 2 * EDGE, height: SIDE * rows + 2 * EDGE, rx: 18 }),
    s('rect', { class: 'floor', fill: '#ede3d2', x: -2, y: -2, width: SIDE * columns + 4, height: SIDE * rows + 4, rx: 8 }), ...cells,
  ]
}

export const viewBox = ({ rows, columns }) => `${-EDGE} ${-EDGE} ${SIDE * columns + 2 * EDGE} ${SIDE * rows + 2 * EDGE}`

/** A still picture of a board with its goal. @param {import('./tray.js').Board} board @param {number} goal the marked piece's @param {Record<string, any>} [attributes] */
export function picture(board, goal, attributes = {}) {
  const colours = coloursOf(board)
  const marked = board.pieces.find(one => one.sign === MARKED)
  return s('svg', { viewBox: viewBox(board), ...attributes }, frame(board), board.pieces.map((piece, index) => {
    const [x, y] = placeOf(board.columns, piece.at)
    return s('g', { transform: `translate(${x} ${y})` }, drawnPiece(piece, board.columns, colours[index]), letterOf(piece, board.columns))
  }), marked && goalOf(board, marked.shape, goal))
}
