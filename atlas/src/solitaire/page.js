/** Solitaire: play with what the data know of each jump, replay solutions, see how large the spaces are. */

import { aborted } from '../data/faults.js'
import { h, s } from '../dom.js'
import { t } from '../i18n.js'
import { keepRecord } from '../parts/records.js'
import { Nowhere, failure, into } from '../parts/failure.js'
import { plot } from '../parts/plots.js'
import { Board, boardNames, pegsOf, problems } from './board.js'
import { classBitmaps, problemsIn, rowsOf } from './data.js'
import { Game } from './game.js'

const PACE = 420

/**
 * @param {HTMLElement} place
 * @param {import('../main.js').Address} address
 */
export async function show(place, { parts, query, signal }) {
  const known = await problemsIn(['solutions', 'levels', 'layers'])
  const offered = problems.filter(problem => known(problem.name))
  const all = offered.length ? offered : problems
  const wanted = parts.slice(1, 3).join('/')
  const named = problems.find(one => one.name === wanted) ?? await vacancy(wanted)
  if (wanted && !named || parts.length > 3) throw new Nowhere(parts.slice(1).join('/'))
  const problem = named ?? all.find(one => one.name === 'french/last_supper') ?? all[0]
  const board = new Board(problem.board)
  const game = new Game(board, problem)
  try {
    game.jumps = game.parse((query.get('game') ?? '').replaceAll('-', '==>'))
  } catch {
    throw new Nowhere(query.get('game') ?? '')
  }
  const table = new Table(game, query.get('hints') ?? '', signal)
  const solutions = h('section')
  const plots = h('section')
  into(solutions, () => solutionList(table, problem.name))
  into(plots, () => sizes(problem.name))
  return [h('div', { class: 'title' }, h('h1', {}, t('solitaire.title')), h('nav', { class: 'tabs', 'aria-label': t('solitaire.problem') },
    all.map(one => h('a', { href: `#/solitaire/${one.name}`, 'aria-current': one === problem ? 'page' : null }, titleOf(one))))),
  h('p', {}, h('b', {}, nameOf(board)), ` · ${t('solitaire.from', { start: spoken(problem.start), goal: problem.goal ? spoken(problem.goal) : t('solitaire.onePeg') })}`),
  vacancyChoice(board, problem),
  h('div', { class: 'play' }, h('div', { class: 'stage' }, table.svg, table.said, table.controls),
    h('div', { class: 'beside' }, table.legend, table.choices, h('h2', {}, t('solitaire.moves')), table.list, solutions)), plots]
}

/** Hints, from none to all: can it still be won, in how many moves, by which jump. */
const GRADES = ['off', 'can', 'moves', 'which']

const titleOf = problem => (problem.name === 'english/central' ? t('solitaire.english') : problem.name === 'french/last_supper' ? t('solitaire.supper') : `${nameOf(new Board(problem.board))} · ${inWords(`solitaire.problem.${problem.title}`, problem.title)}`)

/** The problem from one empty hole to one peg, anywhere; undefined where no board, or no hole of one, has this name. */
async function vacancy(name) {
  const [, board, label] = /^(.+)\/vacancy-(\d+)$/.exec(name) ?? []
  if (!boardNames.includes(board) || !new Board(board).byLabel.has(Number(label))) return undefined
  return { name, board, hole: Number(label), start: `all but ${Number(label)}`, goal: '', title: '', bitmap: (await classBitmaps()).get(name) }
}

/** Any hole of any board to be the empty one. @param {Board} board @param {any} problem */
function vacancyChoice(board, problem) {
  const go = (name, hole) => (location.hash = `#/solitaire/${name}/vacancy-${hole}`)
  const single = !problem.goal
  return h('div', { class: 'row' }, h('label', { for: 'vacancy-board' }, t('solitaire.singles'), h('select', { id: 'vacancy-board', onchange: event => go(event.target.value, new Board(event.target.value).holes[0].label) },
    h('option', { value: '', selected: !single, disabled: true }, t('solitaire.choose')),
    boardNames.map(name => h('option', { value: name, selected: single && name === board.name }, nameOf(new Board(name)))))),
  single && h('label', { for: 'vacancy-hole' }, t('solitaire.emptyHole'), h('select', { id: 'vacancy-hole', onchange: event => go(board.name, event.target.value) },
    board.holes.map(({ label }) => h('option', { value: label, selected: label === problem.hole }, label)))))
}

/** The string of a key in the reader's language, or a title if the strings do not have the key. */
const inWords = (key, title) => (t(key) === key ? title : t(key))

