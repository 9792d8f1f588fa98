/** Rows of bytes, numbered as they are met: the positions of a search. */

/** A hash table with open addressing. */
export class Positions {
  /** @param {number} width bytes of a position */
  constructor(width) {
    this.width = width
    this.size = 0
    this.bytes = new Uint8Array(width << 12)
    this.slots = new Int32Array(1 << 13).fill(-1)
  }

  /** The slot of a position: of its number, or -1 to be filled. @param {Uint8Array} one */
  slot(one) {
    let hash = 0x811c9dc5
    for (let at = 0; at < this.width; at++) hash = Math.imul(hash ^ one[at], 0x01000193)
    const mask = this.slots.length - 1
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const there = this.slots[slot]
      if (there < 0 || this.same(there, one)) return slot
    }
  }

  same(number, one) {
    const first = number * this.width
    for (let at = 0; at < this.width; at++) if (this.bytes[first + at] !== one[at]) return false
    return true
  }

  /** The number of a position; -1 where it was not met. @param {Uint8Array} one */
  find(one) {
    return this.slots[this.slot(one)]
  }

  /** @param {Uint8Array} one */
  meet(one) {
    const slot = this.slot(one)
    if (this.slots[slot] >= 0) return
    this.slots[slot] = this.size
    this.bytes.set(one, this.size * this.width)
    if (++this.size * 2 >= this.slots.length) this.grow()
  }

  grow() {
    const before = this.bytes
    this.bytes = new Uint8Array(2 * before.length)
    this.bytes.set(before)
    this.slots = new Int32Array(2 * this.slots.length).fill(-1)
    for (let number = 0; number < this.size; number++) this.slots[this.slot(this.at(number))] = number
  }

  /** @param {number} number */
  at(number) {
    return this.bytes.subarray(number * this.width, (number + 1) * this.width)
  }
}
