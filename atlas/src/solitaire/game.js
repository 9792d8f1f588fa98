/** A game of one problem: jumps, grouped into moves as the source counts them, and what each possible jump is worth. */

import { after, canonical, keeping, pegsOf, possible } from './board.js'
import { canReachOnePeg, solutionSteps, winning } from './data.js'
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
    return text.split(',').flatMap(move => {
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
    const there = pegsOf(next, this.board.holes.length)
    const pegs = there.reduce((sum, peg) => sum + peg, 0)
    const known = await this.canWin(next, pegs, there)
    if (known === false) return { worth: 'lost' }
    if (pegs > FEW && known === null) return { worth: 'unknown' }
    const moves = pegs > FEW ? undefined : await leastMoves(this.board, next, jump.to, position => this.reached(position), signal)
    if (moves === null) return { worth: 'lost' }
    return moves === undefined ? { worth: known ? 'wins' : 'unknown' } : { worth: 'wins', moves }
  }

  /** Whether the data say that the goal can be reached; null where they do not tell. */
  async canWin(position, pegs, there) {
    if (this.goal) return winning(this.problem.name, pegs, canonical(this.symmetries, position))
    return canReachOnePeg(this.problem, this.board, there)
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
