/**
 * Any table: its rows in the order of its key, filtered by the key's columns, from the first or from the last; how the
 * values of a column are distributed; some rows as pictures, where the space draws them.
 */

import { readFile, rowGroups } from '../data/parquet.js'
import { dataset, documentText } from '../data/release.js'
import { h } from '../dom.js'
import { number, t } from '../i18n.js'
import { Nowhere, into } from '../parts/failure.js'
import { markdown } from '../parts/markdown.js'
import { plot } from '../parts/plots.js'

const PAGE = 50
const MOST_COUNTED = 2_000_000
const MOST_BARS = 80
const BINS = 40
const TEXTS = 40

/** @typedef {{name: string, arrowType: string, description: string, unit?: string}} Field */

/**
 * @param {string} name the dataset
 * @param {import('../data/release.js').TableEntry} table
 * @param {URLSearchParams} query ends of columns of the key, as `tray=3x3..3x4`, and the order
 * @param {AbortSignal} signal
 */
export async function browse(name, table, query, signal) {
  const fields = /** @type {Field[]} */ (JSON.parse(await documentText(name, `schemas/${table.name}.json`)).fields)
  const keys = table.key.flatMap(column => fields.find(field => field.name === column) ?? [])
  const within = chosen(keys, query)
  const down = query.get('order') === 'down'
  const total = table.files.reduce((sum, file) => sum + file.rows, 0)
  const [drawn, rows, spread] = [h('section'), h('section'), h('section')]
  into(drawn, async () => pictures(await (await dataset(name)).drawn(table.name), keys))
  into(rows, () => listed(name, table, fields, within, down))
  return h('div', { class: 'browse' }, h('h2', {}, table.name), markdown(table.description),
    h('p', { class: 'count' }, t('datasets.rows', { rows: total }), ' · ', t('datasets.key'), ' ', h('code', {}, table.key.join(', '))),
    filter(keys, table, query), rows, drawn, h('h3', {}, t('datasets.histogram')), histogramChoice(name, table, fields, within, spread, signal), spread,
    h('h3', {}, t('datasets.columns')), h('dl', {}, fields.map(field => [h('dt', {}, h('code', {}, field.name)), h('dd', {}, field.description, field.unit ? ` (${field.unit})` : '')])))
}

/** A value of a column from text; undefined where it is none. @param {Field} field @param {string} text */
function valueOf(field, text) {
  if (!text) return undefined
  if (isInteger(field)) return /^-?\d+$/.test(text) ? BigInt(text) : undefined
  if (isNumber(field)) return Number.isFinite(Number(text)) ? Number(text) : undefined
  return text
}

/** The ends of the columns of the key that the address gives. @param {Field[]} keys @param {URLSearchParams} query @returns {Record<string, any[]>} */
function chosen(keys, query) {
  return Object.fromEntries(keys.flatMap(field => {
    const [low, high = low] = (query.get(field.name) ?? '').split('..')
    const ends = [valueOf(field, low), valueOf(field, high)]
    if ([low, high].some((end, at) => end && ends[at] === undefined)) throw new Nowhere(`${field.name}=${query.get(field.name)}`)
    return ends.some(end => end !== undefined) ? [[field.name, ends]] : []
  }))
}

const inside = (row, within) => Object.entries(within).every(([column, [low, high]]) => (low === undefined || row[column] >= low) && (high === undefined || row[column] <= high))

/** The ends that statistics are compared with: an end that is not given excludes nothing. */
const bounded = within => Object.fromEntries(Object.entries(within).filter(([, ends]) => ends.every(end => end !== undefined)))

