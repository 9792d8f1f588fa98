/** Records as pictures: of each number of pieces, or of each multiset of piece sizes. */

import { h } from '../dom.js'
import { t } from '../i18n.js'
import { Nowhere } from '../parts/failure.js'
import { recordOf } from '../parts/records.js'
import { longest, records } from './data.js'
import { picture } from './picture.js'
import { cornerGoal, parseBoard } from './tray.js'

const FIRST = 60

/**
 * The records of a tray: of each number of pieces, or of all sizes with so many.
 * @param {string} tray @param {string | undefined} pieces
 */
export async function gallery(tray, pieces) {
  const rows = await longest(tray)
  const best = records(rows)
  const shown = pieces === undefined ? best : rows.filter(row => row.pieces === Number(pieces)).sort((a, b) => b.steps - a.steps)
  if (!shown.length) throw new Nowhere(pieces)
  const cards = h('div', { class: 'gallery' })
  const more = h('button', { type: 'button', class: 'quiet', onclick: () => draw(shown.length) }, t('all', { count: shown.length }))
  const draw = many => {
    cards.replaceChildren(...shown.slice(0, many).map(row => card(row, pieces !== undefined)))
    more.hidden = many >= shown.length
  }
  draw(FIRST)
  return h('div', {}, h('p', { class: 'lead' }, t('sliding.gallery.lead')),
    h('p', {}, t('sliding.byPieces'), ' ', h('span', { class: 'numbers' }, best.map(row => h('a', { href: `#/sliding/gallery/${tray}/${row.pieces}`, 'aria-current': String(row.pieces) === pieces ? 'page' : null }, row.pieces)))),
    pieces !== undefined && h('h2', {}, t('sliding.withPieces', { pieces: Number(pieces), sizes: shown.length })), cards, more)
}

function card(row, withSizes) {
  const board = parseBoard(row.board)
  const mine = recordOf(`sliding/${row.board}`)
  return h('a', { href: `#/sliding/play/${row.board}`, class: 'card', 'data-pieces': row.pieces, 'data-steps': row.steps }, h('div', { class: 'picture' }, picture(board, cornerGoal(board), { 'aria-hidden': 'true' })),
    h('h2', {}, t('sliding.stepsCount', { steps: row.steps })), h('p', {}, t('sliding.pieceCount', { pieces: row.pieces })),
    withSizes && h('small', { class: 'count' }, t('sliding.sizes', { sizes: row.sizes.replaceAll(' ', ' + ') })),
    mine !== undefined && h('small', { class: 'count record' }, t('sliding.yours', { mine })))
}
