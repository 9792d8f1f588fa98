/** A rectangle of pegs as a game: jump until few are left, with what the data say can be reached. */

import { readTable } from '../data/parquet.js'
import { h, s } from '../dom.js'
import { t } from '../i18n.js'
import { Nowhere } from '../parts/failure.js'
import { keepRecord } from '../parts/records.js'

const DATASET = 'board_division'
const LARGEST = 12
const MARGIN = 2
/** @type {Record<string, number[]>} */
const WAYS = { u: [-1, 0], r: [0, 1], d: [1, 0], l: [0, -1] }
const ARROWS = { ArrowUp: 'u', ArrowRight: 'r', ArrowDown: 'd', ArrowLeft: 'l' }

/** @typedef {{row: number, column: number, way: string}} Jump */

const key = (row, column) => `${row} ${column}`

/**
 * @param {URLSearchParams} query m, n and the jumps made, as `2.1u_3.3l`
 * @param {AbortSignal} signal
 */
export async function pegsPage(query, signal) {
  const [m, n] = ['m', 'n'].map(name => Number(query.get(name) ?? 3))
  const written = query.get('game') ?? ''
  if (![m, n].every(side => Number.isInteger(side) && side >= 1 && side <= LARGEST)) throw new Nowhere(`m=${query.get('m')}&n=${query.get('n')}`)
  const rows = await readTable(DATASET, 'rectangles', { columns: ['m', 'n', 'fewest'], chosen: file => file.first <= m && m <= file.last, within: { m: [m, m] } })
  const game = new Game(m, n, rows.find(row => row.m === m && row.n === n)?.fewest, signal)
  if (!game.read(written)) throw new Nowhere(written)
  const side = (name, value) => h('input', { type: 'number', min: 1, max: LARGEST, value, id: `pegs-${name}` })
  const [rowsInput, columnsInput] = [side('m', m), side('n', n)]
  const go = event => {
    event.preventDefault()
    location.hash = `#/division/pegs?m=${rowsInput.value}&n=${columnsInput.value}`
  }
  return h('div', {}, h('p', { class: 'lead' }, t('division.pegs.lead')), h('div', { class: 'play' },
    h('div', { class: 'stage' }, game.svg, game.said, game.controls()),
    h('div', { class: 'beside' }, h('form', { class: 'row', onsubmit: go }, h('label', { for: 'pegs-m' }, 'm', rowsInput), h('label', { for: 'pegs-n' }, 'n', columnsInput), h('button', { type: 'submit' }, t('division.pegs.new'))),
      h('p', { class: 'note' }, t('division.pegs.how')), h('p', {}, h('a', { href: `#/division/rectangles?m=${m}&n=${n}` }, t('division.pegs.replay'))))))
}

/** Pegs on an unbounded board; what is shown of it grows with them. */
class Game {
  /** @param {number} m @param {number} n @param {number | undefined} fewest from the data @param {AbortSignal} signal */
  constructor(m, n, fewest, signal) {
    this.m = m
    this.n = n
    this.fewest = fewest
    this.signal = signal
    /** @type {Jump[]} */
    this.jumps = []
    this.chosen = ''
    this.svg = s('svg', { class: 'stones jumping', role: 'group', 'aria-label': t('division.pegs.board', { m, n }) })
    this.said = h('p', { class: 'said', role: 'status' })
  }

  /** The pegs left, as `row column`. */
  get pegs() {
    const pegs = new Set(Array.from({ length: this.m * this.n }, (_, at) => key(Math.floor(at / this.n) + 1, at % this.n + 1)))
    for (const { row, column, way } of this.jumps) {
      const [down, right] = WAYS[way]
      pegs.delete(key(row, column))
      pegs.delete(key(row + down, column + right))
      pegs.add(key(row + 2 * down, column + 2 * right))
    }
    return pegs
  }

  /** The jumps possible. @param {Set<string>} pegs @returns {Jump[]} */
  possible(pegs) {
    return [...pegs].flatMap(peg => {
      const [row, column] = peg.split(' ').map(Number)
      return Object.entries(WAYS).filter(([, [down, right]]) => pegs.has(key(row + down, column + right)) && !pegs.has(key(row + 2 * down, column + 2 * right))).map(([way]) => ({ row, column, way }))
    })
  }

  /** Make the jumps that a text writes; false where one is not possible. @param {string} text */
  read(text) {
    for (const part of text.split('_').filter(Boolean)) {
      const [, row, column, way] = /^(-?\d+)\.(-?\d+)([urdl])$/.exec(part) ?? []
      if (!this.possible(this.pegs).some(one => one.row === Number(row) && one.column === Number(column) && one.way === way)) return false
      this.jumps.push({ row: Number(row), column: Number(column), way })
    }
    this.draw()
    return true
  }

