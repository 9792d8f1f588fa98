/** The frame of all pages: header, the page that the address names, and what was verified so far. */

import '../styles/base.css'
import '../styles/parts.css'
import '../styles/games.css'
import { onTraffic, traffic } from './data/http.js'
import { h } from './dom.js'
import { language, setLanguage, size, t } from './i18n.js'
import { failure, into } from './parts/failure.js'
import { theme, toggleTheme } from './parts/theme.js'

/** The pages, each loaded when it is first shown. @type {Record<string, () => Promise<Page>>} */
const PAGES = {
  '': () => import('./home.js'),
  klotski: () => import('./klotski/page.js'),
  solitaire: () => import('./solitaire/page.js'),
  five: () => import('./five/page.js'),
  division: () => import('./division/page.js'),
  claims: () => import('./claims/page.js'),
  datasets: () => import('./datasets/page.js'),
}

/** @typedef {{show: (place: HTMLElement, address: Address) => any}} Page */
/** @typedef {{parts: string[], query: URLSearchParams, signal: AbortSignal}} Address */

let leaving = new AbortController()

/** The address after `#/`: `klotski/1A9BF0C00?x=y`. */
function address() {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?')
  return { parts: path.split('/').map(decoded), query: new URLSearchParams(query) }
}

/** A part of the address as text; as it stands where its percent signs are no escapes. @param {string} part */
function decoded(part) {
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
  const page = Object.hasOwn(PAGES, parts[0]) ? PAGES[parts[0]] : null
  document.title = parts[0] && page ? `${t(`nav.${parts[0]}`)} · ${t('title')}` : t('title')
  const main = h('main', { id: 'main', tabindex: -1 })
  const app = /** @type {HTMLElement} */ (document.getElementById('app'))
  app.replaceChildren(
    h('a', { class: 'skip', href: '#main', onclick: skip }, t('skip')), header(parts[0]), main, footer())
  if (!page) main.append(h('h1', {}, t('nowhere')), h('p', {}, h('a', { href: '#/' }, t('nav.home'))))
  else into(main, async place => (await page()).show(/** @type {HTMLElement} */ (place), { parts, query, signal: leaving.signal }))
}

function skip(event) {
  event.preventDefault()
  document.getElementById('main')?.focus()
}

/** @param {string} now the page's name */
function header(now) {
  const links = Object.keys(PAGES).filter(Boolean).map(name =>
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

async function otherLanguage() {
  await setLanguage(language.now === 'zh' ? 'en' : 'zh')
  show()
}

function footer() {
  const line = h('p', { class: 'traffic', id: 'traffic' })
  tellTraffic(line)
  return h('footer', {}, line, h('p', {}, t('licence')))
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
await setLanguage(language.now)
show()


