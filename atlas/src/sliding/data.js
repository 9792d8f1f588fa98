/** What the data say of sliding blocks: the trays, the longest corner puzzles, the length of one. */

import { readTable } from '../data/parquet.js'
import { dataset, release } from '../data/release.js'
import { MARKED, cellsOf, textOf } from './tray.js'

const DATASET = 'sliding_blocks'

/** @typedef {{histogram: number, sizes: string, pieces: number, voids: number, packings: number | bigint, steps: number, board: string}} Longest */

/** The trays of the release by number of cells: `3x4`. @returns {Promise<string[]>} */
export async function trays() {
  if (!release().some(entry => entry.name === DATASET)) return []
  const found = (await (await dataset(DATASET)).tables()).get('histograms')?.values ?? []
  const cells = tray => tray.split('x').reduce((product, side) => product * Number(side), 1)
  return [...found].sort((a, b) => cells(a) - cells(b))
}

/** The rows of a table for one tray, some columns of them. */
async function rowsOf(table, tray, columns, within = {}) {
  const rows = await readTable(DATASET, table, { columns: ['tray', ...columns], chosen: file => file.first <= tray && tray <= file.last, within: { tray: [tray, tray], ...within } })
  return rows.filter(row => row.tray === tray)
}

/**
 * For every multiset of piece sizes that has a corner puzzle, the longest one.
 * @param {string} tray
 * @returns {Promise<Longest[]>}
 */
export async function longest(tray) {
  const rows = await rowsOf('histograms', tray, ['histogram', 'sizes', 'pieces', 'voids', 'packings', 'steps', 'board'])
  return /** @type {any[]} */ (rows).filter(row => row.board)
}

/** Of these, the longest with each number of pieces. @param {Longest[]} rows */
export function records(rows) {
  const best = new Map()
  for (const row of rows) if (row.steps > (best.get(row.pieces)?.steps ?? 0)) best.set(row.pieces, row)
  return /** @type {Longest[]} */ ([...best.values()].sort((a, b) => a.pieces - b.pieces))
}

/**
 * The length of a corner puzzle, where it is one of those that the data list; else undefined.
 * @param {import('./tray.js').Board} board
 * @returns {Promise<number | undefined>}
 */
export async function statedSteps(board) {
  const tray = `${board.rows}x${board.columns}`
  if (!(await trays()).includes(tray)) return undefined
  const text = textOf(asListed(board))
  const sizes = board.pieces.map(one => cellsOf(one.shape.masks[one.at]).length).sort((a, b) => a - b).join(' ')
  const own = (await rowsOf('histograms', tray, ['histogram', 'sizes', 'steps', 'board'])).find(row => row.sizes === sizes)
  if (own === undefined || own.board === text) return own?.steps
  const rows = await rowsOf('records', tray, ['histogram', 'steps', 'board'], { histogram: [own.histogram, own.histogram] })
  return rows.find(row => row.histogram === own.histogram && row.board === text)?.steps
}

/** The board with the letters that the data give its pieces: A the marked one, the others by their first cells. @param {import('./tray.js').Board} board */
export function asListed(board) {
  const first = one => cellsOf(one.shape.masks[one.at])[0]
  const pieces = [...board.pieces].sort((a, b) => Number(b.sign === MARKED) - Number(a.sign === MARKED) || first(a) - first(b))
  return { ...board, pieces: pieces.map((one, at) => ({ ...one, sign: String.fromCharCode(65 + at) })) }
}
