/** The frame of all pages: header, the page that the address names, and what was verified so far. */

import '../styles/base.css'
import '../styles/parts.css'
import '../styles/games.css'
import strings from 'strings:app'
import { DataFault, script } from './data/faults.js'
import { onTraffic, traffic } from './data/http.js'
import { release } from './data/release.js'
import { h } from './dom.js'
import { addStrings, language, setLanguage, size, t } from './i18n.js'
import { Nowhere, failure, into } from './parts/failure.js'
import { theme, toggleTheme } from './parts/theme.js'

/** The pages; the script of each is loaded when it is first shown. */
const PAGES = '@PAGES@'.split(',')
/** @type {Map<string, Page>} */
const loaded = new Map()
let tries = 0
const LATER = 4000 // milliseconds

/**
 * The script of a page. A browser remembers that one failed to come, so that the next try asks for another address.
 * @param {string} name
 * @returns {Promise<Page>}
 */
async function load(name) {
  const file = `./${name}-@BUILD@.js`
  try {
    if (!loaded.has(name)) loaded.set(name, await import(tries ? `${file}?${tries}` : file))
  } catch (cause) {
    tries++
    throw new DataFault('script', new URL(`atlas/${file}`, document.baseURI).href, String(cause))
  }
  return /** @type {Page} */ (loaded.get(name))
}

/** @typedef {{show: (place: HTMLElement, address: Address) => any}} Page */
/** @typedef {{parts: string[], query: URLSearchParams, signal: AbortSignal}} Address */

let leaving = new AbortController()

/** The address after `#/`: `klotski/1A9BF0C00?x=y`. */
function address() {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?')
  return { parts: path.split('/').map(plain).filter((part, at) => part || !at), query: new URLSearchParams(query) }
}

/** A part of an address as it was meant; as it stands where it means nothing, such as `%`. */
function plain(part) {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function show() {
  leaving.abort()
  leaving = new AbortController()
  const { parts, query } = address()
  const page = PAGES.find(name => name === (parts[0] || 'home'))
  document.title = parts[0] && page ? `${t(`nav.${parts[0]}`)} · ${t('title')}` : t('title')
  const main = h('main', { id: 'main', tabindex: -1 })
  const app = /** @type {HTMLElement} */ (document.getElementById('app'))
  app.replaceChildren(
    h('a', { class: 'skip', href: '#main', onclick: skip }, t('skip')), header(parts[0]), main, footer(parts))
  const { signal } = leaving
  into(main, async place => {
    if (!page) throw new Nowhere(parts[0])
    return (await load(page)).show(/** @type {HTMLElement} */ (place), { parts, query, signal })
  })
}

function skip(event) {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

/** @param {string} now the page's name */
function header(now) {
  const links = PAGES.slice(1).filter(name => name !== 'puzzles' || release().some(entry => entry.games.length)).map(name =>
    h('a', { href: `#/${name}`, 'aria-current': name === now ? 'page' : null }, t(`nav.${name}`)))
  return h('header', {},
    h('a', { class: 'brand', href: '#/' }, mark(), h('span', {}, 'boardspace')),
    h('nav', { 'aria-label': t('nav') }, links),
    h('div', { class: 'switches' },
      h('button', { type: 'button', class: 'quiet', lang: language.now === 'zh' ? 'en' : 'zh-Hans', onclick: otherLanguage }, language.now === 'zh' ? 'English' : '中文'),
      h('button', { type: 'button', class: 'quiet', 'aria-label': t('theme'), title: t('theme'), onclick: toggleTheme }, '◐')))
}

function mark() {
  return h('span', { class: 'mark', 'aria-hidden': 'true' }, ...'abcde'.split('').map(name => h('i', { class: name })))
}

function otherLanguage() {
  setLanguage(language.now === 'zh' ? 'en' : 'zh')
  show()
}

/** @param {string[]} parts of the address */
function footer(parts) {
  const line = h('p', { class: 'traffic', id: 'traffic' })
  tellTraffic(line)
  return h('footer', {}, parts[0] && grounds(parts), line, h('p', {}, t('licence')))
}

/** Why the answers of a page hold; read when it is opened. @param {string[]} parts */
function grounds(parts) {
  const place = h('div')
  return h('details', { class: 'grounds', ontoggle: () => into(place, async () => (await script(import('./parts/grounds.js'))).grounds(parts)) },
    h('summary', {}, t('grounds')), place)
}

/** @param {Element | null} line */
function tellTraffic(line) {
  if (!line) return
  line.textContent = t('traffic', { checked: traffic.checked, requests: traffic.requests, size: size(traffic.bytes) })
  for (const name of /** @type {const} */ (['checked', 'requests', 'bytes'])) line.setAttribute(`data-${name}`, String(traffic[name]))
}

onTraffic(() => tellTraffic(document.getElementById('traffic')))
addEventListener('hashchange', show)
addEventListener('error', event => document.getElementById('main')?.prepend(failure(event.error ?? event.message)))
theme()
addStrings(strings)
// Once the first page is there, keep the program for a reader without a network.
setTimeout(() => navigator.serviceWorker?.register('sw.js').catch(() => undefined), LATER)
setLanguage(language.now)
show()


