/** A sheet to print: records of a tray on A4 as one SVG, their solutions upside down after it. */

import { h, s } from '../dom.js'
import { t } from '../i18n.js'
import { into } from '../parts/failure.js'
import { longest, records } from './data.js'
import { picture } from './picture.js'
import { solution } from './solution.js'
import { cornerGoal, parseBoard } from './tray.js'

const PRINTED = 12
const [WIDE, HIGH] = [210, 297] // millimetres of A4
const [ACROSS, DOWN] = [3, 4]
const [LEFT, TOP, STRIDE] = [14, 30, 64]

/**
 * A sheet of A4 with a dozen records, easy ones first, as one SVG that can be printed or saved; solutions come after it.
 * @param {string} tray @param {AbortSignal} signal
 */
export async function printPage(tray, signal) {
  const rows = spread(records(await longest(tray)).sort((a, b) => a.steps - b.steps))
  const drawn = sheet(tray, rows)
  const answers = h('section', { class: 'answers' })
  into(answers, async () => {
    const made = []
    for (const [at, row] of rows.entries()) made.push(await answer(at + 1, row, signal))
    return [h('h2', {}, t('sliding.answers')), ...made]
  })
  const file = new Blob([new XMLSerializer().serializeToString(drawn)], { type: 'image/svg+xml' })
  const address = URL.createObjectURL(file)
  signal.addEventListener('abort', () => URL.revokeObjectURL(address))
  return h('div', {}, h('p', { class: 'lead' }, t('sliding.print.lead')),
    h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'main', onclick: () => print() }, t('sliding.print.print')), h('a', { class: 'button', href: address, download: `sliding-${tray}.svg` }, t('sliding.print.save'))),
    drawn, answers)
}

/** A dozen of the rows, the first and the last among them. */
function spread(rows) {
  if (rows.length <= PRINTED) return rows
  return Array.from({ length: PRINTED }, (_, at) => rows[Math.round(at * (rows.length - 1) / (PRINTED - 1))])
}

function sheet(tray, rows) {
  const text = (x, y, size, content) => s('text', { x, y, 'font-size': size, 'font-family': 'system-ui, sans-serif', 'text-anchor': 'middle', fill: '#000' }, content)
  const [wide, high] = [(WIDE - 2 * LEFT) / ACROSS - 8, STRIDE - 14]
  return s('svg', { class: 'a4', viewBox: `0 0 ${WIDE} ${HIGH}`, width: `${WIDE}mm`, height: `${HIGH}mm`, role: 'img', 'aria-label': t('sliding.print.sheet', { tray }) },
    s('rect', { width: WIDE, height: HIGH, fill: '#fff' }), text(WIDE / 2, 16, 7, t('sliding.print.title', { tray: tray.replace('x', ' × ') })), text(WIDE / 2, 23, 4, t('sliding.print.task')),
    rows.map((row, at) => {
      const [x, y] = [LEFT + (at % ACROSS) * (WIDE - 2 * LEFT) / ACROSS + 4, TOP + Math.floor(at / ACROSS) * STRIDE]
      const board = parseBoard(row.board)
      return [picture(board, cornerGoal(board), { x, y, width: wide, height: high }), text(x + wide / 2, y + high + 6, 4.2, `${at + 1}. ${t('sliding.stepsCount', { steps: row.steps })}`)]
    }))
}

async function answer(number, row, signal) {
  const board = parseBoard(row.board)
  const made = await solution(board, cornerGoal(board), signal)
  if (made && made.length !== row.steps) throw new Error(`${row.board}: a search found ${made.length} steps, the data say ${row.steps}`)
  return h('p', {}, h('b', {}, `${number}. `), made ? made.join(' ') : t('sliding.unknown'))
}
