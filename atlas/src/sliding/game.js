/** A puzzle of sliding blocks: its board on the screen, steps made and taken back, what is known of them. */

import { aborted } from '../data/faults.js'
import { h, s } from '../dom.js'
import { number, t } from '../i18n.js'
import { drag } from '../parts/drag.js'
import { failure } from '../parts/failure.js'
import { plot } from '../parts/plots.js'
import { keepRecord, recordOf } from '../parts/records.js'
import { statedSteps } from './data.js'
import { EDGE, SIDE, coloursOf, drawnPiece, frame, goalOf, letterOf, placeOf, viewBox } from './picture.js'
import { FAR, MOST_POSITIONS, groupOf } from './search.js'
import { MARKED, arrows, cellsOf, cornerOf, moved, pathTo, reachOf, textOf, wayOf } from './tray.js'

const PACE = 320
const KEYS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }

export class Game {
  /**
   * @param {import('./tray.js').Board} start with a marked piece
   * @param {number} goal the anchor it has to come to
   * @param {{index: number, to: number}[]} steps made already
   * @param {AbortSignal} signal
   */
  constructor(start, goal, steps, signal) {
    this.start = start
    this.goal = goal
    this.steps = steps
    this.signal = signal
    this.marked = start.pieces.findIndex(one => one.sign === MARKED)
    this.corner = goal === cornerOf(start, start.pieces[this.marked].shape) && start.pieces[this.marked].at === 0
    this.playing = false
    this.helped = steps.length > 0
    /** @type {import('./search.js').Group | null | undefined} */
    this.group = undefined
    this.met = 0
    /** @type {number | undefined} */
    this.stated = undefined
    /** Why the data could not be read. @type {any} */
    this.fault = undefined
    this.said = h('p', { class: 'said', role: 'status' })
    this.facts = h('div', { class: 'facts' })
    this.next = h('div')
    this.list = h('details', { class: 'next', ontoggle: () => this.tell() }, h('summary', {}, t('sliding.next')), this.next)
    this.layers = h('section', { class: 'layers' })
    this.shown = this.drawn()
    this.svg = s('svg', { viewBox: viewBox(start), class: 'klotski-board sliding-board', role: 'group', 'aria-label': t('sliding.board', { rows: start.rows, columns: start.columns }) },
      frame(start), this.shown, goalOf(start, start.pieces[this.marked].shape, this.goal))
    this.put()
    signal.addEventListener('abort', () => (this.playing = false))
  }

  /** The board after so many of the steps. */
  boardAfter(many = this.steps.length) {
    return this.steps.slice(0, many).reduce((board, { index, to }) => moved(board, index, to), this.start)
  }

  get board() {
    return this.boardAfter()
  }

  get won() {
    return this.board.pieces[this.marked].at === this.goal
  }

  /** Steps to go, where the whole group was searched; where not, those of the start from the data. */
  get toGo() {
    if (this.group) return this.group.toGo(this.board)
    return this.steps.length ? undefined : this.stated
  }

  /** What the program writes records under. */
  get name() {
    return `sliding/${textOf(this.start)}${this.corner ? '' : ` ${this.goal}`}`
  }

  /** Read what the data say of the start, and search its group. */
  async study() {
    this.tell()
    this.fault = undefined
    const reading = this.corner ? statedSteps(this.start).then(steps => (this.stated = steps), error => (this.fault = error)).then(() => this.tell()) : null
    try {
      this.group = await groupOf(this.start, this.goal, met => { this.met = met; this.tell() }, this.signal)
      await reading
      const found = this.group?.toGo(this.start)
      if (found !== undefined && this.stated !== undefined && found !== this.stated) throw new Error(`${textOf(this.start)}: a search found ${found} steps, the data say ${this.stated}`)
      if (this.group) this.layers.replaceChildren(...await this.plotted(this.group))
      this.tell()
    } catch (error) {
      if (aborted(error)) return
      this.fault = error
      this.tell()
    }
  }

  async plotted(group) {
    const layers = group.layers()
    return layers.length > 1 ? [await plot({ title: t('sliding.layers', { size: group.size, far: layers.length - 1 }), x: t('sliding.steps'), y: t('sliding.positions'), xs: layers.map((_, at) => at), ys: layers, kind: 'bars' })] : []
  }

