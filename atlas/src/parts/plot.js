/**
 * Plots as SVG: bars, a line or points, each axis linear or logarithmic. Colours are the style sheet's; a plot has a
 * description, a value under the pointer, and its figures as a table for those who do not see it.
 */

import { h, s } from '../dom.js'
import { number, t } from '../i18n.js'

const WIDE = 460
const HIGH = 230
const LEFT = 58
const BELOW = 44
const TOP = 10
const RIGHT = 12
const MOST_ROWS = 400

/**
 * @typedef {{title: string, x: string, y: string, xs: number[], ys: (number | null)[], log?: boolean, logX?: boolean,
 *   kind?: 'bars' | 'line' | 'points'}} Shown
 */

/** @param {Shown} shown */
export function plot(shown) {
  const rows = shown.xs.slice(0, MOST_ROWS).map((x, at) => h('tr', {}, h('td', { class: 'number' }, number(x)), h('td', { class: 'number' }, figure(shown.ys[at]))))
  return h('figure', {}, h('figcaption', {}, shown.title), drawing(shown),
    h('details', { class: 'figures' }, h('summary', {}, t('figures')), h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': shown.title },
      h('table', {}, h('thead', {}, h('tr', {}, h('th', { class: 'number' }, shown.x), h('th', { class: 'number' }, shown.y))), h('tbody', {}, rows)))))
}

const figure = value => (value === null || value === undefined ? '–' : number(value))

/** @param {Shown} shown */
function drawing(shown) {
  const { xs, ys, kind = 'line' } = shown
  const points = xs.map((x, at) => ({ x, y: ys[at] ?? null })).filter(point => point.y !== null && !(shown.log && point.y <= 0))
  const half = kind === 'bars' ? 0.6 : 0
  const across = scale(Math.min(...xs) - half, Math.max(...xs) + half, LEFT, WIDE - RIGHT, shown.logX)
  const up = scale(shown.log ? 0.8 : 0, Math.max(1, ...points.map(point => Number(point.y))) * (shown.log ? 1.6 : 1.06), HIGH - BELOW, TOP, shown.log)
  const floor = HIGH - BELOW
  return s('svg', { viewBox: `0 0 ${WIDE} ${HIGH}`, class: 'plot', role: 'img', 'aria-label': shown.title },
    ticks(up, shown.log, 5).map(value => [s('line', { class: 'rule', x1: LEFT, x2: WIDE - RIGHT, y1: up(value), y2: up(value) }), s('text', { x: LEFT - 6, y: up(value) + 4, 'text-anchor': 'end' }, short(value))]),
    ticks(across, shown.logX, 8).filter(Number.isInteger).map(value => [s('line', { class: 'tick', x1: across(value), x2: across(value), y1: floor, y2: floor + 4 }), s('text', { x: across(value), y: floor + 17, 'text-anchor': 'middle' }, short(value))]),
    s('text', { x: (LEFT + WIDE - RIGHT) / 2, y: HIGH - 6, 'text-anchor': 'middle', class: 'axis' }, shown.x),
    s('text', { transform: `translate(12 ${(TOP + floor) / 2}) rotate(-90)`, 'text-anchor': 'middle', class: 'axis' }, shown.y),
    marks(points, kind, across, up, floor, shown))
}

/** @param {{x: number, y: any}[]} points */
function marks(points, kind, across, up, floor, shown) {
  const title = point => s('title', {}, `${shown.x}: ${number(point.x)} · ${shown.y}: ${number(point.y)}`)
  if (kind === 'bars') {
    const wide = Math.max(1, (across(1) - across(0)) * 0.86)
    return points.map(point => s('rect', { class: 'bar', x: across(point.x) - wide / 2, y: up(point.y), width: wide, height: Math.max(0, floor - up(point.y)) }, title(point)))
  }
  const dots = points.map(point => s('circle', { class: 'dot', cx: across(point.x), cy: up(point.y), r: points.length > 200 ? 1.6 : 3 }, title(point)))
  return kind === 'points' ? dots : [s('polyline', { class: 'line', points: points.map(point => `${across(point.x).toFixed(1)},${up(point.y).toFixed(1)}`).join(' ') }), dots]
}

/** A map from values to places; it knows its ends. */
function scale(low, high, from, to, log) {
  const way = log ? Math.log10 : value => value
  const span = way(high) - way(low) || 1
  const map = value => from + (way(value) - way(low)) / span * (to - from)
  return Object.assign(map, { low, high })
}

/** Round values along a scale: powers of ten, or steps of 1, 2 or 5. */
function ticks(map, log, about) {
  if (log) {
    const powers = Math.log10(map.high / map.low)
    const every = Math.max(1, Math.ceil(powers / about))
    return Array.from({ length: Math.floor(powers) + 2 }, (_, at) => 10 ** (at * every)).filter(value => value >= map.low && value <= map.high)
  }
  const rough = (map.high - map.low) / about
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map(by => by * power).find(one => one >= rough) ?? rough
  const first = Math.ceil(map.low / step)
  return Array.from({ length: Math.floor(map.high / step) - first + 1 }, (_, at) => (first + at) * step)
}

function short(value) {
  for (const [by, name] of /** @type {[number, string][]} */ ([[1e9, 'G'], [1e6, 'M'], [1e3, 'k']])) {
    if (Math.abs(value) >= by && (value % by === 0 || value >= 10 * by)) return `${+(value / by).toPrecision(3)}${name}`
  }
  return String(+value.toPrecision(6))
}
