/**
 * Layouts and their codes: 9 hexadecimal digits, 36 bits, which a number of JavaScript holds exactly.
 *
 * The first digit is the cell of the block's upper left corner; 16 items of 2 bits follow, one for each cell that is not
 * yet covered: 00 empty, 01 domino lying, 10 domino standing, 11 single. A layout is held as a block and the 32 bits of
 * its items (`word`).
 */

import { EMPTY, readDrawing } from '../parts/drawing.js'

export const COLUMNS = 4
export const ROWS = 5
export const CELLS = COLUMNS * ROWS
export const EXIT = 13
export const BLOCK = 0
export const LYING = 1
export const STANDING = 2
export const SINGLE = 3
const ALL = (1 << CELLS) - 1
const ITEMS = 16

/** @typedef {{kind: number, cell: number}} Piece */

/** Size of each kind: [columns, rows]. */
export const SIZES = [[2, 2], [2, 1], [1, 2], [1, 1]]

/** The cells that a piece of a kind covers with its upper left corner on a cell; 0 where it leaves the board. */
export const FOOTPRINT = SIZES.map(([wide, high]) => Array.from({ length: CELLS }, (_, cell) => footprint(cell, wide, high)))

function footprint(cell, wide, high) {
  if ((cell % COLUMNS) + wide > COLUMNS || Math.floor(cell / COLUMNS) + high > ROWS) return 0
  let mask = 0
  for (let row = 0; row < high; row++) for (let column = 0; column < wide; column++) mask |= 1 << (cell + COLUMNS * row + column)
  return mask
}

/** The lowest cell of a set. */
export const lowest = mask => 31 - Math.clz32(mask & -mask)

export function countCells(mask) {
  let count = 0
  for (; mask; mask &= mask - 1) count++
  return count
}

export const blockOf = code => Math.floor(code / 2 ** 32)
export const wordOf = code => code % 2 ** 32
export const codeOf = (block, word) => block * 2 ** 32 + (word >>> 0)
export const formatCode = code => code.toString(16).toUpperCase().padStart(9, '0')

/**
 * The pieces of a code, in order of their cells.
 * @param {number} code
 * @returns {Piece[]}
 */
export function decode(code) {
  const pieces = [{ kind: BLOCK, cell: blockOf(code) }]
  let open = ALL & ~FOOTPRINT[BLOCK][blockOf(code)]
  const word = wordOf(code)
  for (let item = 0; open; item++) {
    const cell = lowest(open)
    const kind = (word >>> (30 - 2 * item)) & 3
    if (kind) pieces.push({ kind, cell })
    open &= ~FOOTPRINT[kind || SINGLE][cell]
  }
  return pieces.sort((a, b) => a.cell - b.cell)
}

/**
 * The code of pieces that lie on the board and do not overlap, one of them the block.
 * @param {Piece[]} pieces
 */
export function encode(pieces) {
  const at = new Array(CELLS).fill(0)
  let block = 0
  for (const { kind, cell } of pieces) if (kind === BLOCK) block = cell; else at[cell] = kind
  let open = ALL & ~FOOTPRINT[BLOCK][block]
  let word = 0
  for (let item = 0; open; item++) {
    const cell = lowest(open)
    word |= at[cell] << (30 - 2 * item)
    open &= ~FOOTPRINT[at[cell] || SINGLE][cell]
  }
  return codeOf(block, word)
}

/**
 * Why pieces are no layout, as a key of the strings; '' where they are one.
 * @param {Piece[]} pieces
 */
export function layoutFault(pieces) {
  let covered = 0
  let blocks = 0
  for (const { kind, cell } of pieces) {
    const mask = FOOTPRINT[kind][cell]
    if (!mask) return 'klotski.fault.off'
    if (covered & mask) return 'klotski.fault.overlap'
    covered |= mask
    blocks += Number(kind === BLOCK)
  }
  if (!blocks) return 'klotski.fault.noBlock'
  if (blocks > 1) return 'klotski.fault.twoBlocks'
  return CELLS - countCells(covered) < 2 ? 'klotski.fault.full' : ''
}

/**
 * The code that a text of hexadecimal digits means, trailing zeros dropped or not; throws a RangeError whose message is
 * a key of the strings.
 * @param {string} text
 */
export function parseCode(text) {
  const digits = text.trim().replace(/^0x/i, '')
  if (!/^[0-9a-f]{1,9}$/i.test(digits)) throw new RangeError('klotski.fault.digits')
  const code = parseInt(digits.padEnd(9, '0'), 16)
  if (!FOOTPRINT[BLOCK][blockOf(code)]) throw new RangeError('klotski.fault.blockDigit')
  let open = ALL & ~FOOTPRINT[BLOCK][blockOf(code)]
  let empties = 0
  let item = 0
  for (; open; item++) {
    if (item === ITEMS) throw new RangeError('klotski.fault.full')
    const kind = (wordOf(code) >>> (30 - 2 * item)) & 3
    const mask = FOOTPRINT[kind || SINGLE][lowest(open)]
    if (!mask) throw new RangeError('klotski.fault.off')
    if (mask & ~open) throw new RangeError('klotski.fault.overlap')
    empties += Number(kind === 0)
    open &= ~mask
  }
  if (empties < 2) throw new RangeError('klotski.fault.full')
  if (item < ITEMS && wordOf(code) % 2 ** (32 - 2 * item)) throw new RangeError('klotski.fault.rest')
  return code
}

/**
 * The code of a drawing: touching cells with the same sign are one piece, a dot is an empty cell; throws a RangeError whose
 * message is a key of the strings.
 * @param {string} text
 */
export function parseDrawing(text) {
  const cells = readDrawing(text, 'klotski', [ROWS, COLUMNS]).flat()
  const left = new Set(cells.keys())
  const pieces = []
  for (const cell of left) {
    if (cells[cell] === EMPTY) continue
    const own = [cell]
    left.delete(cell)
    for (const at of own) {
      for (const near of [at - COLUMNS, at % COLUMNS ? at - 1 : -1, (at + 1) % COLUMNS ? at + 1 : -1, at + COLUMNS]) {
        if (left.has(near) && cells[near] === cells[cell]) { own.push(near); left.delete(near) }
      }
    }
    const wide = new Set(own.map(one => one % COLUMNS)).size
    const kind = SIZES.findIndex(([columns, rows]) => columns === wide && rows * columns === own.length && own.every(one => Math.floor(one / COLUMNS) - Math.floor(cell / COLUMNS) < rows))
    if (kind < 0) throw new RangeError('klotski.fault.shape')
    pieces.push({ kind, cell })
  }
  const fault = layoutFault(pieces)
  if (fault) throw new RangeError(fault)
  return encode(pieces)
}

/**
 * Its class: dominoes, singles and lying dominoes.
 * @param {number} code
 * @returns {[number, number, number]}
 */
export function classOf(code) {
  const kinds = decode(code).map(piece => piece.kind)
  const lying = kinds.filter(kind => kind === LYING).length
  const standing = kinds.filter(kind => kind === STANDING).length
  return [lying + standing, kinds.filter(kind => kind === SINGLE).length, lying]
}

/**
 * The layout seen in a mirror, left and right exchanged.
 * @param {number} code
 */
export function mirrored(code) {
  return encode(decode(code).map(({ kind, cell }) => {
    const row = Math.floor(cell / COLUMNS)
    return { kind, cell: COLUMNS * row + COLUMNS - SIZES[kind][0] - (cell % COLUMNS) }
  }))
}
