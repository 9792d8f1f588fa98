/** The classes with their sizes, and one class with its groups. */

import { h } from '../dom.js'
import { number, t } from '../i18n.js'
import { grid } from '../parts/grid.js'
import { plot } from '../parts/plots.js'
import { thumbnail } from './board.js'
import { formatCode } from './code.js'
import { classes, groupsOf } from './lookup.js'

const nameOf = row => `${row.jiang_num}-${row.bing_num}-${row.style_num}`
const toClass = row => h('a', { href: `#/klotski/class/${nameOf(row)}` }, nameOf(row))
const toLayout = code => h('a', { href: `#/klotski/${formatCode(Number(code))}` }, h('code', {}, formatCode(Number(code))))
const step = value => (value < 0 ? '–' : number(value))

export async function showClasses() {
  const rows = await classes()
  const pairs = new Map()
  for (const row of rows) {
    const key = `${row.jiang_num} ${row.bing_num}`
    pairs.set(key, (pairs.get(key) ?? 0) + row.layouts)
  }
  const total = rows.reduce((sum, row) => sum + row.layouts, 0)
  const hardest = [...rows].sort((a, b) => b.hardest_step - a.hardest_step).slice(0, 6)
  return h('div', {},
    h('p', {}, t('klotski.classes.sum', { layouts: total, groups: rows.reduce((sum, row) => sum + row.groups, 0), styles: rows.length, pairs: pairs.size })),
    h('h2', {}, t('klotski.classes.pairs')), pairTable(pairs),
    h('h2', {}, t('klotski.classes.hardest')),
    h('div', { class: 'thumbs' }, hardest.map(row => h('a', { href: `#/klotski/${formatCode(Number(row.hardest_code))}` }, thumbnail(Number(row.hardest_code)), h('b', {}, t('klotski.steps', { step: row.hardest_step })), h('small', {}, nameOf(row))))),
    h('h2', {}, t('klotski.classes.all')),
    grid([
      { label: t('klotski.fact.class'), value: nameOf, show: toClass },
      { label: t('klotski.kind.dominoes'), value: row => row.jiang_num, number: true },
      { label: t('klotski.kind.singles'), value: row => row.bing_num, number: true },
      { label: t('klotski.kind.lyingOnes'), value: row => row.style_num, number: true },
      { label: t('klotski.layouts'), value: row => row.layouts, show: row => number(row.layouts), number: true },
      { label: t('klotski.groups'), value: row => row.groups, show: row => number(row.groups), number: true },
      { label: t('klotski.largest'), value: row => row.largest_group, show: row => number(row.largest_group), number: true },
      { label: t('klotski.solvable'), value: row => row.solvable_layouts, show: row => number(row.solvable_layouts), number: true },
      { label: t('klotski.hardestStep'), value: row => row.hardest_step, show: row => step(row.hardest_step), number: true },
      { label: t('klotski.hardest'), value: row => row.hardest_code, show: row => (row.hardest_step < 0 ? '–' : toLayout(row.hardest_code)) },
    ], rows, { caption: t('klotski.classes.all'), first: 40 }))
}

/** The classes by dominoes and singles, as the source's table has them. */
function pairTable(pairs) {
  const keys = [...pairs.keys()].map(key => key.split(' ').map(Number))
  const jiangs = [...new Set(keys.map(key => key[0]))].sort((a, b) => a - b)
  const bings = [...new Set(keys.map(key => key[1]))].sort((a, b) => a - b)
  const most = Math.max(...pairs.values())
  const shade = value => `--share: ${value ? (0.08 + 0.92 * Math.log(value) / Math.log(most)).toFixed(3) : 0}`
  const cell = (jiang, bing) => {
    const value = pairs.get(`${jiang} ${bing}`)
    const made = h('td', { class: value ? 'number shade' : 'number' }, value ? number(value) : '')
    if (value) made.style.cssText = shade(value)
    return made
  }
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('klotski.classes.pairs') }, h('table', { class: 'pairs' },
    h('caption', {}, t('klotski.classes.pairsCaption')),
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('klotski.classes.corner')), bings.map(bing => h('th', { scope: 'col', class: 'number' }, bing)))),
    h('tbody', {}, jiangs.map(jiang => h('tr', {}, h('th', { scope: 'row', class: 'number' }, jiang), bings.map(bing => cell(jiang, bing)))))))
}

/** @param {string} name such as 5-4-1 */
export async function showClass(name = '') {
  const key = name.split('-').map(Number)
  const row = (await classes()).find(one => nameOf(one) === name)
  if (!row) return h('p', { class: 'failure', role: 'alert' }, t('klotski.noClass', { name }))
  const groups = await groupsOf(/** @type {[number, number, number]} */ (key))
  const far = groups.filter(group => group.hardest_step >= 0)
  const steps = []
  for (const group of far) steps[group.hardest_step] = (steps[group.hardest_step] ?? 0) + 1
  return h('div', {}, h('h2', {}, t('klotski.class', { name })),
    h('div', { class: 'class-head' }, row.hardest_step >= 0 && h('a', { href: `#/klotski/${formatCode(Number(row.hardest_code))}`, class: 'thumbs' }, thumbnail(Number(row.hardest_code)), h('b', {}, t('klotski.steps', { step: row.hardest_step }))),
      h('p', {}, t('klotski.classText', { jiang: key[0], bing: key[1], style: key[2], layouts: row.layouts, groups: row.groups, solvable: row.solvable_layouts }))),
    h('div', { class: 'plots' },
      await plot({ title: t('klotski.groupSizes'), x: t('klotski.groupRank'), y: t('klotski.layouts'), xs: groups.map((_, at) => at + 1), ys: groups.map(group => group.group_size), kind: 'points', log: true, logX: groups.length > 20 }),
      far.length > 0 && await plot({ title: t('klotski.groupDepths'), x: t('klotski.hardestStep'), y: t('klotski.groups'), xs: Array.from(steps, (_, at) => at), ys: Array.from(steps, value => value ?? 0), kind: 'bars' })),
    grid([
      { label: t('klotski.fact.group'), value: group => group.group_num, number: true },
      { label: t('klotski.layouts'), value: group => group.group_size, show: group => number(group.group_size), number: true },
      { label: t('klotski.exits'), value: group => group.exits, show: group => number(group.exits), number: true },
      { label: t('klotski.hardestStep'), value: group => group.hardest_step, show: group => step(group.hardest_step), number: true },
      { label: t('klotski.hardest'), value: group => group.hardest_code, show: group => (group.hardest_step < 0 ? '–' : toLayout(group.hardest_code)) },
      { label: t('klotski.seed'), value: group => group.seed_code, show: group => toLayout(group.seed_code) },
      { label: t('klotski.mirrorGroup'), value: group => group.mirror_group, number: true },
    ], groups, { caption: t('klotski.groups'), first: 25 }))
}
