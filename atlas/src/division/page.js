/** Division: covers by trominoes, and rectangles of pegs, both to look at and to play. */

import { h } from '../dom.js'
import { t } from '../i18n.js'
import { Nowhere } from '../parts/failure.js'
import { coverPage } from './cover.js'
import { pegsPage } from './pegs.js'
import { rectanglesPage } from './rectangles.js'
import { tilingPage } from './tiling.js'

const VIEWS = ['cover', 'tiling', 'rectangles', 'pegs']

/**
 * @param {HTMLElement} place
 * @param {import('../main.js').Address} address
 */
export async function show(place, { parts, query, signal }) {
  const what = parts[1] ?? 'cover'
  if (parts.length > 2 || !VIEWS.includes(what) || parts[1] === 'cover') throw new Nowhere(parts.slice(1).join('/'))
  const tab = name => h('a', { href: `#/division${name === 'cover' ? '' : `/${name}`}`, 'aria-current': name === what ? 'page' : null }, t(`division.tab.${name}`))
  return [h('div', { class: 'title' }, h('h1', {}, t('division.title')), h('nav', { class: 'tabs', 'aria-label': t('division.title') }, VIEWS.map(tab))),
    what === 'rectangles' ? await rectanglesPage(query, signal) : what === 'pegs' ? await pegsPage(query, signal) : what === 'tiling' ? tilingPage(query, signal) : coverPage(query)]
}
