/** Boards of Rush Hour as SVG. Colours are attributes, so that a picture can be saved and printed as it is. */

import { h, s } from '../dom.js'
import { t } from '../i18n.js'
import { drag } from '../parts/drag.js'
import { RED } from './board.js'

const SIDE = 100
const EDGE = 14
const COLOURS = ['#2f5d8c', '#3f7a6b', '#8a6420', '#7a5a94', '#59616b', '#a1546f', '#4b7a2b', '#8c4f2b']

/**
 * @param {import('./board.js').Board} board
 * @param {Record<string, any>} [attributes]
 * @param {any[]} [pieces] elements in place of the board's own
 */
export function picture(board, attributes = {}, pieces = board.pieces.map((piece, at) => s('g', { transform: `translate(${placeOf(piece)})` }, drawn(piece, at)))) {
  const wide = SIDE * board.side
  const row = board.pieces.find(piece => piece.letter === RED)?.row ?? 0
  return s('svg', { viewBox: `${-EDGE} ${-EDGE} ${wide + 2 * EDGE} ${wide + 2 * EDGE}`, ...attributes },
    s('rect', { class: 'wood', fill: '#c9a77a', x: -EDGE, y: -EDGE, width: wide + 2 * EDGE, height: wide + 2 * EDGE, rx: 18 }),
    s('rect', { class: 'floor', fill: '#ede3d2', x: -2, y: -2, width: wide + 4, height: wide + 4, rx: 8 }),
    s('rect', { class: 'gate', fill: '#ede3d2', x: wide, y: SIDE * row + 6, width: EDGE, height: SIDE - 12 }),
    Array.from({ length: board.side ** 2 }, (_, cell) => s('rect', board.walls.includes(cell) ? { class: 'wood', fill: '#c9a77a', ...square(board, cell, 0) } : { class: 'cell', fill: '#e3d6bf', ...square(board, cell, 2) })),
    pieces)
}

const square = ({ side }, cell, gap) => ({ x: SIDE * (cell % side) + gap, y: SIDE * Math.floor(cell / side) + gap, width: SIDE - 2 * gap, height: SIDE - 2 * gap, rx: 8 })
const placeOf = ({ row, column }) => `${SIDE * column} ${SIDE * row}`

/** A piece from the upper left corner of its first cell. */
function drawn({ letter, length, across }, at) {
  const [width, height] = [SIDE * (across ? length : 1) - 14, SIDE * (across ? 1 : length) - 14]
  return [s('rect', { x: 7, y: 7, width, height, rx: 14, fill: letter === RED ? '#b5382a' : COLOURS[at % COLOURS.length] }),
    s('text', { x: 7 + width / 2, y: 7 + height / 2, 'font-size': 34, fill: '#fff', 'text-anchor': 'middle', 'dominant-baseline': 'central', 'font-family': 'system-ui, sans-serif', 'font-weight': 600 }, letter)]
}

/**
 * A board whose pieces can be held and pushed; `make` is called with the name of a step.
 * @param {import('./board.js').Game} game @param {string} text @param {(name: string) => void} make
 */
export function playable(game, text, make) {
  const board = game.at(game.bytes(text))
  const names = new Set(game.moves(text).map(move => move.name))
  const step = (letter, by) => `${letter}${by > 0 ? '+' : ''}${by}`
  const shown = board.pieces.map((piece, at) => {
    const from = piece.across ? piece.column : piece.row
    const place = along => (piece.across ? [SIDE * along, SIDE * piece.row] : [SIDE * piece.column, SIDE * along])
    const g = s('g', { class: 'piece', tabindex: 0, role: 'button', 'data-letter': piece.letter, 'aria-label': t('rush.piece', { letter: piece.letter, row: piece.row + 1, column: piece.column + 1 }) }, drawn(piece, at))
    const put = along => (g.style.transform = `translate(${place(along)[0]}px, ${place(along)[1]}px)`)
    put(from)
    g.addEventListener('pointerdown', event => drag(event, g, {
      from, targets: [from, ...Array.from({ length: board.side }, (_, to) => to).filter(to => names.has(step(piece.letter, to - from)))],
      place, scale: (SIDE * board.side + 2 * EDGE) / svg.getBoundingClientRect().width, put, done: to => make(step(piece.letter, to - from)),
    }))
    g.addEventListener('keydown', event => {
      const by = { ArrowLeft: piece.across ? -1 : 0, ArrowRight: piece.across ? 1 : 0, ArrowUp: piece.across ? 0 : -1, ArrowDown: piece.across ? 0 : 1 }[event.key]
      if (!by || !names.has(step(piece.letter, by))) return
      event.preventDefault()
      const { parentElement } = svg
      make(step(piece.letter, by))
      const again = /** @type {HTMLElement | null | undefined} */ (parentElement?.querySelector(`[data-letter="${piece.letter}"]`))
      again?.focus()
    })
    return g
  })
  const svg = picture(board, { class: 'klotski-board rush-board', role: 'group', 'aria-label': t('rush.board', { side: board.side }) }, shown)
  return svg
}

/** A still board with a caption, as a link. @param {import('./board.js').Board} board @param {string} address @param {any[]} below */
export const card = (board, address, below) => h('a', { class: 'card', href: address }, h('div', { class: 'picture' }, picture(board, { 'aria-hidden': 'true' })), below)

/** The cell of a board under a pointer. @param {SVGSVGElement} svg @param {PointerEvent} event @param {number} side */
export function cellAt(svg, event, side) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()?.inverse())
  const [row, column] = [Math.floor(point.y / SIDE), Math.floor(point.x / SIDE)]
  return row >= 0 && row < side && column >= 0 && column < side ? row * side + column : undefined
}
