/** Titles and descriptions of the datasets that ship, in Chinese; those of a plug-in's stay as they are. */

import texts from '../../strings/datasets.zh.json'

/** @typedef {import('../data/release.js').DatasetEntry} DatasetEntry */

/**
 * Entries of datasets whose titles and descriptions are in Chinese, with what a part covers of its space.
 * @param {DatasetEntry[]} entries
 * @returns {DatasetEntry[]}
 */
export const inChinese = entries => entries.map(entry => {
  const own = texts.datasets[/** @type {keyof typeof texts.datasets} */ (entry.name)]
  return own ? { ...entry, title: own.title + covered(entry.title, '，'), description: covered(entry.description, '', '。') + own.about } : entry
})

/** What `PARTIAL: 4 of 203 classes` says, between two signs; '' where the dataset is whole. */
function covered(text, before, after = '') {
  const [, counts] = /PARTIAL: ((?:(?:, )?[\d,]+ of [\d,]+ [a-z ]+)+)/.exec(text) ?? []
  if (!counts) return ''
  const parts = [...counts.matchAll(/([\d,]*\d) of ([\d,]*\d) ([a-z ]+)/g)].map(([, some, all, scope]) => `${texts.scopes[scope] ?? scope} ${some}/${all}`)
  return `${before}部分：${parts.join('、')}${after}`
}
