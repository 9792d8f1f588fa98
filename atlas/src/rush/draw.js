/** A board that the reader draws: strokes over two or three cells make pieces, or rows of letters are typed. */

import { h } from '../dom.js'
import { t } from '../i18n.js'
import { DrawingFault, EMPTY, RED, SIDES, WALL, parseBoard } from './board.js'
import { cellAt, picture } from './picture.js'

const BRUSHES = ['piece', 'red', 'wall', 'empty']
const LETTERS = 'BCDEFGHIJKLMNOPQRSTUVWXYZ'

/** @param {string} text of the board to begin with */
export function drawPage(text) {
  let cells = [...text.replace(/[\s/]/g, '').replaceAll('.', EMPTY)]
  let brush = 'piece'
  /** Cells of the stroke that is being drawn. @type {number[]} */
  let stroke = []
  const place = h('div', { class: 'drawing' })
  const said = h('p', { class: 'said', role: 'status' })
  const link = h('a', { class: 'button main' }, t('rush.draw.play'))
  const field = h('input', { id: 'rush-text', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'rush-how', oninput: () => read(field.value) })
  const side = () => Math.round(Math.sqrt(cells.length))
  const sides = h('input', { id: 'rush-side', type: 'number', min: SIDES[0], max: SIDES[1], value: side(), onchange: () => resize(Math.min(SIDES[1], Math.max(SIDES[0], Math.floor(Number(sides.value)) || SIDES[1]))) })

  /** Show rows of letters, and what is wrong where they are no board. */
  const read = written => {
    const found = [...written.replace(/[\s/]/g, '').replaceAll('.', EMPTY)]
    const sized = Number.isInteger(Math.sqrt(found.length)) && found.length >= SIDES[0] ** 2 && found.length <= SIDES[1] ** 2
    if (sized) cells = found
    let good = false
    try {
      parseBoard(written)
      good = true
      said.textContent = t('rush.draw.ready')
    } catch (error) {
      if (!(error instanceof DrawingFault)) throw error
      said.textContent = t(error.message, error.values)
    }
    said.dataset.mood = good ? 'good' : ''
    link.hidden = !good
    link.href = `#/rush/play/${cells.join('')}`
    if (good) history.replaceState(null, '', `#/rush/draw/${cells.join('')}`)
    if (sized) paint()
  }
  /** The board of the cells as they are: single letters, too, are shown. */
  const paint = () => {
    const [many, letters] = [side(), [...new Set(cells)].filter(letter => letter !== EMPTY && letter !== WALL)]
    const pieces = letters.sort().map(letter => {
      const own = cells.flatMap((one, cell) => (one === letter ? [cell] : []))
      return { letter, row: Math.floor(own[0] / many), column: own[0] % many, length: own.length, across: own.length < 2 || own[1] === own[0] + 1 }
    })
    const svg = picture({ side: many, walls: cells.flatMap((one, cell) => (one === WALL ? [cell] : [])), pieces }, { class: 'klotski-board', role: 'img', 'aria-label': t('rush.draw') })
    svg.addEventListener('pointerdown', event => begin(svg, event))
    place.replaceChildren(svg)
    sides.value = String(many)
  }
  const begin = (svg, event) => {
    event.preventDefault()
    const follow = moved => {
      const cell = cellAt(svg, moved, side())
      if (cell !== undefined && !stroke.includes(cell)) stroke.push(cell)
    }
    stroke = []
    follow(event)
    svg.setPointerCapture(event.pointerId)
    svg.addEventListener('pointermove', follow)
    svg.addEventListener('pointerup', () => { svg.removeEventListener('pointermove', follow); end() }, { once: true })
  }
  /** Lay what was drawn; pieces that it touches go away whole. */
  const end = () => {
    const drawn = brush === 'piece' || brush === 'red' ? stroke.slice(0, brush === 'red' ? 2 : 3) : stroke
    const gone = new Set(drawn.map(cell => cells[cell]).filter(letter => letter !== EMPTY && letter !== WALL))
    if (brush === 'red') gone.add(RED)
    cells = cells.map(letter => (gone.has(letter) ? EMPTY : letter))
    const letter = { red: RED, wall: WALL, empty: EMPTY }[brush] ?? [...LETTERS].find(one => !cells.includes(one)) ?? EMPTY
    const long = brush === 'wall' || brush === 'empty' || drawn.length > 1
    for (const cell of drawn) cells[cell] = long ? letter : EMPTY
    write()
  }
  const write = () => {
    field.value = rowsOf(cells)
    read(field.value)
  }
  const resize = many => {
    const before = side()
    cells = Array.from({ length: many * many }, (_, cell) => {
      const [row, column] = [Math.floor(cell / many), cell % many]
      return row < before && column < before ? cells[row * before + column] : EMPTY
    })
    write()
  }
  write()
  return h('div', { class: 'play' },
    h('div', { class: 'stage' }, place, said, h('div', { class: 'buttons' }, link, h('button', { type: 'button', onclick: () => { cells = cells.fill(EMPTY); write() } }, t('rush.draw.clear')))),
    h('div', { class: 'beside' }, h('p', { id: 'rush-how' }, t('rush.draw.how')),
      h('fieldset', {}, h('legend', {}, t('rush.draw.brush')), BRUSHES.map(name => h('label', {}, h('input', { type: 'radio', name: 'brush', value: name, checked: name === brush, onchange: () => (brush = name) }), ' ', t(`rush.draw.${name}`)))),
      h('p', { class: 'row' }, h('label', {}, t('rush.draw.side'), ' ', sides), h('label', {}, t('rush.draw.text'), ' ', field))))
}

/** Letters row by row, with / between. @param {string[]} cells */
function rowsOf(cells) {
  const side = Math.round(Math.sqrt(cells.length))
  return Array.from({ length: side }, (_, row) => cells.slice(row * side, (row + 1) * side).join('')).join('/')
}
