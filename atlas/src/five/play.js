/** Five in a row as a game: place stones until no k free cells lie in a row, with as few as the data say are needed. */

import { h, s } from '../dom.js'
import { t } from '../i18n.js'
import { Nowhere } from '../parts/failure.js'
import { keepRecord } from '../parts/records.js'
import { lengths, results } from './data.js'

const WAYS = [[0, 1], [1, 0], [1, 1], [1, -1]]
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }
const LARGEST = 20
const DIGIT = 4 // cells to a hexadecimal digit of the address

/**
 * All lines of k cells of a board, each as its cells.
 * @param {number} rows
 * @param {number} columns
 * @param {number} k
 */
export function linesOf(rows, columns, k) {
  const lines = []
  for (let cell = 0; cell < rows * columns; cell++) {
    const [row, column] = [Math.floor(cell / columns), cell % columns]
    for (const [down, right] of WAYS) {
      const [y, x] = [row + down * (k - 1), column + right * (k - 1)]
      if (y < rows && x >= 0 && x < columns) lines.push(Array.from({ length: k }, (_, at) => cell + at * (down * columns + right)))
    }
  }
  return lines
}

/**
 * @param {string[]} parts k and the board after `five/play`
 * @param {URLSearchParams} query
 */
export async function playPage([first = '5', board = '8x8', more], query) {
  const k = Number(first)
  const [rows, columns] = board.split('x').map(Number)
  const ks = await lengths()
  if (more || !ks.includes(k) || !(rows > 0 && columns > 0 && rows <= LARGEST && columns <= LARGEST)) throw new Nowhere([first, board, more].filter(Boolean).join('/'))
  const wide = [Math.max(rows, columns), Math.min(rows, columns)]
  const row = (await results(k, 0, wide)).find(one => one.rows === wide[0] && one.columns === wide[1])
  const table = new Table(k, rows, columns, row?.stones ?? null, query.get('stones') ?? '')
  const go = () => (location.hash = `#/five/play/${choice.k.value}/${choice.rows.value}x${choice.columns.value}`)
  const select = (name, values, value) => h('select', { id: `play-${name}`, onchange: go }, values.map(one => h('option', { value: one, selected: one === value }, one)))
  const sides = Array.from({ length: LARGEST }, (_, at) => at + 1)
  const choice = { k: select('k', ks, k), rows: select('rows', sides, rows), columns: select('columns', sides, columns) }
  return h('div', {}, h('p', { class: 'lead' }, t('five.play.lead', { k })), h('div', { class: 'play' },
    h('div', { class: 'stage' }, table.svg, table.said, h('div', { class: 'buttons' }, table.clear, h('a', { class: 'button', href: `#/five/${k}/${wide.join('x')}` }, t('five.play.all')))),
    h('div', { class: 'beside' }, h('div', { class: 'row' }, Object.entries(choice).map(([name, element]) => h('label', { for: `play-${name}` }, t(`five.play.${name}`), element))), h('p', { class: 'note' }, t('five.play.how', { k })))))
}

/** The board and its stones. */
class Table {
  constructor(k, rows, columns, least, written) {
    this.k = k
    this.rows = rows
    this.columns = columns
    /** The fewest stones, from the data; null where they do not tell. @type {number | null} */
    this.least = least
    this.lines = linesOf(rows, columns, k)
    this.stones = stonesIn(written, rows * columns)
    this.svg = s('svg', { viewBox: `-0.1 -0.1 ${columns + 0.2} ${rows + 0.2}`, class: 'stones playing', role: 'group', 'aria-label': t('five.play.board', { rows, columns }) })
    this.said = h('p', { class: 'said', role: 'status' })
    this.clear = h('button', { type: 'button', onclick: () => { this.stones.clear(); this.changed() } }, t('restart'))
    this.draw()
  }

  touch(cell) {
    if (!this.stones.delete(cell)) this.stones.add(cell)
    this.changed(cell)
  }

