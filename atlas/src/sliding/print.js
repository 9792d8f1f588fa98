/** A sheet to print: records of a tray, with their solutions. */

import { t } from '../i18n.js'
import { sheetPage } from '../parts/sheet.js'
import { longest, records } from './data.js'
import { picture } from './picture.js'
import { solution } from './solution.js'
import { cornerGoal, parseBoard } from './tray.js'

/** @param {string} tray @param {AbortSignal} signal */
export async function printPage(tray, signal) {
  return sheetPage({
    rows: records(await longest(tray)).sort((a, b) => a.steps - b.steps),
    title: t('sliding.print.title', { tray: tray.replace('x', ' × ') }), task: t('sliding.print.task'), lead: t('sliding.print.lead'), file: `sliding-${tray}.svg`,
    picture: (row, attributes) => drawn(row, attributes), caption: row => t('sliding.stepsCount', { steps: row.steps }), answer: row => answer(row, signal),
  }, signal)
}

function drawn(row, attributes) {
  const board = parseBoard(row.board)
  return picture(board, cornerGoal(board), attributes)
}

async function answer(row, signal) {
  const board = parseBoard(row.board)
  const made = await solution(board, cornerGoal(board), signal)
  if (made && made.length !== row.steps) throw new Error(`${row.board}: a search found ${made.length} steps, the data say ${row.steps}`)
  return made ? made.join(' ') : t('sliding.unknown')
}
