/**
 * Breadth-first search by steps, in the browser, for what the data do not hold: the way itself, and whole groups.
 *
 * Layouts are numbered as they are met. A hash table with open addressing over typed arrays finds those met before: the
 * largest group has 964,656 layouts, and objects would not fit a phone. The search gives way to the page often.
 */

import { CELLS, EXIT, FOOTPRINT, LYING, SINGLE, STANDING, blockOf, codeOf, lowest, wordOf } from './code.js'
import { BESIDE } from './moves.js'

const ALL = (1 << CELLS) - 1
const FIRST = 1 << 12
const SLICE = 15 // milliseconds

/** The layouts met, in order, with the way to each. */
export class Search {
  /** @param {number[]} roots codes */
  constructor(roots) {
    this.size = 0
    this.blocks = new Uint8Array(FIRST)
    this.words = new Uint32Array(FIRST)
    this.parents = new Int32Array(FIRST)
    this.depths = new Uint16Array(FIRST)
    this.table = new Int32Array(2 * FIRST).fill(-1)
    for (const code of roots) this.meet(blockOf(code), wordOf(code), -1)
  }

  /** @param {number} index */
  code(index) {
    return codeOf(this.blocks[index], this.words[index])
  }

  /**
   * Search on until `done` is true of a layout's index, or all are met; that index, or -1.
   * @param {(index: number) => boolean} done
   * @param {(met: number) => void} [tell]
   * @param {AbortSignal} [signal]
   */
  async run(done, tell, signal) {
    let pause = performance.now() + SLICE
    for (let at = 0; at < this.size; at++) {
      if (done(at)) return at
      this.expand(at)
      if (at % 64 === 0 && performance.now() > pause) {
        tell?.(this.size)
        await new Promise(resume => setTimeout(resume))
        signal?.throwIfAborted()
        pause = performance.now() + SLICE
      }
    }
    return -1
  }

  /** The codes from a root to a layout. */
  way(index) {
    const codes = []
    for (let at = index; at >= 0; at = this.parents[at]) codes.push(this.code(at))
    return codes.reverse()
  }

  /** How many layouts are 0, 1, 2, ... steps away. */
  layers() {
    const sizes = []
    for (let at = 0; at < this.size; at++) sizes[this.depths[at]] = (sizes[this.depths[at]] ?? 0) + 1
    return sizes
  }

  /** Meet all layouts one step from one. */
  expand(at) {
    const block = this.blocks[at]
    const word = this.words[at]
    const masks = [1 << block, 0, 0, 0]
    let free = 0
    let open = ALL & ~FOOTPRINT[0][block]
    for (let shift = 30; open; shift -= 2) {
      const low = open & -open
      const item = (word >>> shift) & 3
      if (item) masks[item] |= low
      else free |= low
      open &= ~FOOTPRINT[item || SINGLE][lowest(low)]
    }
    for (let kind = 0; kind < 4; kind++) {
      for (let left = masks[kind]; left; left &= left - 1) this.slide(at, kind, lowest(left), free, masks)
    }
  }

  /** Meet what one piece can do. */
  slide(at, kind, cell, free, masks) {
    const room = free | FOOTPRINT[kind][cell]
    const others = masks[kind] ^ (1 << cell)
    const waiting = [cell]
    let seen = 1 << cell
    while (waiting.length) {
      for (const to of BESIDE[kind][/** @type {number} */ (waiting.pop())]) {
        if (seen & (1 << to) || FOOTPRINT[kind][to] & ~room) continue
        seen |= 1 << to
        waiting.push(to)
        const moved = others | (1 << to)
        if (kind === 0) this.meet(to, items(to, masks[LYING], masks[STANDING], masks[SINGLE]), at)
        else {
          const block = this.blocks[at]
          this.meet(block, items(block, kind === LYING ? moved : masks[LYING],
            kind === STANDING ? moved : masks[STANDING], kind === SINGLE ? moved : masks[SINGLE]), at)
        }
      }
    }
  }

  meet(block, word, parent) {
    const mask = this.table.length - 1
    let slot = Math.imul(word ^ Math.imul(block + 1, 0x9e3779b1), 0x85ebca6b)
    slot = (slot ^ (slot >>> 15)) & mask
    for (let there = this.table[slot]; there >= 0; there = this.table[slot]) {
      if (this.words[there] === word && this.blocks[there] === block) return
      slot = (slot + 1) & mask
    }
    if (this.size === this.words.length) {
      this.grow()
      this.meet(block, word, parent)
      return
    }
    this.table[slot] = this.size
    this.blocks[this.size] = block
    this.words[this.size] = word
    this.parents[this.size] = parent
    this.depths[this.size] = parent < 0 ? 0 : this.depths[parent] + 1
    this.size++
  }

  grow() {
    const wider = (array, made) => (made.set(array), made)
    const length = 2 * this.words.length
    this.blocks = wider(this.blocks, new Uint8Array(length))
    this.words = wider(this.words, new Uint32Array(length))
    this.parents = wider(this.parents, new Int32Array(length))
    this.depths = wider(this.depths, new Uint16Array(length))
    this.table = new Int32Array(2 * length).fill(-1)
    const known = this.size
    const { blocks, words, parents, depths } = this
    this.size = 0
    for (let at = 0; at < known; at++) {
      const [parent, depth] = [parents[at], depths[at]]
      this.meet(blocks[at], words[at], parent)
      this.parents[at] = parent
      this.depths[at] = depth
    }
  }
}

/** The 32 bits of the items of a layout. */
function items(block, lying, standing, singles) {
  let open = ALL & ~FOOTPRINT[0][block]
  let word = 0
  let shift = 30
  while (open) {
    const low = open & -open
    if (lying & low) {
      word |= LYING << shift
      open &= ~(low * 3)
    } else if (standing & low) {
      word |= STANDING << shift
      open &= ~(low * 17)
    } else {
      if (singles & low) word |= SINGLE << shift
      open &= ~low
    }
    shift -= 2
  }
  return word >>> 0
}

/**
 * A shortest way to a layout with the block at the exit: codes, the first the layout's own; null where there is none.
 * @param {number} code
 * @param {(met: number) => void} [tell]
 * @param {AbortSignal} [signal]
 */
export async function shortestWay(code, tell, signal) {
  const search = new Search([code])
  const found = await search.run(index => search.blocks[index] === EXIT, tell, signal)
  return found < 0 ? null : search.way(found)
}

/**
 * All layouts of the group of one.
 * @param {number} code
 * @param {(met: number) => void} [tell]
 * @param {AbortSignal} [signal]
 */
export async function wholeGroup(code, tell, signal) {
  const search = new Search([code])
  await search.run(() => false, tell, signal)
  return search
}

/**
 * How many layouts of a group are 0, 1, 2, ... steps from the exit; null where none has the block there.
 * @param {Search} group
 * @param {(met: number) => void} [tell]
 * @param {AbortSignal} [signal]
 */
export async function exitLayers(group, tell, signal) {
  const roots = []
  for (let at = 0; at < group.size; at++) if (group.blocks[at] === EXIT) roots.push(group.code(at))
  if (!roots.length) return null
  const search = new Search(roots)
  await search.run(() => false, tell, signal)
  return search.layers()
}
