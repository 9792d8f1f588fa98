/** An error in place of what should have been shown: what, where, what to do, and a button to try again. */

import { aborted, dataFault } from '../data/faults.js'
import { h } from '../dom.js'
import { t } from '../i18n.js'

/** An address that leads to no page; its message is the part that is unknown. */
export class Nowhere extends Error {}

/**
 * @param {any} error
 * @param {() => void} [again]
 */
export function failure(error, again) {
  const fault = dataFault(error)
  const kind = fault?.kind ?? 'bug'
  return h('div', { class: 'failure', role: 'alert', 'data-fault': kind },
    h('strong', {}, t(`fault.${kind}`)),
    h('p', {}, t(`fault.${kind}.do`)),
    h('p', { class: 'where' }, fault ? `${fault.where} ${fault.detail && `· ${fault.detail}`}` : String(error?.stack ?? error)),
    again && h('button', { type: 'button', onclick: again }, t('again')))
}

/**
 * Show what a promise gives inside an element: a line while it is awaited, the error where it fails.
 * @param {Element} place
 * @param {(place: Element) => Promise<any>} make appends to the place, once it is empty, or gives what is to be shown
 */
export async function into(place, make) {
  place.replaceChildren(h('p', { class: 'waiting' }, t('waiting')))
  place.setAttribute('aria-busy', 'true')
  try {
    const made = await make(place)
    if (made !== undefined) place.replaceChildren(...[made].flat())
  } catch (error) {
    if (aborted(error)) return
    if (error instanceof Nowhere) return place.replaceChildren(h('h1', {}, t('nowhere')), h('p', { class: 'lead' }, t('nowhere.part', { part: error.message })), h('p', {}, h('a', { href: '#/' }, t('nav.home'))))
    if (!dataFault(error)) console.error(error)
    place.replaceChildren(failure(error, () => into(place, make)))
  } finally {
    place.removeAttribute('aria-busy')
  }
}
