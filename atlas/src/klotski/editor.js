/** The board to build a layout on. */

import { h, s } from '../dom.js'
import { t } from '../i18n.js'
import { EDGE, GAP, NAMES, SIDE, frame, place } from './board.js'
import { BLOCK, CELLS, COLUMNS, ROWS, SIZES, decode, encode, formatCode, layoutFault, parseCode } from './code.js'

/** The page of a board to build on. @param {string} text a code */
export function build(text) {
  const said = h('p', { class: 'said', role: 'status' })
  const link = h('a', { class: 'button main' }, t('klotski.show'))
  const { board, palette, clear } = editor(parseCode(text), pieces => {
    const fault = layoutFault(pieces)
    link.hidden = Boolean(fault)
    if (!fault) link.href = `#/klotski/${formatCode(encode(pieces))}`
    said.textContent = fault ? t(fault) : t('klotski.built', { code: formatCode(encode(pieces)) })
    said.dataset.mood = fault ? '' : 'good'
  })
  return [h('p', {}, t('klotski.build.how')), h('div', { class: 'play' }, h('div', { class: 'stage' }, board, said, h('div', { class: 'buttons' }, link, clear)), h('div', { class: 'beside' }, palette))]
}

/** A board to lay pieces on: choose a piece, touch cells; touch a piece to take it away. */
function editor(code, onChange) {
  let pieces = decode(code)
  let kind = 3
  const layer = s('g')
  const board = s('svg', { viewBox: `${-EDGE} ${-EDGE} ${SIDE * COLUMNS + 2 * EDGE} ${SIDE * ROWS + 2 * EDGE}`, class: 'klotski-board editing', role: 'group', 'aria-label': t('klotski.build') }, ...frame(), layer)
  const covers = (piece, cell) => {
    const [column, row] = [(cell % COLUMNS) - (piece.cell % COLUMNS), Math.floor(cell / COLUMNS) - Math.floor(piece.cell / COLUMNS)]
    return column >= 0 && row >= 0 && column < SIZES[piece.kind][0] && row < SIZES[piece.kind][1]
  }
  const touch = cell => {
    const there = pieces.findIndex(piece => covers(piece, cell))
    if (there >= 0) pieces.splice(there, 1)
    else pieces = [...pieces.filter(piece => kind !== BLOCK || piece.kind !== BLOCK), { kind, cell }]
    draw(cell)
  }
  const draw = focused => {
    layer.replaceChildren(...pieces.map(piece => {
      const [x, y] = place(piece.cell)
      return s('rect', { class: `piece ${NAMES[piece.kind]}`, x: x + GAP, y: y + GAP, width: SIZES[piece.kind][0] * SIDE - 2 * GAP, height: SIZES[piece.kind][1] * SIDE - 2 * GAP, rx: 14 })
    }), ...Array.from({ length: CELLS }, (_, cell) => {
      const [x, y] = place(cell)
      const press = event => (event.type === 'click' || event.key === 'Enter' || event.key === ' ') && (event.preventDefault(), touch(cell))
      const name = t('klotski.cell', { row: Math.floor(cell / COLUMNS) + 1, column: (cell % COLUMNS) + 1 })
      return s('rect', { class: 'touch', x, y, width: SIDE, height: SIDE, tabindex: 0, role: 'button', 'aria-label': name, 'data-cell': cell, onclick: press, onkeydown: press })
    }))
    if (focused !== undefined) /** @type {any} */ (layer.querySelector(`[data-cell="${focused}"]`))?.focus({ preventScroll: true })
    onChange(pieces)
  }
  const palette = h('div', { class: 'palette', role: 'radiogroup', 'aria-label': t('klotski.palette') }, NAMES.map((name, at) =>
    h('label', {}, h('input', { type: 'radio', name: 'piece', value: at, checked: at === kind, onchange: () => (kind = at) }), h('span', {}, swatch(at), t(`klotski.kind.${name}`)))))
  const clear = h('button', { type: 'button', onclick: () => { pieces = []; draw() } }, t('klotski.clear'))
  draw()
  return { board, palette, clear }
}

function swatch(kind) {
  const [wide, high] = SIZES[kind]
  return s('svg', { viewBox: '0 0 20 20', width: 20, height: 20, 'aria-hidden': 'true', class: 'klotski-thumb' },
    s('rect', { class: NAMES[kind], x: 10 - 4.5 * wide, y: 10 - 4.5 * high, width: 9 * wide, height: 9 * high, rx: 2 }))
}
