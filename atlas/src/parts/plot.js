/** Plots, by uPlot, each with a description and its figures as a table for those who do not see it. */

import uPlot from 'uplot'
import { h } from '../dom.js'
import { number, t } from '../i18n.js'
import { colour, onTheme } from './theme.js'

const HEIGHT = 220
const MOST_ROWS = 400

/**
 * @param {{title: string, x: string, y: string, xs: number[], ys: (number | null)[], log?: boolean, logX?: boolean,
 *   kind?: 'bars' | 'line' | 'points', mark?: number}} shown
 */
export function plot(shown) {
  const place = h('div', { class: 'plot', role: 'img', 'aria-label': shown.title })
  const rows = shown.xs.slice(0, MOST_ROWS).map((x, at) => h('tr', {}, h('td', {}, number(x)), h('td', {}, shown.ys[at] === null ? '' : number(shown.ys[at] ?? 0))))
  const table = h('details', { class: 'figures' }, h('summary', {}, t('figures')),
    h('div', { class: 'scroll', tabindex: 0 }, h('table', {}, h('thead', {}, h('tr', {}, h('th', {}, shown.x), h('th', {}, shown.y))), h('tbody', {}, rows))))
  let drawn
  const draw = () => {
    if (!place.isConnected) return
    drawn?.destroy()
    drawn = new uPlot(options(shown, place.clientWidth || 320), [shown.xs, shown.ys], place)
  }
  const watcher = new ResizeObserver(draw)
  watcher.observe(place)
  onTheme(draw)
  return h('figure', {}, h('figcaption', {}, shown.title), place, table)
}

/** @returns {any} */
function options(shown, width) {
  const ink = colour('--ink-soft')
  const axis = (label, log) => ({ label, stroke: ink, labelSize: 18, font: '12px system-ui', labelFont: '12px system-ui', grid: { stroke: colour('--line'), width: 1 }, ticks: { stroke: colour('--line') }, values: (_, ticks) => ticks.map(tick => ticked(tick, log)) })
  const bars = shown.kind === 'bars'
  return {
    width, height: HEIGHT, legend: { show: false }, cursor: { y: false, drag: { x: false, y: false } },
    scales: {
      x: { time: false, distr: shown.logX ? 3 : 1, range: bars ? (_, low, high) => [low - 0.6, high + 0.6] : undefined },
      y: { distr: shown.log ? 3 : 1, range: shown.log ? (_, __, high) => [0.8, high * 1.5] : (_, __, high) => [0, high * 1.05 || 1] },
    },
    axes: [axis(shown.x, shown.logX), { ...axis(shown.y, shown.log), size: 62 }],
    series: [{}, {
      stroke: colour('--accent'), width: bars ? 0 : 1.5, fill: bars ? colour('--accent') : undefined,
      paths: bars ? uPlot.paths.bars?.({ size: [0.85, 60], align: 0 }) : shown.kind === 'points' ? () => null : undefined,
      points: { show: shown.kind === 'points', size: 4, fill: colour('--accent') },
    }],
    hooks: shown.mark === undefined ? {} : { draw: [u => markLine(u, shown.mark)] },
  }
}

/** A mark at a value of x: where the layout shown stands. */
function markLine(u, x) {
  const at = u.valToPos(x, 'x', true)
  u.ctx.save()
  u.ctx.strokeStyle = colour('--good')
  u.ctx.lineWidth = 2
  u.ctx.beginPath()
  u.ctx.moveTo(at, u.bbox.top)
  u.ctx.lineTo(at, u.bbox.top + u.bbox.height)
  u.ctx.stroke()
  u.ctx.restore()
}

function ticked(value, log) {
  if (value === null) return ''
  if (log && !Number.isInteger(Math.log10(value))) return ''
  if (Math.abs(value) >= 1e9) return `${+(value / 1e9).toPrecision(3)}G`
  if (Math.abs(value) >= 1e6) return `${+(value / 1e6).toPrecision(3)}M`
  if (Math.abs(value) >= 1e4) return `${+(value / 1e3).toPrecision(3)}k`
  return String(+value.toPrecision(6))
}
