/** The names that pieces have in Huarong Dao: Cao Cao, who flees, the five tiger generals, and soldiers. */

import { BLOCK, LYING, SINGLE } from './code.js'

const TIGERS = ['张飞', '赵云', '马超', '黄忠', '关羽']
export const PINYIN = { 曹操: 'Cao Cao', 关羽: 'Guan Yu', 张飞: 'Zhang Fei', 赵云: 'Zhao Yun', 马超: 'Ma Chao', 黄忠: 'Huang Zhong', 将: 'general', 兵: 'soldier' }

/**
 * The names of the pieces of a layout: Guan Yu lies where any does, the others follow in the order of their cells.
 * @param {import('./code.js').Piece[]} pieces
 * @returns {string[]}
 */
export function namesOf(pieces) {
  const lying = pieces.findIndex(piece => piece.kind === LYING)
  const tigers = lying < 0 ? [...TIGERS] : TIGERS.slice(0, -1)
  return pieces.map(({ kind }, at) => {
    if (kind === BLOCK) return '曹操'
    if (kind === SINGLE) return '兵'
    return at === lying ? '关羽' : tigers.shift() ?? '将'
  })
}
