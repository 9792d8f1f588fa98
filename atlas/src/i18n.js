/** The strings of the pages, in English and 中文, from a data file for each. */

/** @type {Record<string, Record<string, string>>} */
const strings = { en: {}, zh: {} }
const STORED = 'atlas-language'

export const language = { now: chosen() }

function chosen() {
  const kept = stored()
  if (kept && kept in strings) return kept
  return navigator.languages.some(one => one.toLowerCase().startsWith('zh')) && !navigator.language.startsWith('en') ? 'zh' : 'en'
}

function stored() {
  try {
    return localStorage.getItem(STORED)
  } catch {
    return null
  }
}

/**
 * The program's strings are there from the start, those of a page come with its script.
 * @param {Record<string, Record<string, string>>} more
 */
export function addStrings(more) {
  for (const name of Object.keys(strings)) Object.assign(strings[name], more[name])
}

/** @param {string} name `en` or `zh` */
export function setLanguage(name) {
  language.now = name
  document.documentElement.lang = name === 'zh' ? 'zh-Hans' : 'en'
  try {
    localStorage.setItem(STORED, name)
  } catch {
    // A browser that keeps nothing asks again.
  }
}

/**
 * The string of a key, `{name}` replaced by values, `{name|step|steps}` by a number and its word.
 * @param {string} key
 * @param {Record<string, any>} [values]
 */
export function t(key, values = {}) {
  const text = strings[language.now][key] ?? key
  return text.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, name, one, more) => {
    const shown = typeof values[name] === 'number' ? number(values[name]) : values[name]
    return one === undefined ? shown : `${shown} ${Number(values[name]) === 1 ? one : more}`
  })
}

/**
 * @param {number | bigint} value
 * @param {number} [digits] after the point
 */
export function number(value, digits = 0) {
  return /** @type {number} */ (value).toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** @param {number} bytes */
export function size(bytes) {
  const step = bytes < 1e3 ? 0 : bytes < 1e6 ? 1 : bytes < 1e9 ? 2 : 3
  return `${number(bytes / 1000 ** step, step && bytes / 1000 ** step < 100 ? 1 : 0)} ${['B', 'kB', 'MB', 'GB'][step]}`
}
