/** A puzzle by its texts on the screen: its position, moves made and taken back, what remains. */

import { aborted } from '../data/faults.js'
import { h } from '../dom.js'
import { t } from '../i18n.js'
import { failure } from '../parts/failure.js'
import { keepRecord, recordOf } from '../parts/records.js'
import { picture } from './picture.js'

const PACE = 450

/**
 * The positions after moves of these names, the first one included; undefined where one of them is not possible.
 * @param {any} game @param {string} text @param {string[]} names
 */
export function positionsAfter(game, text, names) {
  const made = [text]
  for (const name of names) {
    const to = game.moves(made[made.length - 1]).find(move => move.name === name)?.to
    if (to === undefined) return undefined
    made.push(to)
  }
  return made
}

/** The names of moves in an address. @param {URLSearchParams} query */
export const movesIn = query => (query.get('game') ?? '').split('~').filter(Boolean)

export class Play {
  /**
   * @param {any} game a `Game` of puzzles, or one of Rush Hour
   * @param {string} start a position
   * @param {string[]} made names of moves made already
   * @param {string} address of the start
   * @param {AbortSignal} signal
   * @param {(game: any, text: string, make: (name: string) => void) => Element} draw a position, whose pieces may make moves
   */
  constructor(game, start, made, address, signal, draw = (game, text) => picture(game.held, game.places.get(text), text)) {
    this.game = game
    this.draw = draw
    this.start = start
    this.made = made
    this.address = address
    this.signal = signal
    this.playing = false
    this.helped = made.length > 0
    /** @type {import('./game.js').Remaining | undefined} */
    this.known = undefined
    this.asking = 0
    this.board = h('div', { class: 'board' })
    this.said = h('p', { class: 'said', role: 'status' })
    this.next = h('ul', { class: 'named', 'aria-label': t('puzzles.moves') })
    this.all = h('input', { type: 'checkbox', id: 'puzzle-all', onchange: () => this.tell() })
    this.whole = h('button', { type: 'button', class: 'main', onclick: () => this.play(true) })
    this.hint = h('button', { type: 'button', onclick: () => this.play(false) }, t('puzzles.hint'))
    this.undo = h('button', { type: 'button', onclick: () => this.back(1) }, t('undo'))
    this.restart = h('button', { type: 'button', onclick: () => this.back(Infinity) }, t('restart'))
    this.count = h('span', { class: 'count' })
    signal.addEventListener('abort', () => (this.playing = false))
  }

  /** The position now. */
  get now() {
    return /** @type {string[]} */ (positionsAfter(this.game, this.start, this.made)).at(-1) ?? this.start
  }

  get won() {
    return this.game.left.get(this.now) === 0
  }

  view() {
    this.tell()
    return h('div', { class: 'play' },
      h('div', { class: 'stage' }, this.board, this.said, h('div', { class: 'buttons' }, this.whole, this.hint, this.undo, this.restart, this.count)),
      h('div', { class: 'beside' }, h('h2', {}, t('puzzles.moves')), this.next, h('p', {}, this.all, ' ', h('label', { for: 'puzzle-all' }, t('puzzles.all')))))
  }

  /** @param {string} name of a move */
  make(name, helped = false) {
    const last = this.made.at(-1)
    const joined = last === undefined ? undefined : this.game.joined?.(last, name)
    if (joined) this.made.splice(-1, 1, ...joined)
    else this.made.push(name)
    this.helped ||= helped || this.all.checked
    this.written('pushState')
    return this.tell()
  }

  back(many) {
    this.playing = false
    this.made.splice(Math.max(0, this.made.length - many))
    if (!this.made.length) this.helped = false
    this.written('replaceState')
    return this.tell()
  }

  /** Keep the moves in the address: to share them, to load them again. @param {'pushState' | 'replaceState'} how */
  written(how) {
    if (!this.signal.aborted) history[how](null, '', `#/${this.address}${this.made.length ? `?game=${this.made.map(encodeURIComponent).join('~')}` : ''}`)
  }

