/**
 * Claims: what each source text states, in its order, with the verdict of the data.
 *
 * A dataset's claims are folded on a narrow screen. `#/claims/SPACE/NAME` opens one, as claims/SPACE#NAME cites it.
 */

import { script } from '../data/faults.js'
import { readTable } from '../data/parquet.js'
import { h } from '../dom.js'
import { language, t } from '../i18n.js'
import { Nowhere, failure } from '../parts/failure.js'
import { titled } from '../parts/titled.js'

const VERDICTS = ['confirmed', 'corrected', 'refuted', 'answered', 'open', 'not_covered']
const LONG = 160
/** Translations by dataset and claim, loaded for readers of Chinese. @type {Record<string, Record<string, string>> | undefined} */
let chinese

/**
 * @param {HTMLElement} place
 * @param {import('../main.js').Address} address
 */
export async function show(place, { parts: path, query }) {
  const [, space = '', name = '', ...more] = path
  const entries = await titled()
  if (more.length || (space && !entries.some(entry => entry.name === space))) throw new Nowhere(more[0] ?? space)
  if (language.now === 'zh') chinese ??= (await script(import('./chinese.js'))).default
  const parts = await Promise.all(entries.map(async entry => ({ entry, ...(await claimsOf(entry.name)) })))
  if (name && !parts.some(part => part.entry.name === space && (part.error || part.rows.some(row => row.claim === name)))) throw new Nowhere(name)
  const chosen = { space: query.get('space') ?? '', verdict: query.get('verdict') ?? '', text: query.get('text') ?? '' }
  const list = h('div', { 'aria-live': 'polite' })
  const tally = h('div', { class: 'row tally' })
  const draw = () => {
    const filter = new URLSearchParams(Object.entries(chosen).filter(([, value]) => value))
    if (filter.size || !space) history.replaceState(null, '', `#/claims${filter.size ? `?${filter}` : ''}`)
    list.replaceChildren(...parts.filter(part => !chosen.space || part.entry.name === chosen.space).map(part => section(part, chosen, part.entry.name === space ? name : '', part.entry.name === space)))
    tally.replaceChildren(...VERDICTS.map(verdict => h('span', {}, h('span', { class: `verdict ${verdict}` }, t(`verdict.${verdict}`)), ` ${parts.reduce((sum, part) => sum + part.rows.filter(row => row.verdict === verdict && (!chosen.space || part.entry.name === chosen.space)).length, 0)}`)))
  }
  const select = (name, values, label) => h('label', {}, t(`claims.${name}`), h('select', { onchange: event => { chosen[name] = event.target.value; draw() } },
    h('option', { value: '' }, t('claims.any')), values.map(value => h('option', { value, selected: value === chosen[name] }, label(value)))))
  draw()
  if (space) requestAnimationFrame(() => list.querySelector(name ? `[id="claim-${space}-${name}"]` : `[data-space="${space}"]`)?.scrollIntoView())
  return [h('div', { class: 'title' }, h('h1', {}, t('claims.title'))), h('p', {}, t('claims.lead')),
    h('div', { class: 'row' }, select('space', entries.map(entry => entry.name), name => entries.find(entry => entry.name === name)?.title ?? name), select('verdict', VERDICTS, verdict => t(`verdict.${verdict}`)),
      h('label', {}, t('claims.search'), h('input', { type: 'search', value: chosen.text, oninput: event => { chosen.text = event.target.value; draw() } }))), tally, list]
}

/** A dataset's claims in the order of the text; those of one that is damaged do not hide the others. */
async function claimsOf(name) {
  try {
    const rows = await readTable(name, 'claims')
    return { rows: rows.sort((a, b) => (a.position ?? 0) - (b.position ?? 0)) }
  } catch (error) {
    return { rows: [], error }
  }
}

/**
 * Each statement is a line with its verdict, and opens to what it rests on; one that was found by that is open.
 *
 * @param {{entry: import('../data/release.js').DatasetEntry, rows: any[], error?: any}} part
 * @param {{verdict: string, text: string, space: string}} chosen
 * @param {string} cited the claim that is opened
 * @param {boolean} open true where the address names the dataset
 */
function section({ entry, rows, error }, { verdict, text, space }, cited, open) {
  const wanted = text.toLowerCase()
  const shown = rows.filter(row => (!verdict || row.verdict === verdict) && (!wanted || [row.claim, row.statement, statementOf(entry.name, row), row.source, row.evidence].some(part => part.toLowerCase().includes(wanted))))
  if (error) return h('section', {}, h('h2', {}, entry.title), failure(error))
  if (!shown.length) return h('section', {})
  const wide = matchMedia('(min-width: 641px)').matches
  return h('section', { 'data-space': entry.name }, h('details', { class: 'dataset', open: wide || open || Boolean(verdict || wanted || space) },
    h('summary', {}, h('h2', {}, entry.title, ' ', h('small', { class: 'count' }, t('claims.count', { shown: shown.length, count: rows.length })))),
    h('ol', { class: 'claims' }, shown.map(row => h('li', { id: `claim-${entry.name}-${row.claim}`, value: Number(row.position ?? rows.indexOf(row)) + 1, 'data-verdict': row.verdict },
      h('details', { open: row.claim === cited || Boolean(wanted) && !statementOf(entry.name, row).toLowerCase().includes(wanted) },
        h('summary', {}, h('span', { class: `verdict ${row.verdict}` }, t(`verdict.${row.verdict}`)), ' ', h('span', { class: 'statement' }, statementOf(entry.name, row))),
        h('dl', { class: 'plain' }, part('stated', value(row.stated)), row.measured && row.measured !== row.stated && part('measured', value(row.measured)),
        row.evidence && part('evidence', h('span', { lang: 'en' }, row.evidence)), statementOf(entry.name, row) !== row.statement && part('english', h('span', { lang: 'en' }, row.statement)), row.basis && part('basis', t(`basis.${row.basis}`)), part('source', h('span', {}, h('span', { lang: 'en' }, row.source), ' · ', h('a', { href: `#/claims/${entry.name}/${row.claim}` }, h('code', {}, `claims/${entry.name}#${row.claim}`)))))))))))
}

/** The statement in the reader's language; in English where there is no translation, as of a plug-in's. */
const statementOf = (name, row) => (language.now === 'zh' ? chinese?.[name]?.[row.claim] : null) ?? row.statement

const part = (key, content) => [h('dt', {}, t(`claims.${key}`)), h('dd', {}, content)]

function value(text) {
  if (text.length <= LONG) return h('code', {}, text)
  return h('details', {}, h('summary', {}, h('code', {}, `${text.slice(0, LONG)}…`)), h('code', {}, text))
}
