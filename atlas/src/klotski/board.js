/** A layout as a picture whose pieces can be moved: by mouse, by touch, by the arrow keys. */

import { h, s } from '../dom.js'
import { language, t } from '../i18n.js'
import { drag } from '../parts/drag.js'
import { BLOCK, CELLS, COLUMNS, EXIT, ROWS, SIZES, decode, encode } from './code.js'
import { reachOf, stepBetween } from './moves.js'
import { PINYIN, namesOf } from './names.js'

export const SIDE = 100
export const GAP = 5
export const EDGE = 16
const ARROWS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -COLUMNS, ArrowDown: COLUMNS }
export const NAMES = ['block', 'lying', 'standing', 'single']

export const place = cell => [SIDE * (cell % COLUMNS), SIDE * Math.floor(cell / COLUMNS)]

export class Board {
  /** @param {(code: number, piece: object) => void} onMove after a piece was moved by the reader */
  constructor(onMove) {
    this.onMove = onMove
    this.layer = s('g')
    this.element = s('svg', {
      viewBox: `${-EDGE} ${-EDGE} ${SIDE * COLUMNS + 2 * EDGE} ${SIDE * ROWS + 2 * EDGE}`,
      class: 'klotski-board', role: 'group', 'aria-label': t('klotski.board'),
    }, ...frame(), this.layer)
    /** @type {{piece: import('./code.js').Piece, name: string, g: SVGGElement}[]} */
    this.shown = []
  }

  get code() {
    return encode(this.shown.map(one => one.piece))
  }

  /** Draw a layout. @param {number} code */
  show(code) {
    const pieces = decode(code)
    const names = namesOf(pieces)
    this.element.classList.remove('won')
    this.shown = pieces.map((piece, at) => ({ piece: { ...piece }, name: names[at], g: this.draw(piece, names[at]) }))
    this.layer.replaceChildren(...this.shown.map(one => one.g))
    this.shown.forEach(one => this.put(one))
  }

  /**
   * Move a piece so that this layout comes out, one step away, and wait until it is seen; else draw it anew.
   * @param {number} code
   */
  async go(code) {
    const step = stepBetween(this.code, code)
    const one = step && this.shown.find(({ piece }) => piece.kind === step.kind && piece.cell === step.path[0])
    if (!step || !one) return this.show(code)
    for (const cell of step.path.slice(1)) {
      one.piece.cell = cell
      this.put(one)
      await new Promise(done => setTimeout(done, step.path.length > 3 ? 90 : 140))
    }
  }

  /** @param {import('./code.js').Piece} piece @param {string} name */
  draw({ kind }, name) {
    const [wide, high] = SIZES[kind]
    const g = s('g', { class: `piece ${NAMES[kind]}`, tabindex: 0, role: 'button' },
      s('rect', { x: GAP, y: GAP, width: wide * SIDE - 2 * GAP, height: high * SIDE - 2 * GAP, rx: 14 }),
      written(kind, name))
    g.addEventListener('pointerdown', event => this.drag(event, g))
    g.addEventListener('keydown', event => this.push(event, g))
    return g
  }

  put({ piece, name, g }, cell = piece.cell) {
    const [x, y] = place(cell)
    g.style.transform = `translate(${x}px, ${y}px)`
    g.dataset.cell = String(cell)
    g.setAttribute('aria-label', t('klotski.named', { name: language.now === 'zh' ? name : `${name} ${PINYIN[name]}`, piece: t(`klotski.piece.${NAMES[piece.kind]}`, { row: Math.floor(cell / COLUMNS) + 1, column: (cell % COLUMNS) + 1 }) }))
  }

  find(g) {
    return this.shown.findIndex(one => one.g === g)
  }

  moved(one, cell) {
    one.piece.cell = cell
    this.put(one)
    this.onMove(this.code, one)
  }

  drag(event, g) {
    const index = this.find(g)
    const one = this.shown[index]
    const targets = [one.piece.cell, ...reachOf(this.shown.map(each => each.piece), index).keys()]
    const scale = (SIDE * COLUMNS + 2 * EDGE) / this.element.getBoundingClientRect().width
    drag(event, g, { from: one.piece.cell, targets, place, scale, put: cell => this.put(one, cell), done: cell => this.moved(one, cell) })
  }

  push(event, g) {
    const by = ARROWS[/** @type {keyof typeof ARROWS} */ (event.key)]
    if (!by) return
    event.preventDefault()
    const index = this.find(g)
    const to = this.shown[index].piece.cell + by
    if (reachOf(this.shown.map(each => each.piece), index).get(to) === this.shown[index].piece.cell) this.moved(this.shown[index], to)
  }
}

/** The board behind the pieces: its cells, and the exit below. */
export function frame() {
  const cells = Array.from({ length: CELLS }, (_, cell) => {
    const [x, y] = place(cell)
    return s('rect', { class: 'cell', x: x + 2, y: y + 2, width: SIDE - 4, height: SIDE - 4, rx: 8 })
  })
  const [x, y] = place(EXIT)
  return [
    s('rect', { class: 'wood', x: -EDGE, y: -EDGE, width: SIDE * COLUMNS + 2 * EDGE, height: SIDE * ROWS + 2 * EDGE, rx: 18 }),
    s('rect', { class: 'gate', x: x + 4, y: y + 2 * SIDE, width: 2 * SIDE - 8, height: EDGE }),
    s('rect', { class: 'floor', x: -2, y: -2, width: SIDE * COLUMNS + 4, height: SIDE * ROWS + 4, rx: 8 }), ...cells,
  ]
}

/** A name on a piece, one sign below the other where it stands. */
function written(kind, name) {
  const [wide, high] = SIZES[kind]
  const [x, y] = [wide * SIDE / 2, high * SIDE / 2]
  const size = kind === BLOCK ? 62 : 38
  if (high > wide) return [...name].map((sign, at) => s('text', { x, y: y + (at - (name.length - 1) / 2) * 50, 'font-size': size }, sign))
  return s('text', { x, y, 'font-size': size }, name)
}

/**
 * A small picture of a layout.
 * @param {number} code
 * @param {boolean} [named] with the names on its pieces
 */
export function thumbnail(code, named = false) {
  const pieces = decode(code)
  const names = named ? namesOf(pieces) : []
  const shapes = pieces.map(({ kind, cell }, at) => {
    const [x, y] = place(cell)
    if (named) return s('g', { transform: `translate(${x} ${y})`, class: NAMES[kind] }, s('rect', { x: GAP, y: GAP, width: SIZES[kind][0] * SIDE - 2 * GAP, height: SIZES[kind][1] * SIDE - 2 * GAP, rx: 12 }), written(kind, names[at]))
    return s('rect', { class: NAMES[kind], x: x + GAP, y: y + GAP, width: SIZES[kind][0] * SIDE - 2 * GAP, height: SIZES[kind][1] * SIDE - 2 * GAP, rx: 12 })
  })
  return s('svg', { viewBox: `-6 -6 ${SIDE * COLUMNS + 12} ${SIDE * ROWS + 12}`, class: 'klotski-thumb', 'aria-hidden': 'true' },
    s('rect', { class: 'floor', x: -6, y: -6, width: SIDE * COLUMNS + 12, height: SIDE * ROWS + 12, rx: 16 }), shapes)
}
