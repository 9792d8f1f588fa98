/**
 * Ids: the rank of a code among all, by counting the words of an automaton whose state is the set of open cells and how
 * many empty cells are still wanted (see kernels/boardspace_kernels/klotski/scan.py, whose method this is).
 */

import { BLOCK, CELLS, FOOTPRINT, SINGLE, blockOf, codeOf, lowest, wordOf } from './code.js'

const ALL = (1 << CELLS) - 1
const WANTED = 2
const ITEMS = 16
/** @type {Map<number, number>} */
const counted = new Map()

/** How many ways there are to fill the open cells with items, at least so many of them empty. */
function words(open, wanted) {
  if (!open) return wanted ? 0 : 1
  const state = open * 4 + wanted
  let total = counted.get(state)
  if (total === undefined) {
    total = 0
    for (let item = 0; item < 4; item++) total += after(open, wanted, item)
    counted.set(state, total)
  }
  return total
}

/** The same, once this item lies on the lowest open cell; 0 where it does not fit. */
function after(open, wanted, item) {
  const mask = FOOTPRINT[item || SINGLE][lowest(open)]
  if (!mask || mask & ~open) return 0
  return words(open & ~mask, item ? wanted : Math.max(wanted - 1, 0))
}

/** Codes with a smaller block, for each block, and their number at the end. */
const before = [0]
for (let block = 0; block < CELLS; block++) {
  before.push(before[block] + (FOOTPRINT[BLOCK][block] ? words(ALL & ~FOOTPRINT[BLOCK][block], WANTED) : 0))
}

/** How many layouts there are. */
export const LAYOUTS = before[CELLS]

/**
 * The id of a layout.
 * @param {number} code
 */
export function rank(code) {
  let id = before[blockOf(code)]
  let open = ALL & ~FOOTPRINT[BLOCK][blockOf(code)]
  let wanted = WANTED
  for (let shift = 30; open; shift -= 2) {
    const item = (wordOf(code) >>> shift) & 3
    for (let smaller = 0; smaller < item; smaller++) id += after(open, wanted, smaller)
    open &= ~FOOTPRINT[item || SINGLE][lowest(open)]
    if (!item) wanted = Math.max(wanted - 1, 0)
  }
  return id
}

/**
 * The code of the layout with this id, 0 to LAYOUTS - 1.
 * @param {number} id
 */
export function unrank(id) {
  let block = 0
  while (before[block + 1] <= id) block++
  let left = id - before[block]
  let open = ALL & ~FOOTPRINT[BLOCK][block]
  let wanted = WANTED
  let word = 0
  let items = 0
  for (; open; items++) {
    let item = 0
    for (let many = after(open, wanted, item); left >= many; many = after(open, wanted, item)) {
      left -= many
      item++
    }
    word = ((word << 2) | item) >>> 0
    open &= ~FOOTPRINT[item || SINGLE][lowest(open)]
    if (!item) wanted = Math.max(wanted - 1, 0)
  }
  return codeOf(block, items < ITEMS ? word << (2 * (ITEMS - items)) : word)
}