  /** The pieces as elements that can be held and pushed. */
  drawn() {
    const { start } = this
    const colours = coloursOf(start)
    return start.pieces.map((piece, index) => {
      const g = s('g', { class: `piece ${index === this.marked ? 'block' : ''}`, tabindex: 0, role: 'button', 'data-sign': piece.sign }, drawnPiece(piece, start.columns, colours[index]), letterOf(piece, start.columns))
      g.addEventListener('pointerdown', event => this.hold(event, index))
      g.addEventListener('keydown', event => this.push(event, index))
      return g
    })
  }

  /** Show every piece where it stands; one of them elsewhere. */
  put(index = -1, to = 0) {
    this.board.pieces.forEach(({ sign, shape, at }, number) => {
      const place = number === index ? to : at
      const [x, y] = placeOf(this.start.columns, place)
      const g = this.shown[number]
      g.style.transform = `translate(${x}px, ${y}px)`
      g.dataset.at = String(place)
      g.setAttribute('aria-label', t(number === this.marked ? 'sliding.marked' : 'sliding.piece', { sign, cells: cellsOf(shape.masks[0]).length, row: Math.floor(place / this.start.columns) + 1, column: place % this.start.columns + 1 }))
    })
  }

  hold(event, index) {
    this.playing = false
    const { board } = this
    const from = board.pieces[index].at
    drag(event, this.shown[index], {
      from, targets: [from, ...reachOf(board, index).keys()], place: at => placeOf(board.columns, at),
      scale: (SIDE * board.columns + 2 * EDGE) / this.svg.getBoundingClientRect().width, put: to => this.put(index, to), done: to => this.make(index, to),
    })
  }

  push(event, index) {
    const by = KEYS[/** @type {keyof typeof KEYS} */ (event.key)]
    if (!by) return
    event.preventDefault()
    this.playing = false
    const { board } = this
    const from = board.pieces[index].at
    const to = from + by[0] * board.columns + by[1]
    if (reachOf(board, index).get(to) === from) this.make(index, to)
  }

  /** Make a step; the piece moved last goes on with the same one. */
  make(index, to, helped = false) {
    const last = this.steps[this.steps.length - 1]
    if (last?.index === index) this.steps.pop()
    if (this.board.pieces[index].at !== to) this.steps.push({ index, to })
    this.helped ||= helped
    this.address('pushState')
    this.put()
    this.tell()
  }

  back(many) {
    this.playing = false
    this.steps.splice(Math.max(0, this.steps.length - many))
    if (!this.steps.length) this.helped = false
    this.address('replaceState')
    this.put()
    this.tell()
  }

  /** The steps made, as `BrAdd`. */
  get written() {
    return this.steps.map(({ index, to }, at) => {
      const before = this.boardAfter(at)
      return `${before.pieces[index].sign}${wayOf(before.columns, pathTo(before, index, to) ?? [])}`
    }).join('')
  }

  /** Keep the game in the address: to share it, to load it again. @param {'pushState' | 'replaceState'} how */
  address(how) {
    if (this.signal.aborted) return
    const { columns } = this.start
    const query = [!this.corner && `to=${Math.floor(this.goal / columns) + 1},${this.goal % columns + 1}`, this.steps.length && `game=${this.written}`].filter(Boolean).join('&')
    history[how](null, '', `#/sliding/play/${textOf(this.start)}${query && `?${query}`}`)
  }

  /** The steps possible now with the steps that each leaves to go, the best first. */
  choices() {
    const { board, group } = this
    if (!group) return []
    return board.pieces.flatMap((piece, index) => [...reachOf(board, index).keys()].map(to => ({
      index, to, toGo: group.toGo(moved(board, index, to)), name: `${piece.sign} ${arrows(board.columns, pathTo(board, index, to) ?? [])}`,
    }))).sort((a, b) => a.toGo - b.toGo)
  }

  /** One step of a shortest way, or all of it. @param {boolean} all */
  async play(all) {
    if (this.playing) {
      this.playing = false
      return this.tell()
    }
    this.playing = true
    while (this.playing && !this.won) {
      const [best] = this.choices()
      if (!best || best.toGo === FAR) break
      for (const at of (pathTo(this.board, best.index, best.to) ?? []).slice(1)) {
        this.put(best.index, at)
        await new Promise(done => setTimeout(done, 130))
      }
      if (!this.playing) break
      this.make(best.index, best.to, true)
      if (!all) break
      await new Promise(done => setTimeout(done, PACE))
    }
    this.playing = false
    this.put()
    return this.tell()
  }

