/** Tables of rows, sorted by a click on a head; long ones show a part until asked for more. */

import { h } from '../dom.js'
import { t } from '../i18n.js'

const FIRST = 100

/**
 * @template R
 * @param {{label: string, value: (row: R) => any, show?: (row: R) => any, number?: boolean}[]} columns
 * @param {R[]} rows
 * @param {{caption?: string, first?: number, sort?: number, down?: boolean}} [options]
 */
export function grid(columns, rows, { caption, first = FIRST, sort, down = false } = {}) {
  const body = h('tbody', {})
  const more = h('button', { type: 'button', class: 'quiet', onclick: () => { many = Infinity; draw() } })
  let many = first
  let by = sort ?? -1
  let falling = down
  const heads = columns.map((column, at) => h('th', { scope: 'col', class: column.number ? 'number' : null },
    h('button', { type: 'button', class: 'head', onclick: () => { falling = by === at ? !falling : Boolean(column.number); by = at; draw() } }, column.label)))
  const draw = () => {
    const sorted = by < 0 ? rows : [...rows].sort((a, b) => compare(columns[by].value(a), columns[by].value(b)) * (falling ? -1 : 1))
    heads.forEach((head, at) => at === by ? head.setAttribute('aria-sort', falling ? 'descending' : 'ascending') : head.removeAttribute('aria-sort'))
    body.replaceChildren(...sorted.slice(0, many).map(row => h('tr', {}, columns.map(column =>
      h('td', { class: column.number ? 'number' : null }, shown(column, row))))))
    more.textContent = t('all', { count: rows.length })
    more.hidden = rows.length <= many
  }
  draw()
  return h('div', {}, h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption ?? t('table') },
    h('table', {}, caption && h('caption', {}, caption), h('thead', {}, h('tr', {}, heads)), body)), more)
}

const shown = (column, row) => (column.show ? column.show(row) : (column.value(row) ?? ''))

function compare(a, b) {
  if (a === b) return 0
  if (a === null || a === undefined) return -1
  if (b === null || b === undefined) return 1
  return a < b ? -1 : 1
}
