/** A page to print: the known starts by difficulty, and their shortest solutions upside down on the next sheet. */

import { h } from '../dom.js'
import { t } from '../i18n.js'
import { into } from '../parts/failure.js'
import { thumbnail } from './board.js'
import { decode } from './code.js'
import { codeOfStart, starts } from './find.js'
import { arrowsOf, stepBetween } from './moves.js'
import { namesOf } from './names.js'
import { shortestWay } from './search.js'

/** @param {AbortSignal} signal */
export function printPage(signal) {
  const sorted = [...starts].sort((a, b) => a.steps - b.steps)
  const answers = h('section', { class: 'answers' })
  into(answers, async () => {
    const made = []
    for (const [at, start] of sorted.entries()) made.push(answer(at + 1, start, await shortestWay(codeOfStart(start), undefined, signal)))
    return [h('h2', {}, t('klotski.print.answers')), ...made]
  })
  return h('div', {}, h('p', { class: 'lead' }, t('klotski.print.lead')), h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'main', onclick: () => print() }, t('klotski.print.print'))),
    h('div', { class: 'sheet' }, sorted.map((start, at) => h('div', {}, thumbnail(codeOfStart(start), true), h('div', {}, h('b', {}, `${at + 1}. `, h('span', { lang: 'zh-Hans' }, start.name))), h('small', { class: 'count' }, t('klotski.steps', { step: start.steps }))))),
    answers)
}

function answer(number, start, way) {
  return h('p', {}, h('b', {}, `${number}. ${start.name}`), ` ${written(way ?? []).join(' ')}`)
}

/**
 * The steps of a way in words: the piece and where it goes.
 * @param {number[]} way codes
 */
export function written(way) {
  const pieces = decode(way[0])
  const names = new Map(namesOf(pieces).map((name, at) => [`${pieces[at].kind} ${pieces[at].cell}`, name]))
  return way.slice(1).map((code, at) => {
    const { kind, path } = /** @type {{kind: number, path: number[]}} */ (stepBetween(way[at], code))
    const name = names.get(`${kind} ${path[0]}`)
    names.delete(`${kind} ${path[0]}`)
    names.set(`${kind} ${path[path.length - 1]}`, name ?? '')
    return `${name}${arrowsOf(path)}`
  })
}
