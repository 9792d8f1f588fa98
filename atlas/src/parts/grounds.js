/** The grounds on which the answers of a page stand: what each table behind them is all of, and why that is all. */

import { dataset, release } from '../data/release.js'
import { h } from '../dom.js'
import { t } from '../i18n.js'

/** The dataset of each page, and its tables and arrays that the page shows. */
const BEHIND = {
  klotski: ['klotski', 'main', 'solution', 'farthest', 'classes', 'groups'],
  sliding: ['sliding_blocks', 'records', 'classes', 'histograms'],
  rush: ['rush_hour', 'hardest', 'pieces', 'levels'],
  solitaire: ['solitaire', 'solutions', 'solution_counts', 'levels', 'layers', 'winning', 'classes/{board}-{vacancy}/{set}'],
  five: ['five_in_a_row', 'results', 'listed', 'placements', 'cells'],
  division: ['board_division', 'cover_counts', 'covers/{k}', 'rectangles', 'jumps'],
}

/**
 * A list for the page of an address: of the page of a dataset, or of a puzzle, all its tables and arrays, of a table's page this table.
 * @param {string[]} parts of the address
 */
export async function grounds([page, name, , table]) {
  const [own, ...shown] = BEHIND[/** @type {keyof typeof BEHIND} */ (page)] ?? [name]
  const names = release().map(entry => entry.name).filter(one => !own || one === own)
  const found = await Promise.all(names.map(async one => ({ one, stated: await (await dataset(one)).grounds() })))
  const rows = found.flatMap(({ one, stated }) => (shown.length ? shown : page === 'datasets' && table ? [table] : Object.keys(stated))
    .flatMap(content => (stated[content] ? [{ one, content, kind: stated[content][0], extent: stated[content][1] }] : [])))
  if (!rows.length) return h('p', { class: 'unknown' }, t('grounds.none'))
  return [h('p', {}, t('grounds.lead')), h('dl', {}, rows.map(({ one, content, kind, extent }) => [
    h('dt', {}, h('a', { href: `#/datasets/${one}` }, h('code', {}, content))),
    h('dd', { 'data-grounds': content }, t(`grounds.${kind}`), extent && h('div', { lang: 'en' }, extent)),
  ]))]
}
