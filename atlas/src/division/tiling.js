/** A cover by L-trominoes as a game: lay them on a board less one cell, until every cell is covered. */

import { h, s } from '../dom.js'
import { number, t } from '../i18n.js'
import { Nowhere } from '../parts/failure.js'
import { coverCount } from './data.js'

const MOST_K = 4
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }

/**
 * @param {URLSearchParams} query k, the row and column of the cell left out (from 1), and the trominoes laid
 * @param {AbortSignal} signal
 */
export function tilingPage(query, signal) {
  const k = Number(query.get('k') ?? 2)
  const [row, column] = ['row', 'column'].map(name => Number(query.get(name) ?? 1))
  const fits = value => Number.isInteger(value) && value >= 1 && value <= 1 << k
  if (!(Number.isInteger(k) && k >= 1 && k <= MOST_K && fits(row) && fits(column))) throw new Nowhere(`k=${query.get('k')}&row=${query.get('row')}&column=${query.get('column')}`)
  const game = new Game(k, row - 1, column - 1, signal)
  if (!game.read(query.get('game') ?? '')) throw new Nowhere(query.get('game') ?? '')
  const select = h('select', { id: 'tiling-k', onchange: () => (location.hash = `#/division/tiling?k=${select.value}`) }, Array.from({ length: MOST_K }, (_, at) => h('option', { value: at + 1, selected: at + 1 === k }, `${2 << at} × ${2 << at}`)))
  const other = () => {
    const cell = Math.floor(Math.random() * (1 << 2 * k))
    location.hash = `#/division/tiling?k=${k}&row=${(cell >> k) + 1}&column=${cell % (1 << k) + 1}`
  }
  game.count()
  return h('div', {}, h('p', { class: 'lead' }, t('division.tiling.lead')), h('div', { class: 'play' },
    h('div', { class: 'stage' }, game.svg, game.said, h('div', { class: 'buttons' }, game.undo, game.restart)),
    h('div', { class: 'beside' }, h('div', { class: 'row' }, h('label', { for: 'tiling-k' }, t('division.tiling.size'), select), h('button', { type: 'button', onclick: other }, t('division.tiling.other'))),
      game.covers, h('p', { class: 'note' }, t('division.tiling.how')), h('p', {}, h('a', { href: `#/division?k=${k}&row=${row}&column=${column}` }, t('division.tiling.rule'))))))
}

/** The board and the trominoes on it, each as its three cells, ascending. */
class Game {
  constructor(k, row, column, signal) {
    this.k = k
    this.side = 1 << k
    this.open = row * this.side + column
    this.signal = signal
    /** @type {number[][]} */
    this.laid = []
    /** Cells touched that are no tromino yet. @type {number[]} */
    this.touched = []
    this.covers = h('p', { class: 'note' })
    this.said = h('p', { class: 'said', role: 'status' })
    this.undo = h('button', { type: 'button', onclick: () => this.back(1) }, t('undo'))
    this.restart = h('button', { type: 'button', onclick: () => this.back(Infinity) }, t('restart'))
    this.svg = s('svg', { viewBox: `-0.1 -0.1 ${this.side + 0.2} ${this.side + 0.2}`, class: 'stones tiling', role: 'group', 'aria-label': t('division.tiling.board', { side: this.side }) })
    this.svg.addEventListener('pointerdown', event => this.stroke(event))
  }

  get free() {
    const covered = new Set(this.laid.flat())
    return Array.from({ length: this.side ** 2 }, (_, cell) => cell !== this.open && !covered.has(cell))
  }

  /** Whether cells lie in a square of two by two. @param {number[]} cells */
  together(cells) {
    return [cells.map(cell => Math.floor(cell / this.side)), cells.map(cell => cell % this.side)].every(places => Math.max(...places) - Math.min(...places) <= 1)
  }

  /** Lay the trominoes that a text writes, as `0.1.4_2.3.6`; false where one is none or covers a cell again. @param {string} text */
  read(text) {
    for (const part of text.split('_').filter(Boolean)) {
      const cells = [...new Set(part.split('.').map(Number))]
      const { free } = this
      if (cells.length !== 3 || !cells.every(cell => free[cell]) || !this.together(cells)) return false
      this.laid.push(cells)
    }
    this.draw()
    return true
  }

  /** A stroke of the pointer touches the cells it goes over. */
  stroke(event) {
    const cellAt = moved => document.elementFromPoint(moved.clientX, moved.clientY)?.closest('[data-cell]')?.getAttribute('data-cell')
    const first = cellAt(event)
    if (first === null || first === undefined) return
    let last = first
    this.touch(Number(first))
    const follow = moved => {
      const cell = cellAt(moved)
      if (!cell || cell === last) return
      last = cell
      if (this.free[Number(cell)] && !this.touched.includes(Number(cell))) this.touch(Number(cell))
    }
    this.svg.addEventListener('pointermove', follow)
    for (const end of ['pointerup', 'pointercancel', 'pointerleave']) this.svg.addEventListener(end, () => this.svg.removeEventListener('pointermove', follow), { once: true })
  }

