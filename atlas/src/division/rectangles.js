/** Pegs in a rectangle: the fewest that can be left, and games that leave so few. */

import { readTable } from '../data/parquet.js'
import { h, s } from '../dom.js'
import { t } from '../i18n.js'
import { failure, into } from '../parts/failure.js'

const DATASET = 'board_division'
const SHOWN = 20
const MOST_JUMPS = 2000
const WAYS = [[-1, 0], [0, 1], [1, 0], [0, -1]]

/** @param {URLSearchParams} query m and n of the game shown
 * @param {AbortSignal} signal */
export async function rectanglesPage(query, signal) {
  const rows = await readTable(DATASET, 'rectangles', { columns: ['m', 'n', 'fewest'], chosen: file => file.first <= SHOWN, within: { m: [1, SHOWN] } })
  const values = new Map(rows.filter(row => row.n <= SHOWN && row.m <= SHOWN).map(row => [`${row.m} ${row.n}`, row]))
  const game = h('section')
  const open = (m, n) => into(game, () => replay(m, n, values.get(`${m} ${n}`), signal))
  const m = Number(query.get('m') ?? 4)
  const n = Number(query.get('n') ?? 5)
  open(m, n)
  return h('div', {}, h('p', {}, t('division.rectangles.lead')), h('div', { class: 'heat-play' },
    h('div', {}, valueTable(values), lookup()), game))
}

function valueTable(values) {
  const sides = Array.from({ length: SHOWN }, (_, at) => at + 1)
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('division.rectangles.table') }, h('table', { class: 'heat' },
    h('caption', {}, t('division.rectangles.caption')),
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'm \\ n'), sides.map(n => h('th', { scope: 'col' }, n)))),
    h('tbody', {}, sides.map(m => h('tr', {}, h('th', { scope: 'row' }, m), sides.map(n => {
      const fewest = values.get(`${m} ${n}`)?.fewest
      if (fewest === undefined) return h('td', {})
      const cell = h('td', { class: 'shade' }, h('a', { href: `#/division/rectangles?m=${m}&n=${n}`, 'aria-label': `${m} × ${n}: ${fewest}` }, fewest))
      cell.style.setProperty('--share', (fewest === 1 ? 0.12 : fewest === 2 ? 0.55 : Math.min(1, 0.5 + fewest / 20)).toFixed(2))
      return cell
    }))))))
}

/** The value of any rectangle of the data. */
function lookup() {
  const [m, n] = ['m', 'n'].map(name => h('input', { type: 'number', min: 1, max: 2000, value: name === 'm' ? 999 : 1000, id: `rectangle-${name}` }))
  const said = h('output', { class: 'said' })
  const find = async event => {
    event.preventDefault()
    try {
      const [rows, columns] = [Number(m.value), Number(n.value)]
      const found = (await readTable(DATASET, 'rectangles', { chosen: file => file.first <= rows && rows <= file.last, columns: ['m', 'n', 'fewest'], within: { m: [rows, rows] } })).find(row => row.m === rows && row.n === columns)
      said.replaceChildren(found ? t('division.rectangles.value', { m: rows, n: columns, fewest: found.fewest, jumps: rows * columns - found.fewest }) : t('unknown'))
    } catch (error) {
      said.replaceChildren(failure(error))
    }
  }
  return h('form', { class: 'row', onsubmit: find }, h('label', { for: 'rectangle-m' }, 'm', m), h('label', { for: 'rectangle-n' }, 'n', n), h('button', { type: 'submit' }, t('division.rectangles.find')), said)
}

/** The game of a rectangle, where the data hold one. */
async function replay(m, n, value, signal) {
  const title = h('h2', {}, t('division.game', { m, n }))
  const rows = (await readTable(DATASET, 'jumps', { chosen: file => file.first <= m && m <= file.last, within: { m: [m, m], n: [n, n] } })).filter(row => row.m === m && row.n === n)
  if (!rows.length) return [title, value && h('p', {}, t('division.rectangles.value', { m, n, fewest: value.fewest, jumps: m * n - value.fewest })), h('p', { class: 'unknown' }, t(value?.fewest === m * n ? 'division.noJumps' : 'division.noGame'))]
  return [title, new Replay(m, n, rows.slice(0, MOST_JUMPS), signal).element]
}

