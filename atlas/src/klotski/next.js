/** All next steps with what the data say of each, the best first, as tables of chess endgames show them. */

import { h } from '../dom.js'
import { t } from '../i18n.js'
import { COLUMNS, SIZES, decode, encode } from './code.js'
import { stepsToExit } from './lookup.js'
import { arrowsOf, reachOf } from './moves.js'
import { namesOf } from './names.js'

/**
 * The steps possible from a layout: the code each leads to, the piece that moves and its way.
 * @param {number} code
 */
export function nextSteps(code) {
  const pieces = decode(code)
  const names = namesOf(pieces)
  return pieces.flatMap((piece, index) => {
    const ways = reachOf(pieces, index)
    return [...ways.keys()].map(cell => ({
      code: encode(pieces.map((one, at) => (at === index ? { ...one, cell } : one))),
      name: names[index], cell: piece.cell, size: SIZES[piece.kind], way: arrows(ways, piece.cell, cell),
    }))
  })
}

/** The way to a cell, by the cells that each is reached from. */
function arrows(ways, from, to) {
  const path = [to]
  while (path[0] !== from) path.unshift(ways.get(path[0]))
  return arrowsOf(path)
}

/** The list of the next steps of a layout. @param {number} code @param {(code: number) => void} go makes a step */
export const nextList = async (code, go) => rows(await valued(code), go)

/** The next steps with their steps to the exit; none and unknown come last. */
async function valued(code) {
  const steps = nextSteps(code)
  const values = await Promise.all(steps.map(step => stepsToExit(step.code)))
  const order = value => (value === null ? Infinity : value < 0 ? Number.MAX_SAFE_INTEGER : value)
  return steps.map((step, at) => ({ ...step, value: values[at] })).sort((a, b) => order(a.value) - order(b.value))
}

function rows(steps, go) {
  const best = steps[0]?.value ?? null
  return h('ul', { class: 'choices', 'aria-label': t('klotski.next') }, steps.map(step => h('li', {}, h('button', {
    type: 'button', class: `choice ${step.value !== null && step.value === best && best >= 0 ? 'shortest' : 'wins'}`, 'data-to': step.code.toString(16).toUpperCase().padStart(9, '0'), 'data-value': step.value,
    onclick: () => go(step.code),
  }, h('b', {}, h('span', { lang: 'zh-Hans' }, step.name), ` ${step.way}`),
  step.value === null ? t('unknown') : step.value < 0 ? t('klotski.unsolvable') : t('klotski.toGo', { step: step.value }),
  h('small', { class: 'count' }, ` ${t('klotski.cell', { row: Math.floor(step.cell / COLUMNS) + 1, column: step.cell % COLUMNS + 1 })}`)))))
}
