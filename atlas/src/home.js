/** The start page: what there is to look at. */

import { release } from './data/release.js'
import { h, s } from './dom.js'
import { size, t } from './i18n.js'
import { thumbnail } from './klotski/board.js'
import { titled } from './parts/titled.js'
import { parseBoard as parseRush } from './rush/board.js'
import { picture as rush } from './rush/picture.js'
import { picture } from './sliding/picture.js'
import { parseBoard } from './sliding/tray.js'

const OF = { klotski: 'klotski', sliding: 'sliding_blocks', rush: 'rush_hour', solitaire: 'solitaire', five: 'five_in_a_row', division: 'board_division' }

export async function show() {
  const found = new Map((await titled()).map(entry => [entry.name, entry]))
  const card = (page, picture) => {
    const entry = found.get(OF[/** @type {keyof typeof OF} */ (page)])
    const note = page in OF ? (entry ? `${size(entry.bytes)} · ${t('home.version', { version: entry.version })}` : t('home.absent')) : ''
    return h('a', { class: 'card', href: `#/${page}` }, picture && h('div', { class: 'picture' }, picture),
      h('h2', {}, t(`nav.${page}`)), h('p', {}, t(`home.${page}`)), entry && partial(entry.title), note && h('small', { class: 'count' }, note))
  }
  return h('div', {}, h('h1', {}, t('home.title')), h('p', { class: 'lead' }, t('home.lead')),
    h('div', { class: 'cards' }, card('klotski', thumbnail(0x1A9BF0C00)), card('sliding', picture(parseBoard('ABCD/EEFG/.HHH'), 11, { 'aria-hidden': 'true' })), card('rush', rush(parseRush('BBoooC/DooEoC/DAAEoC/DooEoo/FoooGG/FoHHHo'), { 'aria-hidden': 'true' })), card('solitaire', supper()), card('five', stones()), card('division', trominoes()), release().some(entry => entry.games.length) && card('puzzles'), card('claims'), card('datasets')))
}

/** What a dataset that is a part has of its space, by its title: "PARTIAL: 4 of 203 classes". */
function partial(title) {
  const [part] = /(PARTIAL: |部分：).+$/.exec(title) ?? []
  return part && h('strong', {}, part)
}

/** The goal of the Last Supper. */
function supper() {
  const rows = [[2, 3, 4], [1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5], [2, 3, 4]]
  const corner = (row, column) => (row === 3 && column === 3) || (rows[row][0] === column || rows[row].at(-1) === column) && row !== 3 || false
  return s('svg', { viewBox: '0 0 7 7', 'aria-hidden': 'true', class: 'pegs' }, rows.flatMap((columns, row) => columns.map(column =>
    s('circle', { cx: column + 0.5, cy: row + 0.5, r: corner(row, column) ? 0.38 : 0.16, class: corner(row, column) ? 'peg' : 'hole' }))))
}

/** A best cell, repeated. */
function stones() {
  const cells = []
  for (let row = 0; row < 8; row++) for (let column = 0; column < 8; column++) {
    cells.push(s('rect', { x: column, y: row, width: 0.94, height: 0.94, rx: 0.12, class: 'square' }))
    if ((column - 2 * row + 40) % 5 === 1) cells.push(s('circle', { cx: column + 0.47, cy: row + 0.47, r: 0.36, class: 'stone' }))
  }
  return s('svg', { viewBox: '0 0 8 8', 'aria-hidden': 'true', class: 'pegs' }, cells)
}

/** The sample of the source: k = 2, the special cell in row 1, column 2. */
function trominoes() {
  const numbers = [[1, 0, 2, 2], [1, 1, 3, 2], [4, 3, 3, 5], [4, 4, 5, 5]]
  return s('svg', { viewBox: '0 0 4 4', 'aria-hidden': 'true', class: 'pegs' }, numbers.flatMap((row, y) => row.map((number, x) =>
    s('rect', { x: x + 0.03, y: y + 0.03, width: 0.94, height: 0.94, rx: 0.08, class: `tromino t${number}` }))))
}
