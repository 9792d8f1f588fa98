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
  const { data } = await array.read([[from, from + rows * bytes]])
  return Array.from({ length: rows }, (_, row) => Array.from({ length: columns },
    (_, column) => Boolean(data[row * bytes + (column >> 3)] & (0x80 >> (column & 7)))))
}

/** Best cells, by their order n. */
export const cells = () => readTable(DATASET, 'cells')
