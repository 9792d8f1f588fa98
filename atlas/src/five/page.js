/** Five in a row: a heat map of boards for each k, a board with its placements, the best cells. */

import { h, s } from '../dom.js'
import { number, t } from '../i18n.js'
import { Nowhere, failure, into } from '../parts/failure.js'
import { cells, isMore, lengths, placement, placements, results } from './data.js'
import { playPage } from './play.js'

const SHADES = ['stones', 'difference', 'placements']
const WIDEST = 30
/** Rows of the boards that are read before the reader asks for all of them. */
const AT_FIRST = 10

/**
 * @param {HTMLElement} place
 * @param {import('../main.js').Address} address
 */
export async function show(place, { parts, query }) {
  const ks = await lengths()
  if (parts[1] === 'play') return [head(ks, 'play'), await playPage(parts.slice(2), query)]
  const k = ks.includes(Number(parts[1])) ? Number(parts[1]) : ks.includes(5) ? 5 : ks[0]
  if (parts[1] === 'cells' && parts.length === 2) return [head(ks, 0), await bestCells()]
  const [m, n] = (parts[2] ?? '').split('x').map(Number)
  if (parts.length > 3 || (parts[1] && k !== Number(parts[1])) || (parts[2] && !(m && n))) throw new Nowhere(parts.slice(1).join('/'))
  let rows = await results(k, AT_FIRST, m && n ? [Math.max(m, n), Math.min(m, n)] : [])
  const row = rows.find(one => one.rows === Math.max(m, n) && one.columns === Math.min(m, n)) ?? (parts[2] ? null : rows.filter(one => one.rows <= WIDEST && one.listed).at(-1) ?? rows[0])
  if (!row) throw new Nowhere(parts[2])
  const detail = h('section', { class: 'beside', 'aria-live': 'polite' })
  into(detail, () => board(row, Number(query.get('placement') ?? 1)))
  const map = h('div')
  const shade = SHADES.includes(query.get('shade') ?? '') ? query.get('shade') : 'stones'
  let shown = shade
  const draw = which => map.replaceChildren(heat(rows, row, shown = which))
  draw(shade)
  const more = h('div', { class: 'buttons' })
  const all = h('button', { type: 'button', onclick: () => into(more, async () => {
    rows = await results(k, Infinity)
    draw(shown)
    return []
  }) }, t('five.all'))
  if (await isMore(k, AT_FIRST)) more.append(all)
  return [head(ks, k), h('p', {}, t('five.lead', { k })), h('div', { class: 'row', role: 'radiogroup', 'aria-label': t('five.shade') },
    SHADES.map(name => h('label', {}, h('input', { type: 'radio', name: 'shade', checked: name === shade, onchange: () => draw(name) }), t(`five.shade.${name}`)))),
  h('div', { class: 'heat-play' }, h('div', {}, map, more), detail)]
}

function head(ks, now) {
  return h('div', { class: 'title' }, h('h1', {}, t('five.title')), h('nav', { class: 'tabs', 'aria-label': t('five.k') },
    ks.map(k => h('a', { href: `#/five/${k}`, 'aria-current': k === now ? 'page' : null }, `k = ${k}`)),
    h('a', { href: '#/five/cells', 'aria-current': now ? null : 'page' }, t('five.cells')),
    h('a', { href: '#/five/play', 'aria-current': now === 'play' ? 'page' : null }, t('five.play'))))
}

/** All boards of one k as a table of links, shaded. */
function heat(rows, chosen, which) {
  const small = rows.filter(row => row.rows <= WIDEST)
  const side = Math.max(...small.map(row => row.rows))
  const found = new Map(small.map(row => [`${row.rows} ${row.columns}`, row]))
  const value = row => (which === 'stones' ? row.stones : which === 'difference' ? row.stones - row.formula : row.placements)
  const strength = row => share(which, value(row), side * side / rows[0].k)
  const sides = Array.from({ length: side }, (_, at) => at + 1)
  const cell = (n, m) => {
    const row = found.get(`${Math.max(n, m)} ${Math.min(n, m)}`)
    if (!row) return h('td', {})
    const shown = value(row)
    const text = shown === null ? '?' : short(shown, which === 'difference')
    const td = h('td', { class: 'shade' }, h('a', { href: `#/five/${row.k}/${n}x${m}`, 'aria-current': row === chosen ? 'true' : null, title: `${n} × ${m}: ${shown ?? '?'}`, 'aria-label': `${n} × ${m}: ${shown ?? t('unknown')}` }, text))
    td.style.setProperty('--share', strength(row).toFixed(3))
    return td
  }
  const large = rows.filter(row => row.rows > WIDEST)
  return h('div', {}, h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('five.map') }, h('table', { class: 'heat' },
    h('caption', {}, t(`five.caption.${which}`, { k: rows[0].k })),
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'N \\ M'), sides.map(m => h('th', { scope: 'col' }, m)))),
    h('tbody', {}, sides.map(n => h('tr', {}, h('th', { scope: 'row' }, n), sides.map(m => cell(n, m))))))),
  large.length > 0 && h('p', {}, t('five.large'), ' ', large.map(row => [h('a', { href: `#/five/${row.k}/${row.rows}x${row.columns}` }, `${row.rows} × ${row.columns}`), ' '])))
}

