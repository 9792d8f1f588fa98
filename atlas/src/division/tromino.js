/** The tromino on one cell of a covered board, by the direct rule of kernels/boardspace_kernels/board_division/covers.py. */

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
 * A colour for each tromino, from 1, none like that of a neighbour beside, above or below.
 * @param {Uint32Array} numbers
 * @param {number} side
 */
export function colours(numbers, side) {
  const chosen = new Uint8Array((numbers.length - 1) / 3 + 1)
  for (let at = 0; at < numbers.length; at++) {
    const own = numbers[at]
    if (!own || chosen[own]) continue
    let taken = 0
    const row = Math.floor(at / side)
    const column = at % side
    for (let y = row; y <= Math.min(side - 1, row + 1); y++) {
      for (let x = Math.max(0, column - 1); x <= Math.min(side - 1, column + 1); x++) {
        if (numbers[y * side + x] !== own) continue
        if (x + 1 < side) taken |= 1 << chosen[numbers[y * side + x + 1]]
        if (x > 0) taken |= 1 << chosen[numbers[y * side + x - 1]]
        if (y + 1 < side) taken |= 1 << chosen[numbers[(y + 1) * side + x]]
        if (y > 0) taken |= 1 << chosen[numbers[(y - 1) * side + x]]
      }
    }
    chosen[own] = Math.log2(lowestZero(taken))
  }
  return chosen
}

/** The lowest bit above the first that is not set. */
function lowestZero(taken) {
  let bit = 2
  while (taken & bit) bit <<= 1
  return bit
}

/**
 * The way each tromino lies, 1 to 4: which corner of its 2 x 2 square it leaves open, in reading order.
 * @param {Uint32Array} numbers
 * @param {number} side
 */
export function ways(numbers, side) {
  const found = new Uint8Array((numbers.length - 1) / 3 + 1)
  for (let at = 0; at < numbers.length; at++) {
    const own = numbers[at]
    if (!own || found[own]) continue
    const right = numbers[at + 1] === own && (at + 1) % side > 0
    const below = numbers[at + side] === own
    if (!right) found[own] = numbers[at + side + 1] === own ? 2 : 1
    else if (!below) found[own] = 3
    else found[own] = 4
  }
  return found
}
