/** Rush Hour: the hardest starts of a board, a game, a board to draw on, a sheet to print. */

import { script } from '../data/faults.js'
import { dataset, release } from '../data/release.js'
import { h } from '../dom.js'
import { t } from '../i18n.js'
import { Nowhere } from '../parts/failure.js'
import { recordOf } from '../parts/records.js'
import { sheetPage } from '../parts/sheet.js'
import { Play, movesIn, positionsAfter } from '../puzzles/play.js'
import { DrawingFault, Game, parseBoard, textOf } from './board.js'
import { card, picture, playable } from './picture.js'

const DATASET = 'rush_hour'
const FIRST = 'AAB/..B/...'
const PARTS = { gallery: 3, print: 3, play: Infinity, draw: Infinity }
const SHOWN = 60

/**
 * @param {HTMLElement} place
 * @param {import('../main.js').Address} address
 */
export async function show(place, { parts, query, signal }) {
  const [, what = 'gallery', board] = parts
  if (!(what in PARTS) || parts.length > PARTS[/** @type {keyof typeof PARTS} */ (what)]) throw new Nowhere(parts.slice(1).join('/'))
  if (what === 'play' || what === 'draw') return onBoard(what, parts.slice(2).join('/') || FIRST, query, signal)
  const offered = await boards()
  const own = board ?? offered.at(-1)
  if (own === undefined) return [head(what), h('p', { class: 'unknown' }, t('unknown')), h('p', {}, h('a', { href: '#/rush/draw' }, t('rush.tab.draw')))]
  if (!offered.includes(own)) throw new Nowhere(board)
  const choice = h('nav', { class: 'tabs', 'aria-label': t('rush.boards') }, offered.map(one => h('a', { href: `#/rush/${what}/${one}`, 'aria-current': one === own ? 'page' : null }, named(one))))
  return [head(what), choice, what === 'print' ? await sheet(own, signal) : await gallery(own)]
}

function head(now, text = '') {
  const tab = (name, to = `/${name}`) => h('a', { href: `#/rush${to}`, 'aria-current': now === name ? 'page' : null }, t(`rush.tab.${name}`))
  return h('div', { class: 'title' }, h('h1', {}, t('rush.title')), h('nav', { class: 'tabs', 'aria-label': t('rush.title') }, tab('gallery', ''), tab('play', `/play${text}`), tab('draw', `/draw${text}`), tab('print')))
}

/** The boards whose hardest starts the release lists: `6x6-2`. @returns {Promise<string[]>} */
async function boards() {
  if (!release().some(entry => entry.name === DATASET)) return []
  return (await (await dataset(DATASET)).tables()).get('hardest')?.values ?? []
}

/** `6x6-2` as people read it: the row of the red car is counted from 1; walls by row and column. @param {string} board */
function named(board) {
  const [side, row, walls] = board.split('-')
  return t('rush.named', { side: side.replace('x', ' × '), row: Number(row) + 1 }) + (walls ? ` ▪ ${walls.split('_').map(wall => wall.split('.').map(one => Number(one) + 1).join('.')).join(' ')}` : '')
}

/** The hardest starts of a board, those with the most steps first. @returns {Promise<{text: string, steps: number}[]>} */
async function hardest(board) {
  const { readTable } = await script(import('../data/parquet.js'))
  const rows = await readTable(DATASET, 'hardest', { columns: ['board', 'text', 'steps'], chosen: file => file.first <= board && board <= file.last, within: { board: [board, board] } })
  return /** @type {any[]} */ (rows).filter(row => row.board === board).sort((a, b) => b.steps - a.steps)
}

async function gallery(board) {
  const rows = await hardest(board)
  const cards = h('div', { class: 'gallery' })
  const more = h('button', { type: 'button', class: 'quiet', onclick: () => draw(rows.length) }, t('all', { count: rows.length }))
  const draw = many => {
    cards.replaceChildren(...rows.slice(0, many).map(({ text, steps }) => {
      const mine = recordOf(`rush/play/${text}`)
      const link = card(parseBoard(text), `#/rush/play/${text}`, [h('h2', {}, t('rush.steps', { steps })), mine !== undefined && h('small', { class: 'count record' }, t('puzzles.yours', { mine }))])
      link.dataset.steps = String(steps)
      return link
    }))
    more.hidden = many >= rows.length
  }
  draw(SHOWN)
  return h('div', {}, h('p', { class: 'lead' }, t('rush.lead')), cards, more)
}

function sheet(board, signal) {
  return hardest(board).then(rows => sheetPage({
    rows: rows.reverse(), title: t('rush.print.title', { board: named(board) }), task: t('rush.task'), lead: t('rush.print.lead'), file: `rush-hour-${board}.svg`,
    picture: ({ text }, attributes) => picture(parseBoard(text), attributes), caption: row => t('rush.steps', { steps: row.steps }), answer: row => answer(row, signal),
  }, signal))
}

/** The names of the steps of a shortest solution, as many as the data say. */
async function answer({ text, steps }, signal) {
  const game = new Game(parseBoard(text))
  const made = []
  for (let now = text, known = await game.remaining(now, true, undefined, signal); known.moves; known = await game.remaining(now, true, undefined, signal)) {
    const { moves } = known
    const next = game.moves(now).find(({ name }) => known.next.get(name) === moves - 1)
    if (!next) break
    made.push(next.name)
    now = next.to
  }
  if (made.length !== steps) throw new Error(`${text}: a search found ${made.length} steps, the data say ${steps}`)
  return made.join(' ')
}

/** What is done with the board in the address; what is wrong with it is said where it is none. */
async function onBoard(what, text, query, signal) {
  try {
    if (what === 'draw') return [head(what, `/${text}`), (await script(import('./draw.js'))).drawPage(text)]
    const game = new Game(parseBoard(text))
    const start = textOf(game.board)
    const made = movesIn(query)
    if (!positionsAfter(game, start, made)) throw new Nowhere(query.get('game') ?? '')
    const play = new Play(game, start, made, `rush/play/${start}`, signal, playable)
    return [head(what, `/${start}`), h('p', {}, t('rush.task')), play.view(), h('p', { class: 'note' }, t('rush.how'))]
  } catch (error) {
    if (!(error instanceof DrawingFault)) throw error
    return [head(what), h('p', { class: 'failure', role: 'alert' }, t(error.message, error.values)), h('p', {}, h('a', { href: '#/rush/draw' }, t('rush.tab.draw')))]
  }
}
