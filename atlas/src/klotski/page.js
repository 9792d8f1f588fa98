/** Klotski: one layout and its game, a board to build on, the classes. */

import { script } from '../data/faults.js'
import { h } from '../dom.js'
import { t } from '../i18n.js'
import { Nowhere, failure } from '../parts/failure.js'
import { Board } from './board.js'
import { NextSteps } from './choices.js'
import { formatCode, mirrored, parseCode } from './code.js'
import { codeOfStart, find, starts } from './find.js'
import { Game } from './game.js'
import { facts, groupPlot, outline } from './facts.js'
import { classes, randomCode } from './lookup.js'

const CLASSIC = '1A9BF0C00'
/** The script of all pages but that of a layout. */
const more = () => script(import('./more.js'))

/**
 * @param {HTMLElement} place
 * @param {import('../main.js').Address} address
 */
export async function show(place, { parts, signal }) {
  const [, what = CLASSIC, name] = parts
  if (parts.length > (['class', 'build', 'daily'].includes(what) ? 3 : 2)) throw new Nowhere(parts.at(-1))
  if (what === 'classes') return [head(what), await (await more()).showClasses()]
  if (what === 'gallery') return [head(what), (await more()).gallery()]
  if (what === 'print') return [head('gallery'), (await more()).printPage(signal)]
  if (what === 'daily') return await dailyPage(name, signal)
  if (what === 'class') return [head(what), await (await more()).showClass(name)]
  try {
    if (what === 'build') return [head(what), ...(await more()).build(name ?? CLASSIC)]
    return layoutPage(parseCode(what), signal)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return [head('layout'), h('p', { class: 'failure', role: 'alert' }, t(error.message)), finder(signal)]
  }
}

function head(now) {
  const tab = (name, to) => h('a', { href: `#/klotski${to}`, 'aria-current': now === name ? 'page' : null }, t(`klotski.tab.${name}`))
  return h('div', { class: 'title' }, h('h1', {}, t('klotski.title')),
    h('nav', { class: 'tabs', 'aria-label': t('klotski.title') }, tab('layout', ''), tab('gallery', '/gallery'), tab('daily', '/daily'), tab('build', '/build'), tab('classes', '/classes')))
}

/**
 * The board is there at once, from the address alone; what the data say of it comes beside it.
 * @param {number} code
 * @param {AbortSignal} signal
 */
function layoutPage(code, signal, top = [head('layout'), finder(signal)]) {
  const table = h('div', { class: 'facts', 'aria-live': 'polite' })
  const said = h('p', { class: 'said', role: 'status' })
  const layers = h('section', { class: 'layers' })
  const start = starts.find(one => codeOfStart(one) === code)
  const next = new NextSteps(to => game.make(to))
  const game = new Game(code, new Board((next, piece) => game.moved(next, piece)), {
    say: (text, mood) => { said.textContent = text; said.dataset.mood = mood },
    looked: layout => {
      table.replaceChildren(facts(layout))
      next.show(layout.code)
    },
    failed: error => table.replaceChildren(failure(error, () => game.start())),
    signal,
  })
  table.replaceChildren(facts(outline(code)))
  table.setAttribute('aria-busy', 'true')
  game.start().finally(() => table.removeAttribute('aria-busy'))
  layers.replaceChildren(groupPlot(() => game.code, signal))
  return [...top, start && h('h2', { class: 'start' }, h('span', { lang: 'zh-Hans' }, start.name), ' ', h('small', { class: 'count' }, start.pinyin)),
    h('div', { class: 'play' },
      h('div', { class: 'stage' }, game.board.element, said, game.controls(),
        h('div', { class: 'buttons' },
          go(t('klotski.random'), async () => formatCode(await randomCode())),
          go(t('klotski.hardest'), async () => formatCode(Number((await hardest()).hardest_code))),
          go(t('klotski.mirror'), async () => formatCode(mirrored(game.code))),
          go(t('klotski.change'), async () => `build/${formatCode(game.code)}`))),
      h('div', { class: 'beside' }, next.element, table, layers)),
    h('p', { class: 'note' }, t('klotski.how'))].filter(Boolean)
}

/** @param {string | undefined} wanted a date, today where there is none @param {AbortSignal} signal */
async function dailyPage(wanted, signal) {
  const { daysLater, isDate, puzzleOf, today } = await more()
  const date = wanted ?? today()
  if (!isDate(date)) throw new Nowhere(date)
  const puzzle = await puzzleOf(date)
  const link = days => h('a', { class: 'button', href: `#/klotski/daily/${daysLater(date, days)}`, 'aria-label': t(days < 0 ? 'previous' : 'next') }, days < 0 ? '←' : '→')
  const top = [head('daily'), h('p', { class: 'lead day' }, link(-1), ' ', h('time', { datetime: date }, date), ' ', date < today() && link(1), ' ', puzzle ? t('klotski.daily.lead', { step: puzzle.steps }) : t('klotski.daily.none'))]
  return puzzle ? layoutPage(puzzle.code, signal, top) : top
}

async function hardest() {
  return (await classes()).reduce((best, row) => (row.hardest_step > best.hardest_step ? row : best))
}

/** A button that leads to another layout. */
function go(label, to) {
  const button = h('button', { type: 'button', onclick: async () => {
    try {
      location.hash = `#/klotski/${await to()}`
    } catch (error) {
      button.closest('.stage')?.append(failure(error))
    }
  } }, label)
  return button
}

/** The line to type a layout in. */
function finder(signal) {
  const fault = h('p', { class: 'fault', role: 'alert' })
  const input = h('input', { id: 'find', name: 'layout', autocomplete: 'off', spellcheck: 'false', list: 'starts', placeholder: t('klotski.find.example'), 'aria-describedby': 'find-how' })
  const search = async event => {
    event.preventDefault()
    fault.replaceChildren()
    try {
      location.hash = `#/klotski/${formatCode(await find(input.value, signal))}`
    } catch (error) {
      if (error instanceof RangeError) fault.textContent = t(error.message, /** @type {any} */ (error).values)
      else fault.replaceChildren(failure(error))
    }
  }
  return h('form', { class: 'finder', role: 'search', onsubmit: search },
    h('label', { for: 'find' }, t('klotski.find')), input, h('button', { type: 'submit', class: 'main' }, t('klotski.show')),
    h('small', { id: 'find-how', class: 'note' }, t('klotski.find.how')),
    h('datalist', { id: 'starts' }, starts.map(one => h('option', { value: one.name }, one.pinyin))), fault)
}