  /** One move of a shortest way, or all of it. @param {boolean} all */
  async play(all) {
    if (this.playing) {
      this.playing = false
      return this.tell()
    }
    this.playing = true
    while (this.playing && !this.won) {
      const known = await this.ask()
      const [name] = best(known)
      if (!this.playing || name === undefined) break
      await this.make(name, true)
      if (!all) break
      await new Promise(done => setTimeout(done, PACE))
    }
    this.playing = false
    return this.tell()
  }

  /** What remains from the position now; undefined where it is another one when that is known. */
  async ask() {
    const turn = ++this.asking
    const known = await this.game.remaining(this.now, this.all.checked && !this.playing, met => { if (turn === this.asking) this.said.textContent = t('puzzles.searching', { met }) }, this.signal)
    return turn === this.asking ? known : undefined
  }

  async tell() {
    this.put()
    try {
      const known = await this.ask()
      if (!known) return
      this.known = known
      this.put()
    } catch (error) {
      if (!aborted(error)) this.said.replaceChildren(failure(error, () => this.tell()))
    }
  }

  /** Show the position, its moves, and what is known of them. */
  put() {
    const { game, now, won, known } = this
    if (this.board.dataset.text !== now) {
      this.board.replaceChildren(this.draw(game, now, name => { this.playing = false; this.make(name) }))
      this.board.dataset.text = now
      this.known = undefined
    }
    this.whole.textContent = t(this.playing ? 'puzzles.stop' : 'puzzles.play')
    this.whole.disabled = this.hint.disabled = won || !this.playing && this.known !== undefined && !best(this.known).length
    this.undo.disabled = this.restart.disabled = !this.made.length
    this.count.textContent = this.made.length ? t('puzzles.made', { moves: this.made.length }) : ''
    this.next.replaceChildren(...game.moves(now).map(({ name }) => h('li', {}, this.choice(name, this.known))),
      ...game.atEdge(now) ? [h('li', { class: 'note' }, t('puzzles.edge'))] : [])
    if (this.known !== undefined || won) {
      const [text, mood] = won ? [this.wonText(), 'good'] : [standing(known), '']
      this.said.textContent = text
      this.said.dataset.mood = mood
    }
  }

  /** A button for a move, with what remains after it where that is asked for. */
  choice(name, known) {
    const left = this.all.checked ? known?.next.get(name) : undefined
    const shortest = left !== undefined && left !== null && left === known?.moves - 1
    const told = left === null ? t('puzzles.never') : left !== undefined ? String(left) : this.all.checked && known?.whole ? `≥ ${known.moves}` : ''
    return h('button', { type: 'button', class: shortest ? 'shortest' : null, 'data-move': name, 'data-left': left ?? null, onclick: () => this.make(name) }, name, told && h('small', {}, told))
  }

  wonText() {
    const moves = this.made.length
    const least = this.game.left.get(this.start)
    const mine = this.helped || !moves ? recordOf(this.address) : keepRecord(this.address, moves)
    return [t(`puzzles.won.${this.game.held.to}`, { moves }), least !== undefined && t('puzzles.least', { least }), mine !== undefined && t('puzzles.yours', { mine })].filter(Boolean).join(' · ')
  }
}

/** The names of moves after which least remains. @param {import('./game.js').Remaining | undefined} known */
function best(known) {
  const left = [...known?.next ?? []].filter(([, moves]) => moves !== null)
  const least = Math.min(...left.map(([, moves]) => Number(moves)))
  const reached = known?.moves ?? known?.most
  return reached === undefined || reached === null || least < reached ? left.filter(([, moves]) => moves === least).map(([name]) => name) : []
}

/** @param {import('./game.js').Remaining | undefined} known */
function standing(known) {
  if (known?.moves === null) return t('puzzles.never')
  if (known?.moves !== undefined) return t('puzzles.toGo', { moves: known.moves })
  return known?.most === undefined ? t('puzzles.unknown') : t('puzzles.most', { moves: known.most })
}
