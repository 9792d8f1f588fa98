/** A sheet to print: a dozen puzzles on A4 as one SVG, their solutions upside down after it. */

import { h, s } from '../dom.js'
import { t } from '../i18n.js'
import { into } from './failure.js'

const PRINTED = 12
const [WIDE, HIGH] = [210, 297] // millimetres of A4
const [ACROSS, DOWN] = [3, 4]
const [LEFT, TOP, STRIDE] = [14, 30, 64]

/**
 * A sheet that can be printed or saved; the solutions are found once it is shown.
 * @template R
 * @param {{rows: R[], title: string, task: string, file: string, lead: string, picture: (row: R, attributes: Record<string, any>) => Element,
 *   caption: (row: R) => string, answer: (row: R) => Promise<string>}} shown `rows` with easy ones first
 * @param {AbortSignal} signal
 */
export function sheetPage({ rows, title, task, file, lead, picture, caption, answer }, signal) {
  const chosen = spread(rows)
  const text = (x, y, size, content) => s('text', { x, y, 'font-size': size, 'font-family': 'system-ui, sans-serif', 'text-anchor': 'middle', fill: '#000' }, content)
  const [width, height] = [(WIDE - 2 * LEFT) / ACROSS - 8, STRIDE - 14]
  const drawn = s('svg', { class: 'a4', viewBox: `0 0 ${WIDE} ${HIGH}`, width: `${WIDE}mm`, height: `${HIGH}mm`, role: 'img', 'aria-label': title },
    s('rect', { width: WIDE, height: HIGH, fill: '#fff' }), text(WIDE / 2, 16, 7, title), text(WIDE / 2, 23, 4, task),
    chosen.slice(0, ACROSS * DOWN).map((row, at) => {
      const [x, y] = [LEFT + (at % ACROSS) * (WIDE - 2 * LEFT) / ACROSS + 4, TOP + Math.floor(at / ACROSS) * STRIDE]
      return [picture(row, { x, y, width, height }), text(x + width / 2, y + height + 6, 4.2, `${at + 1}. ${caption(row)}`)]
    }))
  const answers = h('section', { class: 'answers' })
  into(answers, async () => {
    const made = []
    for (const [at, row] of chosen.entries()) made.push(h('p', {}, h('b', {}, `${at + 1}. `), await answer(row)))
    return [h('h2', {}, t('sheet.answers')), ...made]
  })
  const address = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(drawn)], { type: 'image/svg+xml' }))
  signal.addEventListener('abort', () => URL.revokeObjectURL(address))
  return h('div', {}, h('p', { class: 'lead' }, lead),
    h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'main', onclick: () => print() }, t('sheet.print')), h('a', { class: 'button', href: address, download: file }, t('sheet.save'))),
    drawn, answers)
}

/** A dozen of the rows, the first and the last among them. */
function spread(rows) {
  if (rows.length <= PRINTED) return rows
  return Array.from({ length: PRINTED }, (_, at) => rows[Math.round(at * (rows.length - 1) / (PRINTED - 1))])
}