  controls() {
    this.undo = h('button', { type: 'button', onclick: () => this.back(1) }, t('undo'))
    this.restart = h('button', { type: 'button', onclick: () => this.back(Infinity) }, t('restart'))
    this.hint = h('button', { type: 'button', onclick: () => this.play(false) }, t('sliding.hint'))
    this.whole = h('button', { type: 'button', class: 'main', onclick: () => this.play(true) })
    this.count = h('span', { class: 'count' })
    this.tell()
    return h('div', { class: 'buttons' }, this.whole, this.hint, this.undo, this.restart, this.count)
  }

  tell() {
    if (!this.whole || !this.hint || !this.undo || !this.restart || !this.count || this.signal.aborted) return
    const { toGo, won, group } = this
    this.svg.classList.toggle('reached', won)
    this.whole.textContent = t(this.playing ? 'sliding.stop' : 'sliding.play')
    this.whole.disabled = this.hint.disabled = won || !group || toGo === FAR
    this.undo.disabled = this.restart.disabled = !this.steps.length
    this.count.textContent = this.steps.length ? t('sliding.made', { steps: this.steps.length }) : ''
    this.say(...this.standing())
    this.facts.replaceChildren(this.factList(), ...this.fault ? [failure(this.fault, () => this.study())] : [])
    this.next.replaceChildren(...this.list.open ? [this.choiceList()] : [])
  }

  say(text, mood = '') {
    this.said.textContent = text
    this.said.dataset.mood = mood
  }

  /** @returns {[string, string?]} */
  standing() {
    const { toGo, group } = this
    if (this.won) return [this.wonText(), 'good']
    if (toGo === FAR) return [t('sliding.never'), 'bad']
    if (toGo !== undefined) return [t('sliding.toGo', { steps: toGo }), this.mood(toGo)]
    return [group === null ? t('sliding.unknown') : t('sliding.searching', { met: this.met })]
  }

  /** Whether the last step was a shortest one. */
  mood(toGo) {
    if (!this.steps.length || !this.group) return ''
    return toGo < this.group.toGo(this.boardAfter(this.steps.length - 1)) ? 'good' : 'bad'
  }

  wonText() {
    const steps = this.steps.length
    const best = this.group ? this.group.toGo(this.start) : this.stated
    const mine = this.helped || !steps ? recordOf(this.name) : keepRecord(this.name, steps)
    return [t('sliding.won', { steps }), best !== undefined && t('sliding.least', { best }), mine !== undefined && t('sliding.yours', { mine })].filter(Boolean).join(' · ')
  }

  factList() {
    const { start, group, stated } = this
    const sizes = start.pieces.map(one => cellsOf(one.shape.masks[0]).length)
    const found = group?.toGo(start)
    const rows = [
      ['pieces', number(start.pieces.length)],
      ['voids', number(start.rows * start.columns - sizes.reduce((sum, size) => sum + size, 0))],
      ['data', stated === undefined ? t('sliding.notListed') : number(stated)],
      ['search', group === null ? t('sliding.tooLarge', { most: MOST_POSITIONS }) : found === undefined ? '…' : found === FAR ? t('sliding.never') : number(found)],
      ['group', group === null ? `> ${number(MOST_POSITIONS)}` : group ? number(group.size) : '…'],
    ]
    return h('dl', {}, rows.map(([key, value]) => [h('dt', {}, t(`sliding.fact.${key}`)), h('dd', { 'data-fact': key }, value)]))
  }

  choiceList() {
    const choices = this.choices()
    if (!choices.length) return h('p', { class: 'unknown' }, t(this.group === null ? 'sliding.unknown' : 'waiting'))
    return h('ul', { class: 'choices', 'aria-label': t('sliding.next') }, choices.map(({ index, to, toGo, name }) => h('li', {}, h('button', {
      type: 'button', class: `choice ${toGo === choices[0].toGo && toGo !== FAR ? 'shortest' : 'wins'}`, 'data-value': toGo, onclick: () => this.make(index, to, true),
    }, h('b', {}, name), ` ${toGo === FAR ? t('sliding.never') : t('sliding.toGo', { steps: toGo })}`))))
  }
}
