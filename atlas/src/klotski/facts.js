/** What is known of a layout, as a list; and the layers of its group as a plot. */

import { script } from '../data/faults.js'
import { h } from '../dom.js'
import { number, t } from '../i18n.js'
import { into } from '../parts/failure.js'
import { plot } from '../parts/plots.js'
import { classOf, formatCode, mirrored } from './code.js'
import { rank } from './scan.js'

/**
 * What a code tells by itself; all else is still to come from the data.
 * @param {number} code
 * @param {number} [step] steps to the exit where they are known already
 */
export const outline = (code, step) => ({ code, id: rank(code), class: classOf(code), mirror: mirrored(code) === code, covered: true, step })

/** @param {Partial<import('./lookup.js').Layout> & {code: number, id: number, class: number[]}} layout values that are undefined are still to come */
export function facts(layout) {
  const name = layout.class.join('-')
  const known = value => (value === undefined ? '…' : value === null ? h('span', { class: 'unknown' }, t('unknown')) : number(value))
  const steps = layout.step === -1 ? t('klotski.none') : known(layout.step)
  const rows = [
    ['code', h('code', {}, formatCode(layout.code))],
    ['id', number(layout.id)],
    ['name', layout.covered && layout.index !== undefined ? h('code', {}, `${name}-${layout.group}-${layout.index}`) : known(layout.index)],
    ['class', h('a', { href: `#/klotski/class/${name}` }, name)],
    ['group', known(layout.group)],
    ['own', t(layout.mirror ? 'yes' : 'no')],
    ['steps', steps],
    ['nearest', layout.step === -1 ? '0' : known(layout.nearest)],
    ['solutions', layout.step === -1 ? '0' : known(layout.solutions)],
    ['farthest', layout.farthest === null || layout.farthest === undefined ? known(layout.farthest) : t('klotski.farthestText', { step: layout.farthest, num: layout.farthestNum })],
  ]
  return h('dl', { 'data-covered': String(layout.covered) }, rows.map(([key, value]) => [h('dt', {}, t(`klotski.fact.${key}`)), h('dd', { 'data-fact': key }, value)]))
}

/**
 * A button that searches the group of the layout shown and plots how far its layouts are from the exit.
 * @param {() => number} code
 * @param {AbortSignal} signal
 */
export function groupPlot(code, signal) {
  const place = h('div')
  const draw = () => into(place, async waiting => {
    const tell = met => (waiting.textContent = t('klotski.searching', { met }))
    const { exitLayers, wholeGroup } = await script(import('./search.js'))
    const group = await wholeGroup(code(), tell, signal)
    const layers = await exitLayers(group, tell, signal)
    if (!layers) return h('p', {}, t('klotski.groupUnsolvable', { size: group.size }))
    const far = layers.length - 1
    return [await plot({ title: t('klotski.layers', { size: group.size, far }), x: t('klotski.stepsToExit'), y: t('klotski.layouts'), xs: layers.map((_, at) => at), ys: layers, kind: 'bars' })]
  })
  return h('div', {}, h('button', { type: 'button', onclick: draw }, t('klotski.showGroup')), place)
}

