/**
 * What the data say of a layout. Where the release holds all layouts there are arrays, and its id is the index; else its
 * rows are looked up in the tables. A value that the release does not have is null.
 */

import { script } from '../data/faults.js'
import { dataset } from '../data/release.js'
import { openArray } from '../data/zarr.js'
import { classOf, mirrored } from './code.js'
import { rank, unrank } from './scan.js'

const DATASET = 'klotski'
/** The reader of tables, which a layout of a whole release does without. */
const tables = () => script(import('../data/parquet.js'))
const SOLUTION = ['min_solution_step', 'min_solution_num', 'solution_num']
const FARTHEST = ['farthest_step', 'farthest_num']

/**
 * @typedef {{code: number, id: number, class: [number, number, number], mirror: boolean, group: number | null,
 *   index: number | null, step: number | null, nearest: number | null, solutions: number | null,
 *   farthest: number | null, farthestNum: number | null, covered: boolean}} Layout
 */

/**
 * @param {number} code
 * @returns {Promise<Layout>}
 */
export async function lookUp(code) {
  const id = rank(code)
  const [names, solution, farthest] = await Promise.all([
    cells(id, 'main', ['group_num', 'group_index']), cells(id, 'solution', SOLUTION), cells(id, 'farthest', FARTHEST),
  ])
  return {
    code, id, class: classOf(code), mirror: mirrored(code) === code,
    group: names[0], index: names[1],
    step: solution[0], nearest: solution[1], solutions: solution[2] === -1 ? null : solution[2],
    farthest: farthest[0] || null, farthestNum: farthest[0] ? farthest[1] : null,
    covered: names[0] !== null,
  }
}

/**
 * Steps from a layout to the exit: -1 where there is no way, null where the release does not hold it.
 * @param {number} code
 * @returns {Promise<number | null>}
 */
export async function stepsToExit(code) {
  return (await cells(rank(code), 'solution', SOLUTION.slice(0, 1)))[0]
}

/**
 * Values of a layout: from arrays of these names, else from the row of a table, whose reader comes only if the table is there.
 * @param {number} id
 * @param {string} table
 * @param {string[]} names
 * @returns {Promise<(number | null)[]>}
 */
async function cells(id, table, names) {
  const arrays = await Promise.all(names.map(name => openArray(DATASET, name)))
  if (arrays.every(array => array)) return Promise.all(arrays.map(async array => Number(await array?.at(id))))
  const row = (await dataset(DATASET)).has(table) ? await (await tables()).readRow(DATASET, table, id, names) : undefined
  return names.map(name => (row?.[name] === undefined || row[name] === null ? null : Number(row[name])))
}

/** Rows of the classes, once. */
export const classes = once(async () => (await tables()).readTable(DATASET, 'classes'))

/** @returns {Promise<Record<string, any>[]>} rows of the groups of a class */
export async function groupsOf([jiang, bing, style]) {
  const chosen = file => file.first === null || (file.first <= jiang && jiang <= file.last)
  const rows = await (await tables()).readTable(DATASET, 'groups', { chosen })
  return rows.filter(row => row.jiang_num === jiang && row.bing_num === bing && row.style_num === style)
}

/** A layout drawn with equal chances from all that the release holds. */
export async function randomCode() {
  if (await openArray(DATASET, 'group_num')) return unrank(Math.floor(Math.random() * (await count())))
  const rows = await classes()
  const total = rows.reduce((sum, row) => sum + row.layouts, 0)
  let left = Math.floor(Math.random() * total)
  const row = rows.find(one => (left -= one.layouts) < 0) ?? rows[0]
  const groups = await groupsOf([row.jiang_num, row.bing_num, row.style_num])
  return Number(groups[Math.floor(Math.random() * groups.length)].seed_code)
}

async function count() {
  const array = await openArray(DATASET, 'group_num')
  return array?.shape[0] ?? 0
}

/**
 * @template T
 * @param {() => Promise<T>} make
 * @returns {() => Promise<T>}
 */
function once(make) {
  /** @type {Promise<T> | undefined} */
  let made
  return () => {
    made ??= make()
    made.catch(() => (made = undefined))
    return made
  }
}