  /** @param {Jump} jump */
  jump(jump) {
    this.jumps.push(jump)
    const [down, right] = WAYS[jump.way]
    const place = key(jump.row + 2 * down, jump.column + 2 * right)
    this.chosen = this.possible(this.pegs).some(one => key(one.row, one.column) === place) ? place : ''
    this.address()
    this.draw(place)
  }

  back(many) {
    this.jumps.splice(Math.max(0, this.jumps.length - many))
    this.chosen = ''
    this.address()
    this.draw()
  }

  /** The game in the address: to share it, to load it again, and for the button that leads back. */
  address() {
    const game = this.jumps.map(({ row, column, way }) => `${row}.${column}${way}`).join('_')
    if (!this.signal.aborted) history.pushState(null, '', `#/division/pegs?m=${this.m}&n=${this.n}${game && `&game=${game}`}`)
  }

  touch(place) {
    const jumps = this.possible(this.pegs)
    const jump = jumps.find(one => key(one.row, one.column) === this.chosen && landing(one) === place)
    if (jump) return this.jump(jump)
    this.chosen = jumps.some(one => key(one.row, one.column) === place) && this.chosen !== place ? place : ''
    return this.draw(place)
  }

  /** An arrow key makes the chosen peg jump that way. */
  press(event, place) {
    if (event.key === 'Enter' || event.key === ' ') this.touch(place)
    else if (event.key in ARROWS) {
      const jump = this.possible(this.pegs).find(one => key(one.row, one.column) === place && one.way === ARROWS[/** @type {keyof typeof ARROWS} */ (event.key)])
      if (jump) this.jump(jump)
    } else return
    event.preventDefault()
  }

  /** Draw what can be reached of the board. @param {string} [focused] */
  draw(focused) {
    const { pegs } = this
    const jumps = this.possible(pegs)
    const places = [...pegs, key(1, 1), key(this.m, this.n)].map(one => one.split(' ').map(Number))
    const [low, high] = [Math.min, Math.max].map((end, at) => [0, 1].map(axis => end(...places.map(one => one[axis])) + MARGIN * (at ? 1 : -1)))
    this.svg.setAttribute('viewBox', `${low[1] - 0.5} ${low[0] - 0.5} ${high[1] - low[1] + 1} ${high[0] - low[0] + 1}`)
    const marks = []
    for (let row = low[0]; row <= high[0]; row++) for (let column = low[1]; column <= high[1]; column++) {
      const place = key(row, column)
      const peg = pegs.has(place)
      const free = jumps.some(one => key(one.row, one.column) === place)
      const target = jumps.some(one => key(one.row, one.column) === this.chosen && landing(one) === place)
      const name = t(target ? 'division.pegs.target' : peg ? 'division.pegs.peg' : 'division.pegs.hole', { row, column })
      marks.push(s('g', { 'data-place': place, class: `spot ${peg ? 'peg' : 'hole'} ${place === this.chosen ? 'chosen' : ''} ${target ? 'target' : ''} ${free ? 'free' : ''}`, transform: `translate(${column} ${row})`,
        ...free || target ? { role: 'button', tabindex: 0, 'aria-label': name, onclick: () => this.touch(place), onkeydown: event => this.press(event, place) } : {} },
      s('circle', { r: 0.44, class: 'well' }), s('circle', { r: peg ? 0.36 : 0.1, class: 'ball' })))
    }
    this.svg.replaceChildren(s('rect', { x: 0.5, y: 0.5, width: this.n, height: this.m, rx: 0.2, class: 'start-area' }), ...marks)
    if (focused) /** @type {any} */ (this.svg.querySelector(`[data-place="${focused}"]`))?.focus?.({ preventScroll: true })
    this.tell(pegs.size, jumps.length)
  }

  tell(pegs, jumps) {
    const least = this.fewest === undefined ? '' : ` · ${t('division.pegs.least', { least: this.fewest })}`
    const won = pegs === this.fewest
    this.svg.classList.toggle('won', won)
    this.said.dataset.mood = won ? 'good' : jumps ? '' : 'bad'
    this.said.textContent = won ? t('division.pegs.won', { pegs, jumps: this.jumps.length }) : `${t(jumps ? 'division.pegs' : 'division.pegs.stuck', { pegs })}${least}`
    if (!jumps && this.jumps.length) this.said.textContent += ` · ${t('division.pegs.record', { mine: keepRecord(`pegs/${this.m}x${this.n}`, pegs) })}`
    if (this.undo && this.restart) this.undo.disabled = this.restart.disabled = !this.jumps.length
  }

  controls() {
    this.undo = h('button', { type: 'button', onclick: () => this.back(1) }, t('undo'))
    this.restart = h('button', { type: 'button', onclick: () => this.back(Infinity) }, t('restart'))
    this.undo.disabled = this.restart.disabled = !this.jumps.length
    return h('div', { class: 'buttons' }, this.undo, this.restart)
  }
}

/** Where a jump ends. @param {Jump} jump */
function landing({ row, column, way }) {
  const [down, right] = WAYS[way]
  return key(row + 2 * down, column + 2 * right)
}