/** Pegs on an unbounded board, jump by jump. */
class Replay {
  constructor(m, n, jumps, signal) {
    this.jumps = jumps
    this.at = 0
    this.playing = 0
    this.start = new Set(Array.from({ length: m * n }, (_, at) => key(Math.floor(at / n) + 1, (at % n) + 1)))
    const ends = jumps.map(jump => [jump.row_num + 2 * WAYS[jump.direction][0], jump.column_num + 2 * WAYS[jump.direction][1]])
    const low = [Math.min(1, ...ends.map(end => end[0])), Math.min(1, ...ends.map(end => end[1]))]
    const high = [Math.max(m, ...ends.map(end => end[0])), Math.max(n, ...ends.map(end => end[1]))]
    this.box = { low, high, m, n }
    this.svg = s('svg', { viewBox: `${low[1] - 1} ${low[0] - 1} ${high[1] - low[1] + 2} ${high[0] - low[0] + 2}`, class: 'stones', role: 'img' })
    this.slider = h('input', { type: 'range', min: 0, max: jumps.length, value: 0, 'aria-label': t('division.jump'), oninput: () => { this.pause(); this.go(Number(this.slider.value)) } })
    this.label = h('p', { class: 'said', role: 'status' })
    this.button = h('button', { type: 'button', class: 'main', onclick: () => (this.playing ? this.pause() : this.play()) }, t('play'))
    const step = (by, sign, name) => h('button', { type: 'button', 'aria-label': t(name), onclick: () => { this.pause(); this.go(this.at + by) } }, sign)
    this.element = h('div', {}, this.svg, this.label, h('div', { class: 'buttons' }, this.button, step(-1, '←', 'previous'), step(1, '→', 'next'), this.slider))
    signal.addEventListener('abort', () => this.pause())
    this.go(0)
  }

  go(to) {
    this.at = Math.min(Math.max(to, 0), this.jumps.length)
    const pegs = new Set(this.start)
    let last
    for (const jump of this.jumps.slice(0, this.at)) {
      const [down, right] = WAYS[jump.direction]
      last = [[jump.row_num, jump.column_num], [jump.row_num + 2 * down, jump.column_num + 2 * right]]
      if (!pegs.delete(key(jump.row_num, jump.column_num)) || !pegs.delete(key(jump.row_num + down, jump.column_num + right)) || pegs.has(key(...last[1]))) throw new Error(`jump ${jump.jump} is not possible`)
      pegs.add(key(...last[1]))
    }
    const { low, high, m, n } = this.box
    /** @type {SVGElement[]} */
    const marks = [s('rect', { x: 0.5, y: 0.5, width: n, height: m, class: 'square' })]
    for (let row = low[0]; row <= high[0]; row++) for (let column = low[1]; column <= high[1]; column++) {
      const peg = pegs.has(key(row, column))
      marks.push(s('circle', { cx: column, cy: row, r: peg ? 0.38 : 0.1, class: peg ? 'peg' : 'hole' }))
    }
    if (last) marks.push(s('line', { x1: last[0][1], y1: last[0][0], x2: last[1][1], y2: last[1][0], class: 'trace' }))
    this.svg.replaceChildren(...marks)
    this.svg.setAttribute('aria-label', t('division.pegs', { pegs: pegs.size }))
    this.slider.value = String(this.at)
    this.label.textContent = t('division.after', { jump: this.at, jumps: this.jumps.length, pegs: pegs.size })
  }

  play() {
    if (this.at === this.jumps.length) this.go(0)
    this.button.textContent = t('pause')
    this.playing = window.setInterval(() => {
      this.go(this.at + 1)
      if (this.at === this.jumps.length) this.pause()
    }, Math.max(30, Math.min(350, 12000 / this.jumps.length)))
  }

  pause() {
    clearInterval(this.playing)
    this.playing = 0
    this.button.textContent = t('play')
  }
}

const key = (row, column) => `${row} ${column}`