function share(which, value, most) {
  if (value === null) return 0
  if (which === 'difference') return Math.min(1, Math.abs(value) / 3)
  return which === 'stones' ? Math.min(1, value / most) : Math.min(1, Math.log10(Number(value) + 1) / 9)
}

function short(value, signed) {
  if (signed) return value > 0 ? `+${value}` : String(value)
  const digits = String(value)
  return digits.length <= 4 ? digits : `${digits[0]}e${digits.length - 1}`
}

/** A board: what is known of it, and its placements one by one. */
async function board(row, first) {
  const exact = value => (value === null ? t('unknown') : number(BigInt(value)))
  const difference = row.stones - row.formula
  const facts = [
    ['stones', number(row.stones)], ['formula', `${number(row.formula)}${difference ? ` (${difference > 0 ? '+' : ''}${difference})` : ''}`],
    ['placements', exact(row.placements)], ['classes', exact(row.classes)],
    ['proof', row.proof === 'carried' ? t('five.proof.carried', { rows: row.base_rows, columns: row.base_columns }) : t(`five.proof.${row.proof}`)],
    row.lattice_stones !== null && ['lattice', t('five.latticeText', { stones: row.lattice_stones, placements: row.lattice_placements })],
    row.complete !== null && ['complete', t(row.complete ? 'yes' : 'no')],
  ].filter(fact => fact !== false)
  return [h('h2', {}, t('five.board', { rows: row.rows, columns: row.columns, k: row.k })), await viewer(row, first),
    row.rows <= 20 && h('p', {}, h('a', { href: `#/five/play/${row.k}/${row.rows}x${row.columns}` }, t('five.play.this'))),
    h('dl', {}, facts.map(([key, value]) => [h('dt', {}, t(`five.fact.${key}`)), h('dd', { 'data-fact': key }, value)]))].filter(Boolean)
}

async function viewer(row, first) {
  const listed = await placements(row)
  if (!listed) return h('p', { class: 'unknown' }, t('five.notListed'))
  const { count } = listed
  let now = Math.min(Math.max(first, 1), count)
  const picture = h('div', { class: 'picture' })
  const label = h('span', { class: 'count' })
  const go = async to => {
    now = ((to - 1 + count) % count) + 1
    label.textContent = t('five.placement', { now, count })
    try {
      picture.replaceChildren(drawing(await placement(listed, now - 1), t('five.placement', { now, count })))
    } catch (error) {
      picture.replaceChildren(failure(error, () => go(now)))
    }
  }
  await go(now)
  return h('div', {}, picture, h('div', { class: 'buttons' },
    h('button', { type: 'button', disabled: count < 2, onclick: () => go(now - 1), 'aria-label': t('previous') }, '←'),
    h('button', { type: 'button', disabled: count < 2, onclick: () => go(now + 1), 'aria-label': t('next') }, '→'),
    h('button', { type: 'button', disabled: count < 2, onclick: () => go(1 + Math.floor(Math.random() * count)) }, t('random')), label))
}

/** @param {boolean[][]} rows */
function drawing(rows, label) {
  const [high, wide] = [rows.length, rows[0].length]
  const marks = rows.flatMap((cellsOf, y) => cellsOf.flatMap((stone, x) => [
    high * wide <= 2500 && s('rect', { x: x + 0.03, y: y + 0.03, width: 0.94, height: 0.94, rx: 0.1, class: 'square' }),
    stone && s('circle', { cx: x + 0.5, cy: y + 0.5, r: 0.36, class: 'stone' })])).filter(Boolean)
  return s('svg', { viewBox: `0 0 ${wide} ${high}`, class: 'stones', role: 'img', 'aria-label': label }, marks)
}

async function bestCells() {
  const rows = await cells()
  const orders = [...new Set(rows.map(row => row.n))].filter(n => n > 1).sort((a, b) => a - b)
  return h('div', {}, h('p', {}, t('five.cells.lead')), orders.map(n => {
    const own = rows.filter(row => row.n === n)
    return [h('h2', {}, t('five.cells.order', { n, count: own.length })), h('div', { class: 'thumbs' }, own.slice(0, 24).map(row => h('div', {},
      drawing(row.columns.map(column => Array.from({ length: n }, (_, at) => at === Number(column))), t('five.cell', { cell: row.cell })),
      h('small', {}, t('five.cell.images', { cell: row.cell, h: row.h_1, s: row.s_1 })))))]
  }))
}
