/** The tromino on one cell of a covered board, by the direct rule of kernels/board_division/tromino_rule.py. */

export const MOST_K = 10

/**
 * The numbers of all cells in reading order; 0 on the special cell.
 * @param {number} k
 * @param {number} row of the special cell, from 0
 * @param {number} column
 * @returns {Uint32Array}
 */
export function cover(k, row, column) {
  const side = 1 << k
  const numbers = new Uint32Array(side * side)
  fill(numbers, side, k, 0, 0, row, column, 0, 0)
  return numbers
}

/**
 * @param {number} k level of the block
 * @param {number} top its place
 * @param {number} left
 * @param {number} row its special cell
 * @param {number} column
 * @param {number} number what lies there
 * @param {number} before how many trominoes are numbered before
 */
function fill(numbers, side, k, top, left, row, column, number, before) {
  if (k === 0) {
    numbers[top * side + left] = number
    return
  }
  const half = 1 << (k - 1)
  const inner = ((1 << (2 * (k - 1))) - 1) / 3
  const centre = before + 2 * inner + 1
  for (let quadrant = 0; quadrant < 4; quadrant++) {
    const [down, right] = [quadrant >> 1, quadrant & 1]
    const [up, side0] = [top + down * half, left + right * half]
    const own = row >= up && row < up + half && column >= side0 && column < side0 + half
    const corner = [down ? up : up + half - 1, right ? side0 : side0 + half - 1]
    const first = before + quadrant * inner + Number(quadrant >= 2)
    if (own) fill(numbers, side, k - 1, up, side0, row, column, number, first)
    else fill(numbers, side, k - 1, up, side0, corner[0], corner[1], centre, first)
  }
}

/**
 * A colour for each tromino, from 1 to 4, none like that of a neighbour beside or below where four suffice to see that.
 * @param {Uint32Array} numbers
 * @param {number} side
 */
export function colours(numbers, side) {
  const chosen = new Uint8Array(numbers.length ? Math.max(...maxima(numbers)) + 1 : 1)
  const around = new Map()
  for (let at = 0; at < numbers.length; at++) {
    const own = numbers[at]
    if (!own || chosen[own]) continue
    around.clear()
    const row = Math.floor(at / side)
    const column = at % side
    for (let y = Math.max(0, row - 1); y <= Math.min(side - 1, row + 2); y++) {
      for (let x = Math.max(0, column - 2); x <= Math.min(side - 1, column + 2); x++) {
        if (numbers[y * side + x] !== own) continue
        for (const [dy, dx] of [[0, 1], [1, 0], [0, -1], [-1, 0]]) {
          const [ny, nx] = [y + dy, x + dx]
          if (ny >= 0 && nx >= 0 && ny < side && nx < side) around.set(chosen[numbers[ny * side + nx]], true)
        }
      }
    }
    let colour = 1
    while (around.has(colour)) colour++
    chosen[own] = colour
  }
  return chosen
}

function* maxima(numbers) {
  let most = 0
  for (const value of numbers) if (value > most) most = value
  yield most
}