/** The board's name in the reader's language, if the strings have it. */
const nameOf = board => inWords(`solitaire.board.${board.name}`, board.title)

/** A position as text. */
const spoken = text => text.replace(/^all but /, t('solitaire.allBut'))

/** The board on the screen, and the game that is played on it. */
class Table {
  /** @param {Game} game @param {string} hints a grade @param {AbortSignal} signal */
  constructor(game, hints, signal) {
    this.game = game
    this.signal = signal
    this.chosen = -1
    this.playing = 0
    this.round = 0
    this.hints = GRADES.includes(hints) ? hints : 'off'
    /** Whether a solution, or what each jump is worth, was shown in this game. */
    this.helped = this.hints === 'which'
    /** @type {Map<string, {worth: string, moves?: number}>} */
    this.worths = new Map()
    const { holes, grid } = game.board
    this.place = hole => (grid === 'square' ? [hole.column, hole.row] : [hole.column - hole.row / 2, hole.row * 0.87])
    const places = holes.map(this.place)
    const low = [0, 1].map(axis => Math.min(...places.map(one => one[axis])) - 0.8)
    const high = [0, 1].map(axis => Math.max(...places.map(one => one[axis])) + 0.8)
    this.svg = s('svg', { viewBox: `${low[0]} ${low[1]} ${high[0] - low[0]} ${high[1] - low[1]}`, class: 'solitaire-board', role: 'group', 'aria-label': t('solitaire.board') })
    this.said = h('p', { class: 'said', role: 'status' })
    this.list = h('p', { class: 'moves' })
    this.choices = h('ul', { class: 'choices', 'aria-label': t('solitaire.choices') })
    this.undo = h('button', { type: 'button', onclick: () => this.back(1) }, t('undo'))
    this.restart = h('button', { type: 'button', onclick: () => this.back(Infinity) }, t('restart'))
    this.grade = h('select', { id: 'hints', onchange: () => {
      this.hints = this.grade.value
      this.helped ||= this.hints === 'which'
      this.address('replaceState')
      this.draw()
    } }, GRADES.map(grade => h('option', { value: grade, selected: grade === this.hints }, t(`solitaire.hints.${grade}`))))
    this.controls = h('div', { class: 'buttons' }, this.undo, this.restart, h('label', { class: 'hints', for: 'hints' }, t('solitaire.hints'), this.grade))
    this.legend = h('p', { class: 'legend' }, ['shortest', 'wins', 'lost'].map(name => h('span', {}, h('i', { class: `worth ${name}` }), t(`solitaire.worth.${name}`))))
    this.signal.addEventListener('abort', () => clearInterval(this.playing))
    this.draw()
  }

  back(jumps) {
    clearInterval(this.playing)
    this.playing = 0
    this.game.jumps.splice(Math.max(0, this.game.jumps.length - jumps))
    if (!this.game.jumps.length) this.helped = this.hints === 'which'
    this.chosen = -1
    this.address()
    this.draw()
  }

  pause() {
    clearInterval(this.playing)
    this.playing = 0
  }

  /** @param {import('./board.js').Jump} jump */
  jump(jump) {
    this.game.jumps.push(jump)
    this.chosen = this.game.possible().some(next => next.from === jump.to) ? jump.to : -1
    if (!this.playing) this.address()
    this.draw(jump.to)
  }

  /** Write the game into the address: to share it, to load it again, and for the button that leads back. */
  address(how = 'pushState') {
    const moves = this.game.text.join(',').replaceAll('==>', '-')
    const query = [moves && `game=${moves}`, this.hints !== 'off' && `hints=${this.hints}`].filter(Boolean).join('&')
    if (!this.signal.aborted) history[how](null, '', `#/solitaire/${this.game.problem.name}${query && `?${query}`}`)
  }

  touch(hole) {
    this.pause()
    const jump = this.game.possible().find(one => one.from === this.chosen && one.to === hole)
    if (jump) return this.jump(jump)
    this.chosen = this.game.possible().some(one => one.from === hole) && this.chosen !== hole ? hole : -1
    return this.draw(hole)
  }

  /** Draw the position; what jumps are worth is drawn when it is known. @param {number} [focused] */
  draw(focused) {
    this.round++
    this.worths.clear()
    this.paint(focused)
    this.legend.hidden = this.choices.hidden = this.hints !== 'which'
    if (this.hints !== 'off' && !this.playing) this.weigh(this.round)
    this.tell()
  }

  /** Lines between holes side by side, where there are six directions. */
  mesh() {
    const { holes, grid, pairs } = this.game.board
    if (grid !== 'triangular') return []
    return pairs.map(pair => {
      const [[x1, y1], [x2, y2]] = pair.map(at => this.place(holes[at]))
      return s('line', { class: 'mesh', x1, y1, x2, y2 })
    })
  }

