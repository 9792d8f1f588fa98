/** The cover for a chosen hole: computed by the rule, compared with the data where they hold it. */

import { openArray } from '../data/zarr.js'
import { h } from '../dom.js'
import { number, t } from '../i18n.js'
import { failure } from '../parts/failure.js'
import { colour, onTheme } from '../parts/theme.js'
import { coverCount } from './data.js'
import { MOST_K, colours, cover, ways } from './tromino.js'

const PIXELS = 1024
const MOST_PIECES = 7
const DATASET = 'board_division'
const PALETTE = ['--ink', '--lying', '--standing', '--single', '--block', '--wood', '--accent']

/** @param {URLSearchParams} query k, row, column (from 1) */
export function coverPage(query) {
  const state = { k: bounded(query.get('k'), 3, 1, MOST_K), row: 0, column: 0 }
  state.row = bounded(query.get('row'), 3, 1, 1 << state.k) - 1
  state.column = bounded(query.get('column'), 6, 1, 1 << state.k) - 1
  const canvas = h('canvas', { class: 'cover', width: PIXELS, height: PIXELS, role: 'img', tabindex: 0 })
  const said = h('p', { class: 'said', role: 'status' })
  const counts = h('p', { class: 'note' })
  const input = (name, most) => h('input', { type: 'number', min: 1, max: most, value: name === 'k' ? state.k : state[name] + 1, name, id: `cover-${name}`,
    onchange: event => change({ [name]: name === 'k' ? Number(event.target.value) : Number(event.target.value) - 1 }) })
  const fields = { k: input('k', MOST_K), row: input('row', 1 << state.k), column: input('column', 1 << state.k) }

  const change = to => {
    Object.assign(state, to)
    state.k = bounded(state.k, 3, 1, MOST_K)
    for (const name of /** @type {const} */ (['row', 'column'])) {
      state[name] = bounded(state[name], 0, 0, (1 << state.k) - 1)
      fields[name].max = String(1 << state.k)
      fields[name].value = String(state[name] + 1)
    }
    fields.k.value = String(state.k)
    history.replaceState(null, '', `#/division?k=${state.k}&row=${state.row + 1}&column=${state.column + 1}`)
    show()
  }
  const show = async () => {
    const { k, row, column } = state
    const numbers = cover(k, row, column)
    draw(canvas, numbers, k)
    canvas.setAttribute('aria-label', t('division.cover.picture', { side: 1 << k, row: row + 1, column: column + 1 }))
    said.textContent = t('division.cover.count', { count: ((1 << (2 * k)) - 1) / 3 })
    said.dataset.mood = ''
    counts.textContent = ''
    try {
      const [same, covers] = await Promise.all([agrees(k, row, column, numbers), coverCount(1 << k, row + 1, column + 1)])
      if (k !== state.k || row !== state.row || column !== state.column) return
      if (same === false) throw new Error(`covers/${k} [${row}, ${column}] differs from the rule`)
      if (same) {
        said.textContent = t('division.cover.same', { count: ((1 << (2 * k)) - 1) / 3, cells: numbers.length })
        said.dataset.mood = 'good'
      }
      counts.textContent = covers ? t('division.cover.all', { covers: number(BigInt(covers)) }) : ''
    } catch (error) {
      counts.replaceChildren(failure(error, show))
    }
  }
  canvas.addEventListener('click', event => {
    const box = canvas.getBoundingClientRect()
    const at = (position, length) => Math.floor(position / length * (1 << state.k))
    change({ row: at(event.clientY - box.top, box.height), column: at(event.clientX - box.left, box.width) })
  })
  canvas.addEventListener('keydown', event => {
    const by = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key]
    if (!by) return
    event.preventDefault()
    change({ row: state.row + by[0], column: state.column + by[1] })
  })
  onTheme(() => canvas.isConnected && draw(canvas, cover(state.k, state.row, state.column), state.k))
  show()
  return h('div', {}, h('p', {}, t('division.cover.lead')), h('div', { class: 'play wide' },
    h('div', {}, canvas), h('div', { class: 'beside' },
      h('div', { class: 'row' }, ['k', 'row', 'column'].map(name => h('label', { for: `cover-${name}` }, t(`division.${name}`), fields[name]))),
      said, counts, h('p', { class: 'note' }, t('division.cover.how')))))
}

