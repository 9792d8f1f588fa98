/** From what a reader types to a layout: a code, an id, a name such as 5-4-1-0-12343, or that of a well-known start. */

import { script } from '../data/faults.js'
import { COLUMNS, SIZES, encode, parseCode } from './code.js'
import { LAYOUTS, unrank } from './scan.js'
import { groupsOf } from './lookup.js'
import starts from 'starts:../pipeline/boardspace/spaces/klotski/starts.toml'

const NAME = /^(\d+)-(\d+)-(\d+)-(\d+)-(\d+)$/

/**
 * The code of a layout; throws a RangeError whose message is a key of the strings.
 * @param {string} text
 * @param {AbortSignal} signal
 */
export async function find(text, signal) {
  const wanted = text.trim()
  const start = starts.find(one => one.name === wanted || plain(one.pinyin) === plain(wanted))
  if (start) return codeOfStart(start)
  const name = NAME.exec(wanted)
  if (name) return named(name.slice(1).map(Number), signal)
  const id = /^(?:id\s*|#)(\d+)$/i.exec(wanted)
  if (id) {
    if (Number(id[1]) >= LAYOUTS) throw new RangeError('klotski.fault.id')
    return unrank(Number(id[1]))
  }
  return parseCode(wanted)
}

const plain = text => text.toLowerCase().replace(/[\s-]/g, '')

/**
 * The code of a drawing: cells with the same sign are one piece, a dot is an empty cell.
 * @param {string[]} lines
 */
function drawn(lines) {
  const cells = [...lines.join('')]
  const pieces = [...new Set(cells)].filter(sign => sign !== '.').map(sign => {
    const own = cells.flatMap((one, cell) => (one === sign ? [cell] : []))
    const wide = new Set(own.map(cell => cell % COLUMNS)).size
    return { kind: SIZES.findIndex(([columns, rows]) => columns === wide && rows === own.length / wide), cell: own[0] }
  })
  return encode(pieces)
}

/**
 * A layout by its name: the group is walked from its smallest code, then its codes are put in order.
 * @param {number[]} name
 * @param {AbortSignal} signal
 */
async function named([jiang, bing, style, group, index], signal) {
  const row = (await groupsOf([jiang, bing, style])).find(one => one.group_num === group)
  if (!row || index >= row.group_size) throw new RangeError('klotski.fault.name')
  const { wholeGroup } = await script(import('./search.js'))
  const found = await wholeGroup(Number(row.seed_code), undefined, signal)
  const codes = Float64Array.from({ length: found.size }, (_, at) => found.code(at)).sort()
  return codes[index]
}

/** The code of a well-known start. */
export const codeOfStart = start => drawn(start.drawing)

export { starts }
