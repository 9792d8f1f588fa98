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
  const card = (page, picture = signs(...PICTURES[page])) => {
    const entry = found.get(OF[/** @type {keyof typeof OF} */ (page)])
    const note = page in OF ? (entry ? `${size(entry.bytes)} · ${t('home.version', { version: entry.version })}` : t('home.absent')) : ''
    return h('a', { class: 'card', href: `#/${page}` }, h('div', { class: 'picture' }, picture),
      h('h2', {}, t(`nav.${page}`)), h('p', {}, t(`home.${page}`)), entry && partial(entry.title), note && h('small', { class: 'count' }, note))
  }
  return h('div', {}, h('h1', {}, t('home.title')), h('p', { class: 'lead' }, t('home.lead')),
    h('div', { class: 'cards' }, card('klotski', thumbnail(0x1A9BF0C00)), card('sliding', picture(parseBoard('ABCD/EEFG/.HHH'), 11, { 'aria-hidden': 'true' })), card('rush', rush(parseRush('BBoooC/DooEoC/DAAEoC/DooEoo/FoooGG/FoHHHo'), { 'aria-hidden': 'true' })), card('solitaire'), card('five', stones()), card('division'), release().some(entry => entry.games.length) && card('puzzles'), card('claims'), card('datasets')))
}

/** What a dataset that is a part has of its space, by its title: "PARTIAL: 4 of 203 classes". */
function partial(title) {
  const [part] = /(PARTIAL: |部分：).+$/.exec(title) ?? []
  return part && h('strong', {}, part)
}

/** A picture of signs: o is a peg, . a hole, a digit a cell in its colour. */
const signs = (...rows) => s('svg', { viewBox: `0 0 ${rows[0].length} ${rows.length}`, 'aria-hidden': 'true', class: 'pegs' }, rows.flatMap((row, y) => [...row].flatMap((sign, x) =>
  sign === ' ' ? [] : /\d/.test(sign) ? s('rect', { x: x + 0.03, y: y + 0.03, width: 0.94, height: 0.94, rx: 0.08, class: `tromino t${sign}` })
    : s('circle', { cx: x + 0.5, cy: y + 0.5, r: sign === 'o' ? 0.38 : 0.16, class: sign === 'o' ? 'peg' : 'hole' }))))

/** The goal of the Last Supper; the sample of the text on trominoes, the special cell in row 1, column 2; lamps; statements with their verdicts; a table. */
const PICTURES = {
  solitaire: ['  o.o  ', ' o...o ', 'o.....o', '...o...', 'o.....o', ' o...o ', '  o.o  '],
  division: ['1022', '1132', '4335', '4455'],
  puzzles: ['.o..', 'ooo.', '.o.o', '..oo'],
  claims: ['o 2222', 'o 222 ', '. 2222', 'o 22  '],
  datasets: ['55555', '12222', '12222', '12222'],
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
