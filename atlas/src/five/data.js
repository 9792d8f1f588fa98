/** Boards of five in a row: their rows of `results`, and their placements. */

import { readTable } from '../data/parquet.js'
import { dataset } from '../data/release.js'
import { openArray } from '../data/zarr.js'

const DATASET = 'five_in_a_row'

/** The values of k that the release has. */
export const lengths = async () => (await (await dataset(DATASET)).tables()).get('results')?.values ?? []

const kept = new Map()

/**
 * Rows of all boards of a k, read once.
 * @param {number} k
 * @returns {Promise<Record<string, any>[]>}
 */
function boards(k) {
  if (!kept.has(k)) {
    const chosen = file => file.first <= k && k <= file.last
    const made = readTable(DATASET, 'results', { chosen, within: { k: [k, k] } }).then(rows => rows.filter(row => row.k === k))
    made.catch(() => kept.delete(k))
    kept.set(k, made)
  }
  return kept.get(k)
}

/**
 * Rows of boards with up to `side` rows, and of the board that was asked for.
 * @param {number} k
 * @param {number} side
 * @param {number[]} [board] its sides, the larger one first
 */
export async function results(k, side, board = []) {
  return (await boards(k)).filter(row => row.rows <= side || (row.rows === board[0] && row.columns === board[1]))
}

/**
 * Whether the release has boards with more rows.
 * @param {number} k
 * @param {number} side
 */
export async function isMore(k, side) {
  return (await boards(k)).some(row => row.rows > side)
}

/**
 * Where a board's placements lie; null where they are not published.
 * @param {any} row of `results`
 */
export async function placements(row) {
  const listed = row.listed ? (await readTable(DATASET, 'listed')).find(one => one.k === row.k && one.rows === row.rows && one.columns === row.columns) : null
  const array = listed && await openArray(DATASET, 'placements')
  return array ? { array, count: Number(listed.placements), first: Number(listed.first_byte), bytes: listed.row_bytes, rows: row.rows, columns: row.columns } : null
}

/**
 * One placement: for each row of the board, whether its cells hold stones.
 * @param {{array: import('../data/zarr.js').VerifiedArray, first: number, bytes: number, rows: number, columns: number}} listed
 * @param {number} number
 */
export async function placement({ array, first, bytes, rows, columns }, number) {
  const from = first + number * rows * bytes
  const data = await array.read([[from, from + rows * bytes]])
  return Array.from({ length: rows }, (_, row) => Array.from({ length: columns },
    (_, column) => Boolean(data[row * bytes + (column >> 3)] & (0x80 >> (column & 7)))))
}

/** Best cells, by their order n. */
export const cells = () => readTable(DATASET, 'cells')
