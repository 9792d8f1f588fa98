/** The well-known starts as pictures, from the easiest to the hardest, with the reader's own records. */

import { h } from '../dom.js'
import { t } from '../i18n.js'
import { recordOf } from '../parts/records.js'
import { thumbnail } from './board.js'
import { formatCode } from './code.js'
import { codeOfStart, starts } from './find.js'

/** Steps from which a start is called middling, and hard. */
const HARDER = [45, 70]

export function gallery() {
  const sorted = [...starts].sort((a, b) => a.steps - b.steps)
  return h('div', {}, h('p', { class: 'lead' }, t('klotski.gallery.lead')), h('p', {}, h('a', { href: '#/klotski/print' }, t('klotski.print'))),
    h('div', { class: 'gallery' }, sorted.map(start => {
      const code = formatCode(codeOfStart(start))
      const mine = recordOf(`klotski/${code}`)
      const level = HARDER.filter(steps => start.steps >= steps).length
      return h('a', { href: `#/klotski/${code}`, class: 'card' }, h('div', { class: 'picture' }, thumbnail(codeOfStart(start), true)),
        h('h2', { lang: 'zh-Hans' }, start.name), h('p', {}, start.pinyin),
        h('small', { class: 'count' }, `${'●'.repeat(level + 1)}${'○'.repeat(2 - level)} `, t(`klotski.level.${level}`), ' · ', t('klotski.steps', { step: start.steps })),
        mine !== undefined && h('small', { class: 'count record' }, t('klotski.record', { mine, best: start.steps })))
    })))
}
