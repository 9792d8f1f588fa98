/** Datasets: the card of each, its tables, its files with checksums, how to open it. */

import { script } from '../data/faults.js'
import { dataRoot, dataset, documentText } from '../data/release.js'
import { h } from '../dom.js'
import { number, size, t } from '../i18n.js'
import { Nowhere } from '../parts/failure.js'
import { grid } from '../parts/grid.js'
import { markdown } from '../parts/markdown.js'
import { titled } from '../parts/titled.js'
import { snippets } from './snippets.js'

const VIEWS = ['card', 'tables', 'files', 'open']

/**
 * @param {HTMLElement} place
 * @param {import('../main.js').Address} address
 */
export async function show(place, { parts: [, name, view = 'card', section, more], query, signal }) {
  const entries = await titled()
  const entry = entries.find(one => one.name === name)
  if (name === undefined) return overview(entries)
  if (!entry || !VIEWS.includes(view) || (section && !['card', 'tables'].includes(view)) || more) throw new Nowhere([name, view, section].filter(Boolean).join('/'))
  const tab = which => h('a', { href: `#/datasets/${name}/${which}`, 'aria-current': which === view ? 'page' : null }, t(`datasets.${which}`))
  return [h('div', { class: 'title' }, h('h1', {}, entry.title), h('nav', { class: 'tabs', 'aria-label': entry.title }, VIEWS.map(tab))),
    view === 'tables' ? await tables(entry, section, query, signal) : view === 'files' ? await files(entry) : view === 'open' ? await open(entry) : card(entry.name, await documentText(entry.name, 'README.md'), section)]
}

/** A card with its contents, whose lines lead to its headings by addresses of their own. */
function card(name, text, section) {
  const content = markdown(text.replace(/^---\n.*?\n---\n/s, '')).slice(1)
  const headings = content.filter(element => element.tagName === 'H2')
  const go = (event, heading) => {
    event.preventDefault()
    history.replaceState(null, '', event.currentTarget.getAttribute('href'))
    heading.scrollIntoView()
    heading.focus({ preventScroll: true })
  }
  const links = headings.map((heading, at) => {
    heading.tabIndex = -1
    return h('li', {}, h('a', { href: `#/datasets/${name}/card/${at + 1}`, onclick: event => go(event, heading) }, heading.textContent))
  })
  if (section && headings[section - 1]) setTimeout(() => headings[section - 1].scrollIntoView())
  return h('div', { class: 'card-page' }, h('nav', { class: 'contents', 'aria-label': t('datasets.contents') }, h('ol', {}, links)), h('div', { class: 'prose' }, content))
}

function overview(entries) {
  return [h('div', { class: 'title' }, h('h1', {}, t('datasets.title'))), h('p', {}, t('datasets.lead')),
    h('div', { class: 'cards' }, entries.map(entry => h('a', { class: 'card', href: `#/datasets/${entry.name}` }, h('h2', {}, entry.title), h('p', {}, entry.description),
      h('small', { class: 'count' }, t('datasets.sum', { version: entry.version, files: entry.files, size: size(entry.bytes) })))))]
}

/** The tables of a dataset, or one of them. */
async function tables(entry, name, query, signal) {
  const found = await (await dataset(entry.name)).tables()
  const table = found.get(name ?? '')
  if (name !== undefined && !table) throw new Nowhere(name)
  if (table) return (await script(import('./browse.js'))).browse(entry.name, table, query, signal)
  return h('div', {}, h('p', {}, t('datasets.tables.lead')), h('div', { class: 'cards' }, [...found.values()].map(one => h('a', { class: 'card', href: `#/datasets/${entry.name}/tables/${one.name}` },
    h('h2', {}, one.name), markdown(one.description), h('small', { class: 'count' }, t('datasets.rows', { rows: one.files.reduce((sum, file) => sum + file.rows, 0) }))))))
}

/** @param {import('../data/release.js').DatasetEntry} entry */
async function files(entry) {
  const listing = await (await dataset(entry.name)).listing()
  const rows = listing.map(([path, bytes, sha256]) => ({ path, bytes, sha256 }))
  const root = `${dataRoot()}${entry.name}/`
  return h('div', {},
    entry.archive && h('p', {}, t('datasets.archive'), ' ', h('a', { href: dataRoot() + entry.archive.path }, entry.archive.path), ` · ${size(entry.archive.bytes)} · SHA-256 `, h('code', { class: 'sum' }, entry.archive.sha256)),
    h('pre', { tabindex: 0 }, h('code', {}, `cd ${entry.name} && sha256sum --quiet --check SHA256SUMS`)),
    grid([
      { label: t('datasets.file'), value: row => row.path, show: row => h('a', { href: root + row.path }, row.path) },
      { label: t('datasets.bytes'), value: row => row.bytes, show: row => number(row.bytes), number: true },
      { label: 'SHA-256', value: row => row.sha256, show: row => h('code', { class: 'sum' }, row.sha256) },
    ], rows, { caption: t('datasets.listing', { files: rows.length }), first: 60 }))
}

/** @param {import('../data/release.js').DatasetEntry} entry */
async function open(entry) {
  const found = await dataset(entry.name)
  return h('div', { class: 'prose' }, h('p', {}, t('datasets.openLead')), snippets(await found.tables(), await found.arrays(), `${dataRoot()}${entry.name}`).map(({ title, text }) => [h('h2', {}, title), h('pre', { tabindex: 0 }, h('code', {}, text))]))
}
