/** Puzzles of states and moves, those of plug-ins too: their hardest starts, a start to play, a state to ask about. */

import { script } from '../data/faults.js'
import { dataset, release } from '../data/release.js'
import { openArray } from '../data/zarr.js'
import { h } from '../dom.js'
import { t } from '../i18n.js'
import { Nowhere, into } from '../parts/failure.js'
import { plot } from '../parts/plots.js'
import { recordOf } from '../parts/records.js'
import { titled } from '../parts/titled.js'
import { Game } from './game.js'
import { picture } from './picture.js'
import { Play, movesIn, positionsAfter } from './play.js'

const FIRST = 24
/** @type {Map<string, Game>} */
const games = new Map()

/**
 * @param {HTMLElement} place
 * @param {import('../main.js').Address} address
 */
export async function show(place, { parts: [, name, which, state, ...more], query, signal }) {
  if (name === undefined) return overview()
  const entry = release().find(one => one.name === name && one.games.length)
  const number = which === undefined ? 0 : entry?.games.indexOf(which) ?? -1
  if (!entry || number < 0 || more.length) throw new Nowhere([name, which, ...more].filter(Boolean).join('/'))
  const game = await opened(name, number)
  const address = `puzzles/${name}/${entry.games[number]}`
  if (state === undefined) return [await head(entry, number), ...gallery(name, game, address)]
  const start = game.numbered(state)
  const made = movesIn(query)
  if (start === undefined || !positionsAfter(game, start, made)) throw new Nowhere([state, query.get('game')].filter(Boolean).join('?game='))
  const play = new Play(game, start, made, `${address}/${state}`, signal)
  return [await head(entry, number), play.view(), h('p', { class: 'note' }, t(`puzzles.how.${game.held.to}`), ' ', extent(game))]
}

/** @param {string} name @param {number} number */
async function opened(name, number) {
  const key = `${name} ${number}`
  if (!games.has(key)) games.set(key, new Game(await (await dataset(name)).game(number)))
  return /** @type {Game} */ (games.get(key))
}

/** All puzzles of the release. */
async function overview() {
  const found = (await titled()).filter(entry => entry.games.length)
  return [h('h1', {}, t('puzzles.title')), h('p', { class: 'lead' }, t('puzzles.lead')),
    found.length ? h('div', { class: 'cards' }, found.map(entry => h('a', { class: 'card', href: `#/puzzles/${entry.name}` }, h('h2', {}, entry.title), h('p', {}, entry.description),
      h('small', { class: 'count' }, entry.games.map(named).join(' · '))))) : h('p', { class: 'unknown' }, t('unknown'))]
}

/** The name of a game as people read it: `half_turn`, `slide-3x3`. @param {string} name */
const named = name => name.replace('_', ' ').replace('-', ', ').replaceAll('x', ' × ')

async function head(entry, number) {
  const title = (await titled()).find(one => one.name === entry.name)?.title ?? entry.name
  return h('div', { class: 'title' }, h('h1', {}, title), h('nav', { class: 'tabs', 'aria-label': t('puzzles.games') }, entry.games.map((game, at) =>
    h('a', { href: `#/puzzles/${entry.name}/${game}`, 'aria-current': at === number ? 'page' : null }, named(game)))))
}

/** How much of the puzzle the page holds. @param {Game} game */
function extent({ held }) {
  return t(held.changes ? 'puzzles.changes' : held.edge.length ? 'puzzles.part' : 'puzzles.whole', { positions: held.texts.length, within: held.within })
}

/** Starts, those with the most moves first. */
function gallery(name, game, address) {
  const { held } = game
  const cards = h('div', { class: 'gallery' })
  const more = h('button', { type: 'button', class: 'quiet', onclick: () => draw(held.starts.length) }, t('all', { count: held.starts.length }))
  const draw = many => {
    cards.replaceChildren(...held.starts.slice(0, many).map(place => {
      const to = `${address}/${held.states[place]}`
      const mine = recordOf(to)
      return h('a', { class: 'card', href: `#/${to}`, 'data-moves': held.moves[place] }, h('div', { class: 'picture' }, picture(held, place, held.texts[place])),
        h('h2', {}, t('puzzles.count', { moves: held.moves[place] })), mine !== undefined && h('small', { class: 'count record' }, t('puzzles.yours', { mine })))
    }))
    more.hidden = many >= held.starts.length
  }
  draw(FIRST)
  const levels = h('section', { class: 'layers' })
  into(levels, () => plotted(name, game))
  return [h('p', {}, t('puzzles.gallery'), ' ', extent(game)), asking(name, game, address), cards, more, levels,
    h('p', {}, h('a', { href: `#/datasets/${name}/tables` }, t('puzzles.tables')))]
}

/** The rows of a table that belong to the case of a game. */
async function rowsOf(name, { held }, table, columns, within = {}) {
  const { readTable } = await script(import('../data/parquet.js'))
  const own = { metric: held.metric, ...held.size }
  const rows = await readTable(name, table, { columns: [...Object.keys(own), ...columns], within: { metric: [held.metric, held.metric], ...within } })
  return rows.filter(row => Object.entries(own).every(([column, value]) => row[column] === value))
}

async function plotted(name, game) {
  const rows = await rowsOf(name, game, 'levels', ['distance', 'states'])
  const shown = { title: t('puzzles.levels'), x: t('puzzles.distance'), y: t('puzzles.states'), xs: rows.map(row => row.distance), ys: rows.map(row => Number(row.states)) }
  return rows.length > 1 ? [await plot({ ...shown, kind: 'bars' })] : []
}

/** A field for a state, by its number or its drawing. */
function asking(name, game, address) {
  const answer = h('p', { class: 'said', role: 'status' })
  const field = h('input', { id: 'puzzle-state', autocomplete: 'off', spellcheck: 'false', placeholder: `#${game.held.states[game.held.starts[0]]}` })
  const ask = async () => {
    const asked = field.value.trim()
    const text = asked.startsWith('#') ? game.numbered(asked) : game.held.texts.find(one => alike(one) === alike(asked))
    if (text !== undefined) return location.assign(`#/${address}/${game.numberOf(text)}`)
    const moves = asked.startsWith('#') ? await movesOf(name, game, asked.slice(1)) : undefined
    answer.textContent = moves === undefined ? t('puzzles.absent', { command: `boardspace ${name.replaceAll('_', '-')} show` }) : moves === null ? t('puzzles.never') : t('puzzles.takes', { moves })
  }
  return h('form', { class: 'row', onsubmit: event => { event.preventDefault(); into(answer, ask) } }, h('label', {}, t('puzzles.ask'), ' ', field), h('button', { type: 'submit' }, t('puzzles.look')), answer)
}

/** A drawing in one line, without what people leave out. @param {string} text */
const alike = text => text.replace(/[\s/]/g, '')

/** What the data say of a state by its number, wherever they have a value for each; undefined where they do not. */
async function movesOf(name, game, number) {
  if (!/^\d{1,20}$/.test(number)) return undefined
  const { metric, size, to } = game.held
  const column = to === 'goal' ? 'to_goal' : 'distance'
  const array = await openArray(name, [column, metric, Object.values(size).join('x')].filter(Boolean).join('/'))
  if (array) return Number(number) < array.shape[0] ? reached(Number(await array.at(Number(number)))) : undefined
  if (!(await dataset(name)).has('positions')) return undefined
  const [row] = (await rowsOf(name, game, 'positions', ['state', column], { state: [BigInt(number), BigInt(number)] })).filter(one => BigInt(one.state) === BigInt(number))
  return row && reached(row[column])
}

const reached = moves => (moves === 255 ? null : moves)