function bounded(value, otherwise, low, high) {
  const found = value === null || value === '' || Number.isNaN(Number(value)) ? otherwise : Math.floor(Number(value))
  return Math.min(Math.max(found, low), high)
}

/** Whether the data's cover is the same; null where they hold none. */
async function agrees(k, row, column, numbers) {
  const array = await openArray(DATASET, `covers/${k}`)
  if (!array) return null
  const at = row * (1 << k) + column
  const data = await array.read([[at, at + 1], null, null])
  return data.length === numbers.length && numbers.every((value, at) => value === data[at])
}

/**
 * Small boards show each tromino by itself, large ones the ways in which they lie.
 * @param {HTMLCanvasElement} canvas
 * @param {Uint32Array} numbers
 * @param {number} k
 */
function draw(canvas, numbers, k) {
  const side = 1 << k
  const cell = PIXELS / side
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'))
  context.fillStyle = colour('--card')
  context.fillRect(0, 0, PIXELS, PIXELS)
  if (k > MOST_PIECES) pixels(context, numbers, side)
  else pieces(context, numbers, side, cell)
  hole(context, numbers.indexOf(0), side, cell)
  if (cell >= 32) label(context, numbers, side, cell)
}

function pieces(context, numbers, side, cell) {
  const chosen = colours(numbers, side)
  const palette = PALETTE.map(colour)
  const gap = cell >= 8 ? Math.max(1, cell * 0.03) : 0
  for (let at = 0; at < numbers.length; at++) {
    const own = numbers[at]
    if (!own) continue
    const right = (at + 1) % side && numbers[at + 1] === own ? 0 : gap
    const below = numbers[at + side] === own ? 0 : gap
    context.fillStyle = palette[chosen[own]]
    context.fillRect((at % side) * cell, Math.floor(at / side) * cell, cell - right, cell - below)
  }
}

function pixels(context, numbers, side) {
  const lie = ways(numbers, side)
  const palette = PALETTE.map(name => rgb(colour(name)))
  const small = h('canvas', { width: side, height: side })
  const own = /** @type {CanvasRenderingContext2D} */ (small.getContext('2d'))
  const image = own.createImageData(side, side)
  for (let at = 0; at < numbers.length; at++) image.data.set(palette[lie[numbers[at]]], 4 * at)
  own.putImageData(image, 0, 0)
  context.imageSmoothingEnabled = false
  context.drawImage(small, 0, 0, PIXELS, PIXELS)
}

/** @param {string} hex such as #2f5d8c */
const rgb = hex => [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16)).concat(255)

/** The special cell, with a ring that shows it on large boards, too. */
function hole(context, at, side, cell) {
  const [x, y] = [((at % side) + 0.5) * cell, (Math.floor(at / side) + 0.5) * cell]
  context.fillStyle = colour('--ink')
  context.fillRect(x - cell / 2, y - cell / 2, Math.max(cell, 2), Math.max(cell, 2))
  if (cell < 16) {
    context.strokeStyle = colour('--ink')
    context.lineWidth = 3
    context.beginPath()
    context.arc(x, y, 16, 0, 2 * Math.PI)
    context.stroke()
  }
}

function label(context, numbers, side, cell) {
  context.fillStyle = '#fff'
  context.font = `600 ${Math.round(cell * 0.3)}px system-ui`
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  numbers.forEach((own, at) => own && context.fillText(String(own), ((at % side) + 0.5) * cell, (Math.floor(at / side) + 0.5) * cell))
}
