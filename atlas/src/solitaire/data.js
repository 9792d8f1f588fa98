/** What the data know of a problem: its solutions, the positions on them, and those from which the goal can be reached. */

import { readTable } from '../data/parquet.js'
import { dataset } from '../data/release.js'
import { openArray } from '../data/zarr.js'

const DATASET = 'solitaire'
const NO_WAY = 255
const kept = new Map()

/** How tables and the names of folders and files spell a problem. */
const spelled = problem => problem.replace('/', '-')

/** A table's rows of one problem; what is small is read once. */
export function rowsOf(table, problem) {
  const key = `${table} ${problem}`
  if (!kept.has(key)) {
    const own = spelled(problem)
    const made = readTable(DATASET, table, { chosen: file => file.first <= own && own <= file.last, within: { problem: [own, own] } })
      .then(rows => rows.filter(row => row.problem === own))
    made.catch(() => kept.delete(key))
    kept.set(key, made)
  }
  return kept.get(key)
}

/** The problems that have rows in any of these tables. */
export async function problemsIn(tables) {
  const found = await (await dataset(DATASET)).tables()
  return name => tables.some(table => found.get(table)?.values?.includes(spelled(name)))
}

/** The moves that stay on a shortest solution, by position: `{after, move, child}` each. */
export async function solutionSteps(problem) {
  const rows = await rowsOf('solution_steps', problem)
  const steps = new Map()
  for (const row of rows) {
    const position = Number(row.position)
    steps.set(position, [...(steps.get(position) ?? []), { after: Number(row.after), move: row.move, child: Number(row.child) }])
  }
  return steps
}

/**
 * The least moves to the goal from a canonical position with so many pegs; null where it cannot be reached, undefined
 * where the data do not tell.
 * @param {string} problem
 * @param {number} pegs
 * @param {number} position
 * @returns {Promise<number | null | undefined>}
 */
export async function leastMovesTo(problem, pegs, position) {
  const own = spelled(problem)
  const table = (await (await dataset(DATASET)).tables()).get('winning')
  if (!table?.values?.includes(own)) return undefined
  const wanted = BigInt(position)
  const rows = await readTable(DATASET, 'winning', {
    columns: ['problem', 'position', 'moves'],
    chosen: file => file.first <= own && own <= file.last,
    within: { problem: [own, own], pegs: [pegs, pegs], position: [wanted, wanted] },
  })
  return rows.find(row => BigInt(row.position) === wanted && row.problem === own)?.moves ?? null
}

/**
 * The same from the array of a class: a byte at the number of the position.
 * @param {string} path the array
 * @param {import('./board.js').Board} board
 * @param {Uint8Array} pegs
 * @returns {Promise<number | null | undefined>}
 */
export async function leastMovesIn(path, board, pegs) {
  const array = await openArray(DATASET, path)
  if (!array) return undefined
  const number = await numberOf(board, pegs)
  const moves = Number((BigInt(await array.at(Math.floor(number / 8))) >> BigInt(8 * (number % 8))) & 255n)
  return moves === NO_WAY ? null : moves
}

/**
 * The vacancies whose whole position class is published as bitmaps, by the name of the problem: the array of each.
 * @returns {Promise<Map<string, string>>}
 */
export async function classBitmaps() {
  const paths = [...(await (await dataset(DATASET)).arrays()).keys()]
  const found = paths.map(path => /^arrays\.zarr\/(classes\/(.+)-(\d+)\/winning)$/.exec(path)).filter(one => one !== null)
  return new Map(found.map(([, bitmap, board, hole]) => [`${board}/vacancy-${Number(hole)}`, bitmap]))
}

/**
 * Whether one peg can be reached from a position of the class of a vacancy: a bit of a bitmap, at the number that some of
 * the holes write; null where the release has none.
 * @param {{board: string, bitmap?: string}} problem
 * @param {import('./board.js').Board} board
 * @param {Uint8Array} pegs
 */
export async function canReachOnePeg(problem, board, pegs) {
  const array = problem.bitmap ? await openArray(DATASET, problem.bitmap) : null
  if (!array) return null
  const number = await numberOf(board, pegs)
  const word = BigInt(await array.at(Math.floor(number / 64)))
  return Boolean((word >> BigInt(number % 64)) & 1n)
}

/** The number of a position in its class. @param {import('./board.js').Board} board @param {Uint8Array} pegs */
async function numberOf(board, pegs) {
  let number = 0
  for (const row of await holesOf(board.name)) if (pegs[board.byLabel.get(row.hole) ?? -1]) number += 2 ** row.bit
  return number
}

/** Which hole is which bit, for one board. */
async function holesOf(board) {
  const key = `class_holes ${board}`
  if (!kept.has(key)) {
    const made = readTable(DATASET, 'class_holes').then(rows => rows.filter(row => row.board === board))
    made.catch(() => kept.delete(key))
    kept.set(key, made)
  }
  return kept.get(key)
}
