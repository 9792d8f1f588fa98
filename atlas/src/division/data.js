/** What the data say of covers. */

import { readTable } from '../data/parquet.js'

const DATASET = 'board_division'

/** The number of all covers, exactly, as digits; '' where the data do not tell. */
export async function coverCount(side, row, column) {
  const rows = await readTable(DATASET, 'cover_counts', { chosen: file => file.first <= side && side <= file.last })
  return rows.find(one => one.side === side && one.row_num === row && one.column_num === column)?.covers ?? ''
}
