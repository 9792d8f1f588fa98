/** Division: covers by trominoes, and rectangles of pegs. */

import { h } from '../dom.js'
import { t } from '../i18n.js'
import { Nowhere } from '../parts/failure.js'
import { coverPage } from './cover.js'
import { rectanglesPage } from './rectangles.js'

/**
 * @param {HTMLElement} place
 * @param {import('../main.js').Address} address
 */
export async function show(place, { parts, query, signal }) {
  const rectangles = parts[1] === 'rectangles'
  if (parts.length > 2 || (parts[1] && !rectangles)) throw new Nowhere(parts.slice(1).join('/'))
  const tab = (name, to, now) => h('a', { href: `#/division${to}`, 'aria-current': now ? 'page' : null }, t(`division.tab.${name}`))
  return [h('div', { class: 'title' }, h('h1', {}, t('division.title')), h('nav', { class: 'tabs', 'aria-label': t('division.title') },
    tab('cover', '', !rectangles), tab('rectangles', '/rectangles', rectangles))),
  rectangles ? await rectanglesPage(query, signal) : coverPage(query)]
}
