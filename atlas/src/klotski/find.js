/** From what a reader types to a layout: a code, an id, a name such as 5-4-1-0-12343, that of a well-known start, a drawing. */

import { script } from '../data/faults.js'
import { parseCode, parseDrawing } from './code.js'
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
  const id = /^(?:id[:\s]*|#)\s*(\d+)$/i.exec(wanted)
  if (id) {
    if (Number(id[1]) >= LAYOUTS) throw new RangeError('klotski.fault.id')
    return unrank(Number(id[1]))
  }
  return /[\s/]/.test(wanted) ? parseDrawing(text) : parseCode(wanted)
}

const plain = text => text.toLowerCase().replace(/[\s-]/g, '')

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
export const codeOfStart = start => parseDrawing(start.drawing.join('/'))

export { starts }
