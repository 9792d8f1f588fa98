/** A game of one problem: jumps, grouped into moves as the source counts them, and what each possible jump is worth. */

import { after, canonical, keeping, pegsOf, possible } from './board.js'
import { canReachOnePeg, leastMovesIn, leastMovesTo, solutionSteps } from './data.js'
import { leastMoves } from './search.js'

const FEW = 14 // pegs from which the search in the browser is tried

/** @typedef {'shortest' | 'wins' | 'lost' | 'unknown'} Worth */

export class Game {
  /**
   * @param {import('./board.js').Board} board
   * @param {{name: string, board: string, start: string, goal: string, bitmap?: string}} problem a goal of '' is one peg, anywhere
   */
  constructor(board, problem) {
    this.board = board
    this.problem = problem
    this.start = board.position(problem.start)
    this.goal = problem.goal ? board.position(problem.goal) : 0
    this.symmetries = problem.goal ? keeping(board, [this.start, this.goal]) : []
    /** @type {import('./board.js').Jump[]} */
    this.jumps = []
  }

  get position() {
    return this.jumps.reduce(after, this.start)
  }

  get last() {
    return this.jumps.length ? this.jumps[this.jumps.length - 1].to : -1
  }

  get won() {
    return this.reached(this.position)
  }

  /** Whether a position is a goal. */
  reached(position) {
    return this.goal ? position === this.goal : Number.isInteger(Math.log2(position))
  }

  /** The jumps grouped: a peg that goes on makes the same move. */
  get moves() {
    /** @type {number[][]} */
    const moves = []
    for (const jump of this.jumps) {
      const chain = moves[moves.length - 1]
      if (chain && chain[chain.length - 1] === jump.from) chain.push(jump.to)
      else moves.push([jump.from, jump.to])
    }
    return moves
  }

  /** The moves in the source's notation. */
  get text() {
    return this.moves.map(move => move.map(hole => this.board.holes[hole].label).join('==>'))
  }

  possible() {
    return possible(this.board, this.position)
  }

  /** Read moves such as `6==>19, 28==>14==>12` as jumps. @param {string} text */
  parse(text) {
    return text.split(',').filter(Boolean).flatMap(move => {
      const holes = move.trim().split('==>').map(label => this.board.byLabel.get(Number(label)) ?? -1)
      return holes.slice(1).map((to, at) => {
        const jump = this.board.jumps.find(one => one.from === holes[at] && one.to === to)
        if (!jump) throw new Error(`${move}: no such jump on the board ${this.board.name}`)
        return jump
      })
    })
  }

  /**
   * What a jump is worth, and the moves it leaves to the goal where that is known.
   * @param {import('./board.js').Jump} jump
   * @param {AbortSignal} signal
   * @returns {Promise<{worth: Worth, moves?: number}>}
   */
  async worth(jump, signal) {
    const left = this.goal ? await this.onSolution(jump) : null
    if (left !== null) return { worth: 'shortest', moves: left }
    const next = after(this.position, jump)
    const stored = await this.movesLeft(next, jump.to)
    if (stored !== undefined) return stored === null ? { worth: 'lost' } : { worth: 'wins', moves: stored }
    const there = pegsOf(next, this.board.holes.length)
    const known = this.goal ? null : await canReachOnePeg(this.problem, this.board, there)
    if (known === false) return { worth: 'lost' }
    const pegs = there.reduce((sum, peg) => sum + peg, 0)
    if (pegs > FEW && known === null) return { worth: 'unknown' }
    const moves = pegs > FEW ? undefined : await leastMoves(this.board, next, jump.to, position => this.reached(position), signal)
    if (moves === null) return { worth: 'lost' }
    return moves === undefined ? { worth: known ? 'wins' : 'unknown' } : { worth: 'wins', moves }
  }

  /**
   * The least moves to the goal that the data hold, where the peg on a hole may go on without a new move; null where it
   * cannot be reached, undefined where they do not tell.
   * @param {number} position
   * @param {number} going
   * @returns {Promise<number | null | undefined>}
   */
  async movesLeft(position, going) {
    let least = await this.storedMoves(position)
    if (typeof least !== 'number') return least
    for (const jump of possible(this.board, position).filter(one => one.from === going)) {
      const later = await this.movesLeft(after(position, jump), jump.to)
      if (typeof later === 'number') least = Math.min(least, later)
    }
    return least
  }

  /** What the data hold of one position: arrays of its class, or the table of the problem. */
  async storedMoves(position) {
    const { board, problem } = this
    const there = pegsOf(position, board.holes.length)
    const found = this.stored ? await leastMovesIn(this.stored, board, there) : undefined
    if (found !== undefined || !this.goal) return found
    return leastMovesTo(problem.name, there.reduce((sum, peg) => sum + peg, 0), canonical(this.symmetries, position))
  }

  /** The array with the moves to this goal from all positions of the class, where a release may have one. */
  get stored() {
    const vacant = this.board.holes.filter((_, at) => !pegsOf(this.start, this.board.holes.length)[at])
    if (vacant.length !== 1) return ''
    const folder = `classes/${this.board.name}-${String(vacant[0].label).padStart(2, '0')}`
    if (!this.goal) return `${folder}/winning_moves`
    return this.goal === 2 ** (this.board.byLabel.get(vacant[0].label) ?? -1) ? `${folder}/returning_moves` : ''
  }

  /** Moves left after a jump that stays on a shortest solution, the one under way not counted; null where it does not. */
  async onSolution(jump) {
    const steps = await solutionSteps(this.problem.name)
    const going = this.last === jump.from
    const moves = this.moves
    const chain = going ? moves[moves.length - 1] : []
    const before = this.jumps.slice(0, this.jumps.length - Math.max(chain.length - 1, 0)).reduce(after, this.start)
    const wanted = [...(going ? chain : [jump.from]), jump.to].map(hole => this.board.holes[hole].label).join('==>')
    const fitting = (steps.get(before) ?? []).filter(step => step.move === wanted || step.move.startsWith(`${wanted}==>`))
    const total = 1 + Math.max(...[...steps.values()].flat().map(step => step.after))
    return fitting.length ? total - fitting[0].after - 1 : null
  }
}
