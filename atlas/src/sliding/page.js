/** Sliding blocks of any pieces: the records of a tray, a puzzle to play, a board to draw on, a sheet to print. */

import { script } from '../data/faults.js'
import { h } from '../dom.js'
import { t } from '../i18n.js'
import { Nowhere } from '../parts/failure.js'
import { trays } from './data.js'
import { gallery } from './gallery.js'
import { Game } from './game.js'
import { BoardFault, DrawingFault, MARKED, cornerOf, parseBoard, stepsIn } from './tray.js'

const FIRST = 'AAB/.CB'
const PARTS = { gallery: 4, print: 3, play: Infinity, draw: Infinity }

/**
 * @param {HTMLElement} place
 * @param {import('../main.js').Address} address
 */
export async function show(place, { parts, query, signal }) {
  const [, what = 'gallery', tray, pieces] = parts
  if (!(what in PARTS) || parts.length > PARTS[/** @type {keyof typeof PARTS} */ (what)]) throw new Nowhere(parts.slice(1).join('/'))
  if (what === 'play' || what === 'draw') return onBoard(what, parts.slice(2).join('/') || FIRST, query, signal)
  const offered = await trays()
  const own = tray ?? offered.at(-1)
  if (own === undefined) return [head(what), h('p', { class: 'unknown' }, t('unknown')), h('p', {}, h('a', { href: '#/sliding/draw' }, t('sliding.tab.draw')))]
  if (!offered.includes(own) || pieces !== undefined && !/^\d+$/.test(pieces)) throw new Nowhere([tray, pieces].filter(Boolean).join('/'))
  const choice = h('nav', { class: 'tabs', 'aria-label': t('sliding.tray') }, offered.map(one => h('a', { href: `#/sliding/${what}/${one}`, 'aria-current': one === own ? 'page' : null }, one.replace('x', ' × '))))
  return [head(what), choice, what === 'print' ? await (await script(import('./print.js'))).printPage(own, signal) : await gallery(own, pieces)]
}

function head(now, board = '') {
  const tab = (name, to = `/${name}`) => h('a', { href: `#/sliding${to}`, 'aria-current': now === name ? 'page' : null }, t(`sliding.tab.${name}`))
  return h('div', { class: 'title' }, h('h1', {}, t('sliding.title')), h('nav', { class: 'tabs', 'aria-label': t('sliding.title') }, tab('gallery', ''), tab('play', `/play${board}`), tab('draw', `/draw${board}`), tab('print')))
}

/** What is done with the board in the address; what is wrong with it is said where it is none. */
async function onBoard(what, text, query, signal) {
  try {
    const board = parseBoard(text)
    if (what === 'draw') return [head(what, `/${text}`), (await script(import('./draw.js'))).drawPage(board)]
    return playPage(board, text, query, signal)
  } catch (error) {
    if (!(error instanceof DrawingFault)) throw error
    return [head(what), h('p', { class: 'failure', role: 'alert' }, t(error.message, error.values)), h('p', {}, h('a', { href: '#/sliding/draw' }, t('sliding.tab.draw')))]
  }
}

/** @param {import('./tray.js').Board} board */
function playPage(board, text, query, signal) {
  const marked = board.pieces.find(one => one.sign === MARKED)
  if (!marked) throw new BoardFault('noMarked')
  const goal = goalIn(board, marked.shape, query.get('to'))
  const steps = stepsIn(board, query.get('game') ?? '')
  if (!steps) throw new Nowhere(query.get('game') ?? '')
  const game = new Game(board, goal, steps, signal)
  const controls = game.controls()
  game.study()
  return [head('play', `/${text}`), h('p', {}, t('sliding.task')), h('div', { class: 'play' },
    h('div', { class: 'stage' }, game.svg, game.said, controls), h('div', { class: 'beside' }, game.facts, game.list, game.layers)),
  h('p', { class: 'note' }, t('sliding.how'))]
}

/** The anchor of the goal: that of `row,column`, from 1, or the lower right corner. */
function goalIn(board, shape, to) {
  if (to === null) return cornerOf(board, shape)
  const [row, column] = to.split(',').map(Number)
  const at = (row - 1) * board.columns + column - 1
  if (!(row >= 1 && column >= 1 && column <= board.columns && shape.masks[at])) throw new BoardFault('goal', { to, height: shape.height, width: shape.width, rows: board.rows - shape.height + 1, columns: board.columns - shape.width + 1 })
  return at
}