/** A form for the ends of the key's columns; its values go into the address. */
function filter(keys, table, query) {
  const fields = keys.map(field => {
    const [low = '', high = low] = (query.get(field.name) ?? '').split('..')
    const input = (value, which) => h('input', { value, size: 9, name: `${field.name}-${which}`, autocomplete: 'off', pattern: isInteger(field) ? '-?[0-9]+' : null, list: `values-${field.name}`, 'aria-label': t(`datasets.${which}`, { column: field.name }) })
    return { field, low: input(low, 'from'), high: input(high, 'to') }
  })
  const order = h('select', { id: 'order' }, ['up', 'down'].map(value => h('option', { value, selected: query.get('order') === value }, t(`datasets.order.${value}`))))
  const go = event => {
    event.preventDefault()
    const found = fields.filter(({ low, high }) => low.value || high.value).map(({ field, low, high }) => `${encodeURIComponent(field.name)}=${encodeURIComponent(low.value === high.value ? low.value : `${low.value}..${high.value}`)}`)
    if (order.value === 'down') found.push('order=down')
    const place = location.hash.split('?')[0]
    location.hash = found.length ? `${place}?${found.join('&')}` : place
  }
  return h('form', { class: 'row', onsubmit: go }, fields.map(({ field, low, high }) => h('span', { class: 'range' }, h('code', {}, field.name), low, '–', high)),
    table.values && h('datalist', { id: `values-${keys[0]?.name}` }, table.values.map(value => h('option', { value }))),
    h('label', { for: 'order' }, t('datasets.order'), order), h('button', { type: 'submit', class: 'main' }, t('datasets.filter')))
}

/** Whether the index holds an end as it is: numbers above 2^53 are rounded there, and decide nothing. */
const exact = end => end !== null && (typeof end !== 'number' || Math.abs(end) <= Number.MAX_SAFE_INTEGER)

/** The row groups that may hold rows `within`, in the order of the key or against it. */
async function* groups(name, table, within, down) {
  const ends = Object.entries(within)
  const files = table.files.filter(file => file.rows && ends.every(([column, [low, high]]) => {
    const at = table.key.indexOf(column)
    const [first, last] = at ? file.others[at - 1] ?? [null, null] : [file.first, file.last]
    return !exact(first) || !exact(last) || ((low === undefined || last >= low) && (high === undefined || first <= high))
  }))
  for (const file of down ? files.reverse() : files) {
    const found = await rowGroups(name, file, bounded(within))
    for (const group of down ? found.reverse() : found) yield { file, number: group.number }
  }
}

/** A page of rows, and more when asked for. */
async function listed(name, table, fields, within, down) {
  const source = groups(name, table, within, down)
  /** @type {Record<string, any>[]} */
  let waiting = []
  let shown = 0
  const body = h('tbody', {})
  const said = h('p', { class: 'count', role: 'status' })
  const more = h('button', { type: 'button', onclick: () => into(fault, async () => { await page().finally(() => (more.disabled = false)); return [] }) }, t('datasets.more'))
  const fault = h('div')
  const page = async () => {
    let over = false
    more.disabled = true
    while (waiting.length < PAGE && !over) {
      const { value, done } = await source.next()
      over = Boolean(done)
      if (!value) continue
      const rows = (await readFile(name, value.file, { groups: [value.number] })).filter(row => inside(row, within))
      waiting = waiting.concat(down ? rows.reverse() : rows)
    }
    const rows = waiting.slice(0, PAGE)
    waiting = waiting.slice(PAGE)
    shown += rows.length
    body.append(...rows.map(row => h('tr', {}, fields.map(field => h('td', { class: isNumber(field) ? 'number' : null }, text(row[field.name]))))))
    more.hidden = over && !waiting.length
    said.textContent = shown ? t('datasets.shown', { shown }) : t('datasets.none')
  }
  await page().finally(() => (more.disabled = false))
  return [h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': table.name }, h('table', {}, h('thead', {}, h('tr', {}, fields.map(field =>
    h('th', { scope: 'col', class: isNumber(field) ? 'number' : null, title: field.description, 'aria-sort': field.name === table.key[0] ? (down ? 'descending' : 'ascending') : null }, field.name)))), body)), said, more, fault]
}

const isInteger = field => /^u?int\d+$/.test(field.arrowType)
const isNumber = field => isInteger(field) || /^(float|double|halffloat)/.test(field.arrowType)

/** A value as text: nothing for one that is missing. */
function text(value) {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one)) : String(value)
}

