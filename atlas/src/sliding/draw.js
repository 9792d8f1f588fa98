/** A board that the reader draws: strokes over the tray make pieces, or rows of letters are typed. */

import { h, s } from '../dom.js'
import { t } from '../i18n.js'
import { SIDE, coloursOf, drawnPiece, frame, letterOf, placeOf, viewBox } from './picture.js'
import { DrawingFault, MARKED, MOST_SIDE, parseBoard } from './tray.js'

const BRUSHES = ['new', 'marked', 'void']

/** @param {import('./tray.js').Board} board the one to begin with */
export function drawPage(board) {
  let signs = signsOf(board)
  let brush = 'new'
  const svg = s('svg', { class: 'klotski-board drawing', role: 'img', 'aria-label': t('sliding.draw') })
  const said = h('p', { class: 'said', role: 'status' })
  const link = h('a', { class: 'button main' }, t('sliding.draw.play'))
  const field = h('input', { id: 'sliding-text', autocomplete: 'off', spellcheck: 'false', oninput: () => read(field.value), 'aria-describedby': 'sliding-how' })
  const sides = ['rows', 'columns'].map(name => h('input', { type: 'number', min: 1, max: MOST_SIDE, id: `sliding-${name}`, onchange: () => resize() }))

  /** Take rows of letters where they are a tray; say what is wrong where they are no board. */
  const read = written => {
    try {
      board = parseBoard(written)
      signs = signsOf(board)
      paint()
      const marked = board.pieces.some(one => one.sign === MARKED)
      say(marked ? t('sliding.draw.ready') : t('sliding.fault.noMarked'), marked)
    } catch (error) {
      if (!(error instanceof DrawingFault)) throw error
      say(t(error.message, error.values), false)
    }
  }
  const say = (what, fit) => {
    said.textContent = what
    said.dataset.mood = fit ? 'good' : ''
    link.hidden = !fit
    link.href = `#/sliding/play/${written()}`
    if (fit) history.replaceState(null, '', `#/sliding/draw/${written()}`)
  }
  const written = () => signs.map(row => row.join('')).join('/')
  const paint = () => {
    const colours = coloursOf(board)
    svg.setAttribute('viewBox', viewBox(board))
    svg.replaceChildren(...frame(board), ...board.pieces.map((piece, index) => {
      const [x, y] = placeOf(board.columns, piece.at)
      return s('g', { transform: `translate(${x} ${y})` }, drawnPiece(piece, board.columns, colours[index]), letterOf(piece, board.columns))
    }))
    sides[0].value = String(board.rows)
    sides[1].value = String(board.columns)
  }
  const changed = () => {
    field.value = written()
    read(field.value)
  }
  const resize = () => {
    const [rows, columns] = sides.map(side => Math.min(MOST_SIDE, Math.max(1, Math.floor(Number(side.value)) || 1)))
    field.value = Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => signs[row]?.[column] ?? '.').join('')).join('/')
    read(field.value)
  }
  /** The cell under a pointer, in rows and columns; undefined beside the tray. */
  const cellAt = event => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()?.inverse())
    const [row, column] = [Math.floor(point.y / SIDE), Math.floor(point.x / SIDE)]
    return signs[row]?.[column] === undefined ? undefined : [row, column]
  }
  svg.addEventListener('pointerdown', event => {
    const cell = cellAt(event)
    const sign = brush === 'void' ? '.' : brush === 'marked' ? MARKED : free(signs)
    if (!cell || !sign) return
    svg.setPointerCapture(event.pointerId)
    if (brush === 'marked') signs = signs.map(row => row.map(one => (one === MARKED ? '.' : one)))
    const put = place => {
      signs[place[0]][place[1]] = sign
      apart(signs)
      changed()
    }
    const follow = next => {
      const place = cellAt(next)
      if (place && signs[place[0]][place[1]] !== sign) put(place)
    }
    put(cell)
    svg.addEventListener('pointermove', follow)
    for (const end of ['pointerup', 'pointercancel']) svg.addEventListener(end, () => svg.removeEventListener('pointermove', follow), { once: true })
  })
  const choices = h('fieldset', {}, h('legend', {}, t('sliding.draw.brush')), BRUSHES.map(name => h('label', {}, h('input', { type: 'radio', name: 'brush', checked: name === brush, onchange: () => (brush = name) }), ' ', t(`sliding.draw.${name}`))))
  const clear = h('button', { type: 'button', onclick: () => { signs = signs.map(row => row.map(() => '.')); changed() } }, t('sliding.draw.clear'))
  changed()
  return h('div', {}, h('p', { id: 'sliding-how' }, t('sliding.draw.how')), h('div', { class: 'play' },
    h('div', { class: 'stage' }, svg, said, h('div', { class: 'buttons' }, link, clear)),
    h('div', { class: 'beside' }, choices, h('div', { class: 'row' }, ['rows', 'columns'].map((name, at) => h('label', { for: `sliding-${name}` }, t(`sliding.${name}`), sides[at]))),
      h('div', { class: 'row' }, h('label', { for: 'sliding-text' }, t('sliding.draw.text'), field)))))
}

/** The letters of the cells, row by row. @param {import('./tray.js').Board} board */
function signsOf({ rows, columns, pieces }) {
  return Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (_, column) => pieces.find(({ shape, at }) => shape.masks[at] & (1 << (row * columns + column)))?.sign ?? '.'))
}

/** A letter that no piece has yet; undefined where all are taken. */
const free = signs => [...'BCDEFGHIJKLMNOPQRSTUVWXYZ'].find(sign => !signs.flat().includes(sign))

/** Give what a stroke cut off from its piece a letter of its own; without one it becomes void. */
function apart(signs) {
  const seen = new Set()
  const met = new Set()
  signs.forEach((row, y) => row.forEach((sign, x) => {
    if (sign === '.' || seen.has(`${y} ${x}`)) return
    const own = met.has(sign) ? free(signs) ?? '.' : sign
    met.add(own)
    const waiting = [[y, x]]
    seen.add(`${y} ${x}`)
    for (const [down, right] of waiting) {
      for (const [dy, dx] of [[0, 1], [1, 0], [0, -1], [-1, 0]]) {
        const next = [down + dy, right + dx]
        if (signs[next[0]]?.[next[1]] === sign && !seen.has(next.join(' '))) { seen.add(next.join(' ')); waiting.push(next) }
      }
    }
    for (const [down, right] of waiting) signs[down][right] = own
  }))
}
