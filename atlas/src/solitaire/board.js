/**
 * Boards of peg solitaire: holes, jumps, symmetries. A position is a number whose bit i is the hole with the i-th smallest
 * number; boards of up to 53 holes fit the whole numbers of JavaScript.
 */

import boards from 'boards:../configs/boards'

const DIRECTIONS = {
  square: [[0, 1], [1, 0], [0, -1], [-1, 0]],
  triangular: [[0, 1], [1, 1], [1, 0], [0, -1], [-1, -1], [-1, 0]],
}
const MOST_HOLES = 53

/** @typedef {{from: number, over: number, to: number}} Jump */

/** One board, from its file in configs/boards. */
export class Board {
  /** @param {string} name */
  constructor(name) {
    const text = boards[name]
    this.name = name
    this.title = text.title
    this.grid = /** @type {'square' | 'triangular'} */ (text.grid)
    const cells = text.picture.trim().split('\n').flatMap((line, row) => line.trim().split(/\s+/)
      .map((token, column) => ({ label: Number(token), row, column, hole: token !== '.' }))).filter(cell => cell.hole)
    this.holes = cells.sort((a, b) => a.label - b.label)
    this.index = new Map(this.holes.map((hole, at) => [`${hole.row} ${hole.column}`, at]))
    this.byLabel = new Map(this.holes.map((hole, at) => [hole.label, at]))
    this.jumps = this.holes.flatMap((hole, from) => DIRECTIONS[this.grid].map(([down, right]) => ({
      from, over: this.at(hole.row + down, hole.column + right), to: this.at(hole.row + 2 * down, hole.column + 2 * right),
    }))).filter(jump => jump.over >= 0 && jump.to >= 0)
    /** Holes side by side in a direction of jumps, each pair once. */
    this.pairs = this.holes.flatMap((hole, at) => DIRECTIONS[this.grid].map(([down, right]) => [at, this.at(hole.row + down, hole.column + right)])).filter(([one, other]) => one < other)
    this.symmetries = symmetries(this)
  }

  /** The hole in a place, -1 where there is none. */
  at(row, column) {
    return this.index.get(`${row} ${column}`) ?? -1
  }

  /** The position that `1 3-5 19` or `all but 19` writes. @param {string} text */
  position(text) {
    const complement = /^all but/i.test(text)
    const wanted = new Set(text.replace(/^all but/i, '').trim().split(/[\s,]+/).flatMap(token => {
      const [first, last = first] = token.split('-').map(Number)
      return this.holes.map((hole, at) => [hole.label, at]).filter(([label]) => label >= first && label <= last).map(([, at]) => at)
    }))
    return word(this.holes.map((_, at) => wanted.has(at) !== complement))
  }
}

/** The problems that the atlas knows, as BOARD/PROBLEM. */
export const problems = Object.entries(boards).flatMap(([board, text]) =>
  Object.entries(text.problems).map(([name, problem]) => ({ name: `${board}/${name}`, board, title: problem.title ?? name, start: problem.start, goal: problem.goal, holes: (text.picture.match(/\d+/g) ?? []).length })))
  .filter(problem => problem.holes <= MOST_HOLES)

/** The boards that the atlas can play on: from one empty hole to one peg, anywhere, without any data. */
export const boardNames = Object.entries(boards).filter(([, text]) => (text.picture.match(/\d+/g) ?? []).length <= MOST_HOLES).map(([name]) => name)

/** The position of these pegs. @param {ArrayLike<boolean | number>} pegs */
export function word(pegs) {
  let value = 0
  for (let at = 0; at < pegs.length; at++) if (pegs[at]) value += 2 ** at
  return value
}

/** Whether there is a peg in each hole. @returns {Uint8Array} */
export function pegsOf(position, holes) {
  const pegs = new Uint8Array(holes)
  for (let at = 0; at < holes; at++) pegs[at] = Math.floor(position / 2 ** at) % 2
  return pegs
}

/** The position after a jump. @param {number} position @param {Jump} jump */
export const after = (position, jump) => position - 2 ** jump.from - 2 ** jump.over + 2 ** jump.to

/** The jumps possible. @param {Board} board */
export function possible(board, position) {
  const pegs = pegsOf(position, board.holes.length)
  return board.jumps.filter(jump => pegs[jump.from] && pegs[jump.over] && !pegs[jump.to])
}

/** The symmetries of a board that keep these positions. */
export const keeping = (board, positions) => board.symmetries.filter(symmetry => positions.every(position => image(symmetry, position) === position))

/** A position seen through a symmetry. @param {number[]} symmetry */
export function image(symmetry, position) {
  const pegs = pegsOf(position, symmetry.length)
  return symmetry.reduce((value, to, from) => value + (pegs[from] ? 2 ** to : 0), 0)
}

/** The least of the images. */
export const canonical = (own, position) => Math.min(...own.map(symmetry => image(symmetry, position)))

/** Each symmetry as the hole it sends each hole to. @param {Board} board */
function symmetries(board) {
  const directions = DIRECTIONS[board.grid]
  const names = new Set(directions.map(String))
  const units = [-1, 0, 1]
  const maps = units.flatMap(a => units.flatMap(b => units.flatMap(c => units.map(d => [a, b, c, d]))))
    .filter(([a, b, c, d]) => Math.abs(a * d - b * c) === 1 && directions.every(([y, x]) => names.has(String([a * y + b * x, c * y + d * x]))))
  const low = cells => [Math.min(...cells.map(cell => cell[0])), Math.min(...cells.map(cell => cell[1]))]
  const corner = low(board.holes.map(hole => [hole.row, hole.column]))
  return maps.map(([a, b, c, d]) => {
    const moved = board.holes.map(hole => [a * hole.row + b * hole.column, c * hole.row + d * hole.column])
    const from = low(moved)
    return moved.map(([y, x]) => board.at(y - from[0] + corner[0], x - from[1] + corner[1]))
  }).filter(permutation => permutation.every(to => to >= 0))
}