  changed(focused) {
    const text = written(this.stones, this.rows * this.columns)
    history.replaceState(null, '', `#/five/play/${this.k}/${this.rows}x${this.columns}${this.stones.size ? `?stones=${text}` : ''}`)
    this.draw(focused)
  }

  /** Draw all cells; of those in lines without a stone it is seen. @param {number} [focused] */
  draw(focused) {
    const open = this.lines.filter(line => !line.some(cell => this.stones.has(cell)))
    const lit = new Set(open.flat())
    this.svg.replaceChildren(...Array.from({ length: this.rows * this.columns }, (_, cell) => {
      const [row, column] = [Math.floor(cell / this.columns), cell % this.columns]
      const place = t('five.play.cell', { row: row + 1, column: column + 1 })
      const state = t(this.stones.has(cell) ? 'five.play.stone' : lit.has(cell) ? 'five.play.open' : 'five.play.blocked')
      return s('g', { role: 'button', 'aria-pressed': String(this.stones.has(cell)), 'aria-label': t('and', { one: place, other: state }), tabindex: cell === (focused ?? 0) ? 0 : -1, 'data-cell': cell,
        class: lit.has(cell) ? 'free open' : 'free', onclick: () => this.touch(cell), onkeydown: event => this.key(event, cell) },
      s('rect', { x: column + 0.03, y: row + 0.03, width: 0.94, height: 0.94, rx: 0.1, class: 'square' }),
      this.stones.has(cell) && s('circle', { cx: column + 0.5, cy: row + 0.5, r: 0.36, class: 'stone' }))
    }))
    if (focused !== undefined) this.focus(focused)
    this.tell(open.length)
  }

  focus(cell) {
    for (const other of this.svg.querySelectorAll('[tabindex="0"]')) other.setAttribute('tabindex', '-1')
    const g = /** @type {any} */ (this.svg.querySelector(`[data-cell="${cell}"]`))
    g?.setAttribute('tabindex', '0')
    g?.focus({ preventScroll: true })
  }

  key(event, cell) {
    if (event.key === 'Enter' || event.key === ' ') this.touch(cell)
    else if (event.key in ARROWS) {
      const [down, right] = ARROWS[event.key]
      const [row, column] = [Math.floor(cell / this.columns) + down, cell % this.columns + right]
      if (row >= 0 && row < this.rows && column >= 0 && column < this.columns) this.focus(row * this.columns + column)
    } else return
    event.preventDefault()
  }

  tell(open) {
    const { stones: { size: stones }, least } = this
    const known = least === null ? '' : ` · ${t('five.play.least', { least })}`
    const won = !open && stones === least
    this.svg.classList.toggle('won', won)
    this.said.dataset.mood = won ? 'good' : ''
    if (open) this.said.textContent = `${t('five.play.state', { stones, open })}${known}`
    else if (won) this.said.textContent = t('five.play.won', { stones })
    else this.said.textContent = `${t('five.play.done', { stones })}${known}`
    if (!open) this.said.textContent += ` · ${t('five.play.record', { mine: keepRecord(`five/${this.k}/${this.rows}x${this.columns}`, stones) })}`
    this.clear.disabled = !stones
  }
}

/** The stones that hexadecimal digits write, four cells a digit from the first one on. */
function stonesIn(text, cells) {
  const digits = [...text].map(digit => parseInt(digit, 16) || 0)
  return new Set(Array.from({ length: cells }, (_, cell) => cell).filter(cell => (digits[Math.floor(cell / DIGIT)] ?? 0) >> (cell % DIGIT) & 1))
}

function written(stones, cells) {
  return Array.from({ length: Math.ceil(cells / DIGIT) }, (_, at) =>
    Array.from({ length: DIGIT }, (_, bit) => Number(stones.has(at * DIGIT + bit)) << bit).reduce((sum, value) => sum + value).toString(16)).join('')
}
