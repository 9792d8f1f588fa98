/** Dark or light: as the system has it, until the reader chooses. */

const STORED = 'atlas-theme'
const listeners = new Set()

/** @param {() => void} listener called when colours change */
export function onTheme(listener) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Take the theme that was chosen before. */
export function theme() {
  try {
    const kept = localStorage.getItem(STORED)
    if (kept) document.documentElement.dataset.theme = kept
  } catch {
    // A browser that keeps nothing follows the system.
  }
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed)
}

export function toggleTheme() {
  const root = document.documentElement
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  root.dataset.theme = dark ? 'light' : 'dark'
  try {
    localStorage.setItem(STORED, root.dataset.theme)
  } catch {
    // Then it holds for this page.
  }
  changed()
}

function changed() {
  for (const listener of listeners) listener()
}

/** A colour of the style sheet, for canvases.
 * @param {string} name */
export const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
