/** Boards of five in a row: their rows of `results`, and their placements. */

import { readTable } from '../data/parquet.js'
import { dataset } from '../data/release.js'
import { openArray } from '../data/zarr.js'

const DATASET = 'five_in_a_row'

/** The values of k that the release has. */
export async function lengths() {
  const files = (await dataset(DATASET)).tables.get('results')?.files ?? []
  return [...new Set(files.filter(file => file.rows).map(file => file.first))].sort((a, b) => a - b)
}

/**
 * Rows of boards: those of files that hold some with up to `side` rows, or the board that was asked for.
 * @param {number} k
 * @param {number} side
 * @param {number[]} [board] its sides, the larger one first
 */
export async function results(k, side, board = []) {
  const within = (value, ends) => !ends || (ends[0] <= value && value <= ends[1])
  const chosen = file => file.first <= k && k <= file.last
    && (!(file.others[0]?.[0] > side) || (board.length > 0 && board.every((value, at) => within(value, file.others[at]))))
  return (await readTable(DATASET, 'results', { chosen })).filter(row => row.k === k)
}

/**
 * Whether the release has boards with more rows.
 * @param {number} k
 * @param {number} side
 */
export async function isMore(k, side) {
  const files = (await dataset(DATASET)).tables.get('results')?.files ?? []
  return files.some(file => file.rows && file.first <= k && k <= file.last && file.others[0]?.[0] > side)
}

/**
 * The array of a board's placements; null where they are not published.
 * @param {any} row of `results`
 */
export function placements(row) {
  return openArray(DATASET, `placements/k${row.k}/${row.rows}x${row.columns}`)
}

/**
 * One placement: for each row of the board, whether its cells hold stones.
 * @param {import('../data/zarr.js').VerifiedArray} array
 * @param {number} number
 * @param {number} columns
 */
export async function placement(array, number, columns) {
  const { data, shape } = await array.read([number, null, null])
  const [rows, bytes] = shape
  return Array.from({ length: rows }, (_, row) => Array.from({ length: columns },
    (_, column) => Boolean(data[row * bytes + (column >> 3)] & (0x80 >> (column & 7)))))
}

/** Best cells, by their order n. */
export const cells = () => readTable(DATASET, 'cells')