  paint(focused) {
    const { board, position } = this.game
    const pegs = pegsOf(position, board.holes.length)
    const jumps = this.game.possible()
    this.svg.replaceChildren(...this.mesh(), ...board.holes.map((hole, at) => {
      const [x, y] = this.place(hole)
      const from = jumps.filter(jump => jump.from === at)
      const target = jumps.find(jump => jump.from === this.chosen && jump.to === at)
      const best = this.hints !== 'which' ? undefined : target ? this.worths.get(name(target)) : bestOf(from.map(jump => this.worths.get(name(jump))))
      const label = t(target ? 'solitaire.target' : pegs[at] ? 'solitaire.peg' : 'solitaire.hole', { label: hole.label })
      const g = s('g', {
        class: `spot ${pegs[at] ? 'peg' : 'hole'} ${at === this.chosen ? 'chosen' : ''} ${target ? 'target' : ''} ${from.length ? 'free' : ''} ${best?.worth ?? ''}`,
        role: 'button', tabindex: from.length || target ? 0 : -1, 'data-hole': hole.label, transform: `translate(${x} ${y})`,
        'aria-label': best ? t('and', { one: label, other: worthOf(best) }) : label, onclick: () => this.touch(at),
        onkeydown: event => (event.key === 'Enter' || event.key === ' ') && (event.preventDefault(), this.touch(at)),
      }, s('circle', { r: 0.46, class: 'well' }), s('circle', { r: pegs[at] ? 0.38 : 0.13, class: 'ball' }), s('text', { y: 0.08 }, hole.label),
      target && best?.moves !== undefined && s('text', { class: 'left', y: 0.09 }, best.moves))
      return g
    }))
    this.choices.replaceChildren(...(this.hints === 'which' ? this.jumpsByWorth(jumps) : []).map(([jump, found]) => h('li', {}, h('button', {
      type: 'button', 'data-jump': jumpName(board, jump), 'data-left': found.moves ?? null, class: `choice ${found.worth}`,
      onclick: () => { this.pause(); this.jump(jump) },
    }, h('b', {}, jumpName(board, jump)), ` ${worthOf(found)}`))))
    if (focused !== undefined) /** @type {any} */ (this.svg.querySelector(`[data-hole="${board.holes[focused].label}"]`))?.focus({ preventScroll: true })
  }

  /** The jumps of which it is known what they are worth, the best first. */
  jumpsByWorth(jumps) {
    const known = jumps.filter(jump => this.worths.has(name(jump))).map(jump => [jump, this.worths.get(name(jump))])
    return known.sort((a, b) => byWorth(a[1], b[1]))
  }

  /** Ask what each possible jump is worth, one after the other. */
  async weigh(round) {
    try {
      for (const jump of this.game.possible()) {
        const found = await this.game.worth(jump, this.signal)
        if (round !== this.round || this.signal.aborted) return
        this.worths.set(name(jump), found)
      }
      const active = document.activeElement?.closest?.('[data-hole]')?.getAttribute('data-hole')
      this.paint(active ? this.game.board.byLabel.get(Number(active)) : undefined)
      this.tell()
    } catch (error) {
      if (round === this.round && !aborted(error)) this.said.replaceChildren(failure(error, () => this.draw()))
    }
  }

  tell() {
    const { game } = this
    const pegs = pegsOf(game.position, game.board.holes.length).reduce((sum, peg) => sum + peg, 0)
    const made = game.moves.length
    const worths = [...this.worths.values()]
    const best = bestOf(worths)
    let text = t('solitaire.state', { pegs, moves: made })
    let mood = ''
    this.svg.classList.toggle('won', game.won && !this.playing)
    if (game.won) [text, mood] = [this.wonText(made), 'good']
    else if (!game.possible().length) [text, mood] = [t('solitaire.stuck', { pegs }), 'bad']
    else if (best?.worth === 'shortest' && this.hints === 'which') [text, mood] = [`${text} · ${t('solitaire.onShortest')}`, 'good']
    else if (best?.worth === 'wins' || best?.worth === 'shortest') [text, mood] = [`${text} · ${best.moves === undefined || this.hints === 'can' ? t('solitaire.canWin') : t('solitaire.canWinIn', { moves: this.movesToGo() })}`, 'good']
    else if (worths.length && worths.every(one => one.worth === 'lost')) [text, mood] = [`${text} · ${t('solitaire.isLost')}`, 'bad']
    this.said.textContent = text
    this.said.dataset.mood = mood
    this.list.textContent = game.text.join(', ') || t('solitaire.how')
    this.list.classList.toggle('how', !game.text.length)
    this.undo.disabled = this.restart.disabled = !game.jumps.length
  }