  /** Touch a cell: three that belong together make a tromino; one that is covered loses its tromino. */
  touch(cell) {
    if (cell === this.open) return
    const there = this.laid.findIndex(cells => cells.includes(cell))
    if (there >= 0) {
      this.laid.splice(there, 1)
      this.touched = []
      this.address()
    } else if (this.touched.includes(cell)) this.touched = this.touched.filter(one => one !== cell)
    else this.touched = [...this.touched.filter(one => this.together([one, cell])), cell]
    if (this.touched.length === 3) {
      this.laid.push([...this.touched].sort((a, b) => a - b))
      this.touched = []
      this.address()
    }
    this.draw(cell)
  }

  back(many) {
    this.laid.splice(Math.max(0, this.laid.length - many))
    this.touched = []
    this.address()
    this.draw()
  }

  address() {
    const game = this.laid.map(cells => cells.join('.')).join('_')
    if (!this.signal.aborted) history.replaceState(null, '', `#/division/tiling?k=${this.k}&row=${Math.floor(this.open / this.side) + 1}&column=${this.open % this.side + 1}${game && `&game=${game}`}`)
  }

  /** Free cells that no tromino can cover any more. @param {boolean[]} free */
  lost(free) {
    const { side } = this
    return free.flatMap((own, cell) => {
      if (!own) return []
      const corners = [[0, 0], [0, -1], [-1, 0], [-1, -1]].map(([down, right]) => [Math.floor(cell / side) + down, cell % side + right]).filter(([row, column]) => row >= 0 && column >= 0 && row < side - 1 && column < side - 1)
      const fits = corners.some(([row, column]) => [0, 1, side, side + 1].filter(by => free[row * side + column + by]).length >= 3)
      return fits ? [] : [cell]
    })
  }

  /** @param {number} [focused] */
  draw(focused) {
    const { side, free } = this
    const lost = new Set(this.lost(free))
    const owner = new Map(this.laid.flatMap((cells, at) => cells.map(cell => /** @type {[number, number]} */ ([cell, at]))))
    const colours = this.colours()
    this.svg.replaceChildren(...free.map((_, cell) => {
      const [row, column] = [Math.floor(cell / side), cell % side]
      const own = owner.get(cell)
      const state = cell === this.open ? 'open' : own !== undefined ? 'covered' : this.touched.includes(cell) ? 'touched' : lost.has(cell) ? 'lost' : 'free'
      const joined = by => own !== undefined && owner.get(cell + by) === own
      return s('g', { role: 'button', 'data-cell': cell, tabindex: cell === (focused ?? 0) ? 0 : -1, 'aria-label': t('and', { one: t('division.cell', { row: row + 1, column: column + 1 }), other: t(`division.tiling.${state}`) }), class: `place ${state}`, onkeydown: event => this.press(event, cell) },
        s('rect', { x: column + 0.03, y: row + 0.03, width: column + 1 < side && joined(1) ? 1 : 0.94, height: joined(side) ? 1 : 0.94, rx: own === undefined ? 0.08 : 0, class: own === undefined ? 'square' : `tromino t${colours[own]}` }))
    }))
    if (focused !== undefined) this.focus(focused)
    this.tell(free.filter(Boolean).length, lost.size)
  }

  /** A colour for each tromino, other than those of its neighbours where four are enough. */
  colours() {
    /** @type {number[]} */
    const chosen = []
    this.laid.forEach((cells, at) => {
      const near = new Set(this.laid.slice(0, at).flatMap((other, number) => (other.some(a => cells.some(b => [1, this.side].includes(Math.abs(a - b)))) ? [chosen[number]] : [])))
      chosen.push([1, 2, 3, 4].find(colour => !near.has(colour)) ?? 5)
    })
    return chosen
  }

  focus(cell) {
    for (const other of this.svg.querySelectorAll('[tabindex="0"]')) other.setAttribute('tabindex', '-1')
    const g = /** @type {any} */ (this.svg.querySelector(`[data-cell="${cell}"]`))
    g?.setAttribute('tabindex', '0')
    g?.focus({ preventScroll: true })
  }

  press(event, cell) {
    if (event.key === 'Enter' || event.key === ' ') this.touch(cell)
    else if (event.key in ARROWS) {
      const [down, right] = ARROWS[event.key]
      const [row, column] = [Math.floor(cell / this.side) + down, cell % this.side + right]
      if (row >= 0 && row < this.side && column >= 0 && column < this.side) this.focus(row * this.side + column)
    } else return
    event.preventDefault()
  }

  tell(free, lost) {
    const all = (this.side ** 2 - 1) / 3
    this.svg.classList.toggle('won', !free)
    this.said.dataset.mood = free ? (lost ? 'bad' : '') : 'good'
    this.said.textContent = !free ? t('division.tiling.won', { count: all }) : [t('division.tiling.state', { laid: this.laid.length, all }), lost && t('division.tiling.stuck', { lost })].filter(Boolean).join(' · ')
    this.undo.disabled = this.restart.disabled = !this.laid.length
  }

  /** How many covers there are, where the data tell. */
  async count() {
    const covers = await coverCount(this.side, Math.floor(this.open / this.side) + 1, this.open % this.side + 1).catch(() => '')
    this.covers.textContent = covers ? t('division.cover.all', { covers: number(BigInt(covers)) }) : ''
  }
}
