/**
 * A puzzle by its texts alone: the positions of a game as `DATASET.game.N.json` holds them, what each move leads to, and
 * what remains from each (pipeline/boardspace/graphs/games.py says how they are chosen). A position is its drawing.
 */

import { pauses } from '../parts/pauses.js'

export const MOST_SEARCHED = 200_000
const BITS = 31

/**
 * @typedef {{name: string, metric: string, size: Record<string, number>, to: 'start' | 'goal', states: string[], texts: string[],
 *   pictures: string[] | null, moves: (number | null)[], starts: number[], names: string[], next: number[][], edge: number[],
 *   changes: [number[], Record<string, Record<string, string>>][] | null, within: number}} Held
 * @typedef {{moves: number | null | undefined, most?: number, next: Map<string, number | null>, whole: boolean}} Remaining
 * `moves` to the end: null where none lead there, undefined where it is unknown, then at most `most` if there is one;
 * `next` has by name what remains after a move, the best ones at least; all others leave `moves` or more where it is `whole`.
 */

export class Game {
  /** @param {Held} held */
  constructor(held) {
    this.held = held
    this.places = new Map(held.texts.map((text, place) => [text, place]))
    this.edge = new Set(held.edge)
    /** What remains from positions, where that is known. @type {Map<string, number | null>} */
    this.left = new Map(held.texts.map((text, place) => [text, held.moves[place]]))
    this.changes = held.changes?.map(([from, maps]) => ({ from, maps: from.map((_, place) => maps[place]) }))
  }

  /** The drawing of a state by its number, such as `#12`; undefined where it is not held. @param {string} number */
  numbered(number) {
    const place = this.held.states.indexOf(number.replace('#', ''))
    return place < 0 ? undefined : this.held.texts[place]
  }

  /** The number of a position as a text; undefined where it is none of those held. @param {string} text */
  numberOf(text) {
    const place = this.places.get(text)
    return place === undefined ? undefined : this.held.states[place]
  }

  /** Whether some moves from a position lead to others that are not held. @param {string} text */
  atEdge(text) {
    return this.edge.has(this.places.get(text) ?? -1)
  }

  /** The moves from a position, each with what it leads to. @param {string} text @returns {{name: string, to: string}[]} */
  moves(text) {
    const { names, next, texts } = this.held
    if (this.changes) return this.changes.map((change, at) => ({ name: names[at], to: changed(text, change) }))
    const own = next[/** @type {number} */ (this.places.get(text))]
    return Array.from({ length: own.length / 2 }, (_, at) => ({ name: names[own[2 * at]], to: texts[own[2 * at + 1]] }))
  }

  /**
   * What remains from a position; by a search where the game holds changes.
   * @param {string} text
   * @param {boolean} whole tell of every move
   * @param {(met: number) => void} [tell]
   * @param {AbortSignal} [signal]
   * @returns {Promise<Remaining>}
   */
  async remaining(text, whole, tell, signal) {
    const moves = this.left.get(text)
    const known = new Map(this.moves(text).map(({ name, to }) => [name, this.left.get(to)]))
    const next = /** @type {Map<string, number | null>} */ (new Map([...known].filter(([, left]) => left !== undefined)))
    if (!this.changes) return { moves, next, whole: true }
    if (moves === 0 || !whole && moves !== undefined && [...next.values()].includes(Number(moves) - 1)) return { moves, next, whole: false }
    return this.search(text, next, tell, signal)
  }

  /** Levels around a position, until all shortest ways from it have come to positions that are held. */
  async search(text, next, tell, signal) {
    const { names, within } = this.held
    let best = this.left.get(text) ?? Infinity
    let first = 0
    let met = 1
    /** Of each position of a level the first moves that lead there, a bit for each; only the two last levels matter. */
    let before = new Map()
    let level = new Map([[text, 0]])
    const rest = pauses(() => tell?.(met), signal)
    let depth = 0
    while (level.size && met < MOST_SEARCHED && depth + within < best) {
      depth++
      const after = new Map()
      let at = 0
      for (const [here, bits] of level) {
        for (let move = 0; move < names.length; move++) {
          const to = changed(here, /** @type {any} */ (this.changes)[move])
          if (!before.has(to) && !level.has(to)) after.set(to, (after.get(to) ?? 0) | (depth > 1 ? bits : move < BITS ? 1 << move : 0))
        }
        if (++at % 64 === 0) await rest()
      }
      for (const [to, bits] of after) {
        const left = this.left.get(to)
        if (left === undefined || left === null || depth + left > best) continue
        first = depth + left < best ? bits : first | bits
        best = depth + left
      }
      met += after.size
      before = level
      level = after
    }
    const exact = depth + within >= best || !level.size
    const moves = exact ? (best === Infinity ? null : best) : this.left.get(text)
    if (moves !== undefined) this.left.set(text, moves)
    for (const [move, name] of names.entries()) if (move < BITS && first & (1 << move)) next.set(name, best - 1)
    return { moves, most: best === Infinity ? undefined : best, next, whole: exact && names.length <= BITS }
  }
}

/** A drawing after a move: of each sign where it comes from, and at some places what becomes of it. */
function changed(text, { from, maps }) {
  let made = ''
  for (let place = 0; place < from.length; place++) {
    const sign = text[from[place]]
    made += maps[place]?.[sign] ?? sign
  }
  return made
}