  /** A win, with the record of games without help. */
  wonText(moves) {
    const won = t('solitaire.won', { moves })
    return this.helped || this.playing ? won : `${won} · ${t('solitaire.record', { mine: keepRecord(`solitaire/${this.game.problem.name}`, moves) })}`
  }

  /** The least moves from here, as far as they are known of each jump: a peg that goes on makes no new one. */
  movesToGo() {
    const known = [...this.worths].filter(([, found]) => found.moves !== undefined)
    return Math.min(...known.map(([jump, found]) => (found.moves ?? 0) + Number(Number(jump.split(' ')[0]) !== this.game.last)))
  }

  /** Play moves from the start. @param {string} moves */
  replay(moves) {
    clearInterval(this.playing)
    const jumps = this.game.parse(moves)
    this.game.jumps = []
    this.chosen = -1
    this.helped = true
    this.playing = window.setInterval(() => {
      const next = jumps.shift()
      if (!next || this.signal.aborted) {
        clearInterval(this.playing)
        this.playing = 0
        this.chosen = -1
        this.address()
        this.draw()
      } else this.jump(next)
    }, PACE)
    this.draw()
  }
}

const name = jump => `${jump.from} ${jump.to}`
const ORDER = ['shortest', 'wins', 'unknown', 'lost']

const byWorth = (a, b) => ORDER.indexOf(a.worth) - ORDER.indexOf(b.worth) || (a.moves ?? 99) - (b.moves ?? 99)
const bestOf = worths => worths.filter(Boolean).sort(byWorth)[0]
const jumpName = (board, jump) => `${board.holes[jump.from].label}→${board.holes[jump.to].label}`

/** What a jump is worth, in words: with the moves that are left after it, where they are known. */
function worthOf(found) {
  const text = t(`solitaire.worth.${found.worth}`)
  return found.moves === undefined ? text : t('and', { one: text, other: t('solitaire.left', { moves: found.moves }) })
}

/** @param {Table} table */
async function solutionList(table, problem) {
  const [rows, counts] = await Promise.all([rowsOf('solutions', problem), rowsOf('solution_counts', problem)])
  if (!rows.length) return h('p', { class: 'unknown' }, t('solitaire.noSolutions'))
  const counted = loop => counts.find(row => !row.ordered && !row.mirror && row.loop === loop)?.solutions
  const select = h('select', { id: 'solution' }, rows.slice(0, 500).map(row => h('option', { value: row.number }, t('solitaire.number', { number: row.number, orders: Number(row.orders) }))))
  const moves = h('p', { class: 'moves' }, rows[0].moves)
  select.addEventListener('change', () => (moves.textContent = rows[Number(select.value) - 1].moves))
  return h('details', { class: 'solutions' }, h('summary', {}, t('solitaire.solutions', { length: rows[0].length })),
    counted(true) !== undefined && h('p', {}, t('solitaire.counts', { all: Number(counted(true)), loops: Number(counted(false)) })),
    h('div', { class: 'row' }, h('label', { for: 'solution' }, t('solitaire.solution'), select),
      h('button', { type: 'button', class: 'main', onclick: () => table.replay(rows[Number(select.value) - 1].moves) }, t('play'))), moves)
}

/** Levels by pegs, and frontiers by moves, where the data have them. */
async function sizes(problem) {
  const [levels, layers] = await Promise.all([rowsOf('levels', problem), rowsOf('layers', problem)])
  const shown = []
  const series = async (rows, x, y, title, label) => rows.length > 1 && shown.push(await plot({ title, x: label, y: t('solitaire.positions'), xs: rows.map(row => Number(row[x])), ys: rows.map(row => Number(row[y]) || null), log: true, kind: 'line' }))
  await series(levels, 'pegs', 'labelled_positions', t('solitaire.levels'), t('solitaire.pegs'))
  await series(levels, 'pegs', 'labelled_winning', t('solitaire.winning'), t('solitaire.pegs'))
  for (const direction of ['forward', 'backward']) {
    await series(layers.filter(row => row.direction === direction).sort((a, b) => a.moves - b.moves), 'moves', 'labelled_positions', t(`solitaire.${direction}`), t('solitaire.movesAxis'))
  }
  return shown.length ? [h('h2', {}, t('solitaire.sizes')), h('div', { class: 'plots' }, shown)] : h('p', {})
}