function pictures(drawn, keys) {
  if (!drawn.length) return []
  return [h('h3', {}, t('datasets.drawn')), h('div', { class: 'drawn' }, drawn.map(({ key, svg }) => {
    const spoken = keys.map((field, at) => `${field.name} ${key[at]}`).join(', ')
    // As an image, nothing in it can run or be loaded, whatever it holds.
    return h('figure', {}, h('img', { src: `data:image/svg+xml,${encodeURIComponent(svg)}`, alt: t('datasets.picture', { key: spoken }), loading: 'lazy' }), h('figcaption', {}, key.join(' · ')))
  }))]
}

function histogramChoice(name, table, fields, within, place, signal) {
  const select = h('select', { id: 'histogram' }, fields.map(field => h('option', { value: field.name }, field.name)))
  const draw = () => into(place, () => histogram(name, table, /** @type {Field} */ (fields.find(field => field.name === select.value)), within, signal))
  return h('div', { class: 'row' }, h('label', { for: 'histogram' }, t('datasets.column'), select), h('button', { type: 'button', onclick: draw }, t('datasets.count')), h('span', { class: 'note' }, t('datasets.countHow')))
}

/** How often each value of a column is there, among the rows chosen. */
async function histogram(name, table, field, within, signal) {
  /** @type {Map<any, number>} */
  const counts = new Map()
  let rows = 0
  let all = true
  for await (const { file, number: group } of groups(name, table, within, false)) {
    signal.throwIfAborted()
    if (rows >= MOST_COUNTED) {
      all = false
      break
    }
    for (const row of await readFile(name, file, { columns: [field.name, ...Object.keys(within)], groups: [group] })) {
      if (!inside(row, within)) continue
      const value = row[field.name]
      const key = value === null || value === undefined ? '' : typeof value === 'object' ? text(value) : value
      counts.set(key, (counts.get(key) ?? 0) + 1)
      rows++
    }
  }
  const missing = isNumber(field) ? counts.get('') ?? 0 : 0
  if (isNumber(field)) counts.delete('')
  const note = h('p', { class: 'note' }, [t('datasets.counted', { rows }), missing && t('datasets.missing', { missing }), !all && t('datasets.notAll')].filter(Boolean).join(' '))
  if (!counts.size) return note
  return isNumber(field) ? [await bars(field, counts), note] : [words(field, counts), note]
}

function bars(field, counts) {
  const values = [...counts].map(([value, count]) => ({ value: Number(value), count })).sort((a, b) => a.value - b.value)
  const [low, high] = [values[0].value, values[values.length - 1].value]
  const about = { title: t('datasets.histogramOf', { column: field.name }), x: field.unit ? `${field.name} (${field.unit})` : field.name, y: t('datasets.rowsAxis') }
  if (values.length <= MOST_BARS && high - low < 4 * MOST_BARS) return plot({ ...about, xs: values.map(one => one.value), ys: values.map(one => one.count), kind: 'bars' })
  const wide = isInteger(field) ? Math.ceil((high - low + 1) / BINS) : (high - low) / BINS
  const bins = new Array(BINS).fill(0)
  for (const { value, count } of values) bins[Math.min(BINS - 1, Math.floor((value - low) / wide))] += count
  return plot({ ...about, x: t('datasets.bins', { x: about.x, wide }), xs: bins.map((_, at) => low + at * wide), ys: bins, kind: 'line' })
}

function words(field, counts) {
  const sorted = [...counts].sort((a, b) => b[1] - a[1])
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('datasets.histogramOf', { column: field.name }) }, h('table', {},
    h('caption', {}, t('datasets.histogramOf', { column: field.name }), ' · ', t('datasets.values', { values: sorted.length })),
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, field.name), h('th', { scope: 'col', class: 'number' }, t('datasets.rowsAxis')))),
    h('tbody', {}, sorted.slice(0, TEXTS).map(([value, count]) => h('tr', {}, h('td', {}, String(value)), h('td', { class: 'number' }, number(count)))))))
}
