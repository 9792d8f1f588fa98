/** A game: steps made and taken back, what each was worth, the solution played. */

import { aborted, script } from '../data/faults.js'
import { h } from '../dom.js'
import { t } from '../i18n.js'
import { blockOf, EXIT, formatCode } from './code.js'
import { outline } from './facts.js'
import { lookUp, stepsToExit } from './lookup.js'
import { keepRecord } from '../parts/records.js'

const REST = 700 // milliseconds without a move until the whole row is read
const PACE = 320

/**
 * @typedef {{say: (text: string, mood: string) => void, looked: (layout: any) => void,
 *   failed: (error: any) => void, signal: AbortSignal}} Page
 */

export class Game {
  /**
   * @param {number} code
   * @param {import('./board.js').Board} board
   * @param {Page} page
   */
  constructor(code, board, page) {
    this.board = board
    this.page = page
    /** The layouts before each step, and this one. @type {number[]} */
    this.line = [code]
    /** The piece moved last: to move it on is still the same step. @type {object | null} */
    this.piece = null
    this.playing = false
    /** Whether the program showed a step of this game. */
    this.helped = false
    this.timer = 0
    board.show(code)
    page.signal.addEventListener('abort', () => this.stop())
  }

  get code() {
    return this.line[this.line.length - 1]
  }

  /** Read what the data say of the layout in the address. */
  async start() {
    const code = this.code
    this.page.say(t('waiting'), '')
    this.tell()
    try {
      const step = await stepsToExit(code)
      if (code !== this.code || this.page.signal.aborted) return
      this.page.say(this.standing(step), step === 0 ? 'good' : '')
      this.outline(step)
    } catch (error) {
      this.page.say('', '')
      return this.page.failed(error)
    }
    await this.look()
  }

  /** Show the facts that are known at once, so that none of the layout before stays beside the board. @param {number | null} [step] */
  outline(step) {
    if (!this.page.signal.aborted) this.page.looked(outline(this.code, step ?? undefined))
  }

  standing(step) {
    if (step === null) return t('klotski.notCovered')
    if (step < 0) return t('klotski.unsolvable')
    return step ? t('klotski.toGo', { step }) : t('klotski.atExit')
  }

  /** After the reader moved a piece. */
  async moved(code, piece) {
    this.playing = false
    if (piece === this.piece && this.line.length > 1) this.line.pop()
    else this.piece = piece
    if (code !== this.code) this.line.push(code)
    else this.piece = null
    this.address()
    this.tell()
    this.outline()
    await this.judge()
  }

  /** Say whether the last step was a shortest one. */
  async judge() {
    const code = this.code
    const before = this.line[this.line.length - 2]
    try {
      const [now, then] = await Promise.all([stepsToExit(code), before === undefined ? null : stepsToExit(before)])
      if (code !== this.code || this.page.signal.aborted) return
      this.outline(now)
      if (now === null || then === null || now < 0) this.page.say(this.standing(now), '')
      else if (now === 0) this.win()
      else {
        const kind = now < then ? 'shortest' : now === then ? 'idle' : 'back'
        this.page.say(t(`klotski.step.${kind}`, { step: now }), now < then ? 'good' : 'bad')
      }
      clearTimeout(this.timer)
      this.timer = window.setTimeout(() => this.look(), REST)
    } catch (error) {
      this.page.failed(error)
    }
  }

  /** The block is out: say so, keep the record of a game without help, and show it. */
  async win() {
    const steps = this.line.length - 1
    const best = await stepsToExit(this.line[0])
    const mine = this.helped ? undefined : keepRecord(`klotski/${formatCode(this.line[0])}`, steps)
    this.page.say([t('klotski.solved', { steps }), mine !== undefined && best !== null && t('klotski.record', { mine, best })].filter(Boolean).join(' · '), 'good')
    this.board.element.classList.add('won')
  }

  /** Read all that the data say of the layout. */
  async look() {
    const code = this.code
    try {
      const layout = await lookUp(code)
      if (code === this.code && !this.page.signal.aborted) this.page.looked(layout)
    } catch (error) {
      this.page.failed(error)
    }
  }

  async back(steps = 1) {
    this.playing = false
    this.piece = null
    for (; steps > 0 && this.line.length > 1; steps--) {
      this.line.pop()
      if (steps === 1 || this.line.length === 1) await this.board.go(this.code)
    }
    this.board.element.classList.remove('won')
    if (this.line.length === 1) this.helped = false
    this.address()
    this.tell()
    await this.judge()
  }

  /** Make a step of the list of next steps. @param {number} code */
  async make(code) {
    this.playing = false
    this.piece = null
    this.helped = true
    await this.board.go(code)
    this.line.push(code)
    this.address()
    this.tell()
    this.outline()
    await this.judge()
  }

  /** One step of a shortest way, or all of it. */
  async play(all) {
    if (this.playing) return this.stop()
    this.playing = this.helped = true
    this.tell()
    try {
      this.page.say(t('klotski.searching', { met: 0 }), '')
      const { shortestWay } = await script(import('./search.js'))
      const way = await shortestWay(this.code, met => this.page.say(t('klotski.searching', { met }), ''), this.page.signal)
      const stated = await stepsToExit(this.code)
      if (stated !== null && stated !== (way ? way.length - 1 : -1)) throw new Error(`${formatCode(this.code)}: a search found ${way && way.length - 1} steps, the data say ${stated}`)
      await this.follow(way, all)
    } catch (error) {
      if (!aborted(error)) this.page.failed(error)
    }
    this.stop()
  }

  async follow(way, all) {
    if (!way) return this.page.say(this.standing(-1), '')
    this.piece = null
    for (let at = 1; at < (all ? way.length : Math.min(2, way.length)) && this.playing; at++) {
      await this.board.go(way[at])
      this.line.push(way[at])
      this.address()
      this.tell()
      this.outline(way.length - 1 - at)
      this.page.say(this.standing(way.length - 1 - at), at === way.length - 1 ? 'good' : '')
      if (all) await new Promise(done => setTimeout(done, PACE))
    }
    if (!this.page.signal.aborted) await this.look()
    return undefined
  }

  stop() {
    this.playing = false
    clearTimeout(this.timer)
    this.tell()
  }

  /** Keep the address that of the layout shown, without leaving the page. */
  address() {
    if (!this.page.signal.aborted) history.replaceState(null, '', `#/klotski/${formatCode(this.code)}`)
  }

  controls() {
    this.undo = h('button', { type: 'button', onclick: () => this.back() }, t('undo'))
    this.restart = h('button', { type: 'button', onclick: () => this.back(Infinity) }, t('restart'))
    this.hint = h('button', { type: 'button', onclick: () => this.play(false) }, t('klotski.hint'))
    this.whole = h('button', { type: 'button', class: 'main', onclick: () => this.play(true) }, t('klotski.play'))
    this.count = h('span', { class: 'count' })
    this.tell()
    return h('div', { class: 'buttons' }, this.whole, this.hint, this.undo, this.restart, this.count)
  }

  tell() {
    if (!this.whole || !this.undo || !this.restart || !this.count || !this.hint) return
    this.whole.textContent = this.playing ? t('klotski.stop') : t('klotski.play')
    this.whole.disabled = blockOf(this.code) === EXIT
    this.hint.disabled = this.playing || blockOf(this.code) === EXIT
    this.undo.disabled = this.restart.disabled = this.line.length < 2
    this.count.textContent = this.line.length > 1 ? t('klotski.made', { steps: this.line.length - 1 }) : ''
  }
}
