/**
 * A puzzle for each day, the same for all readers of a release: the hardest layout of one of its groups, drawn by the date
 * alone, easy on Mondays and hardest on Sundays.
 */

import { classes, groupsOf } from './lookup.js'

const FEWEST = 12 // steps
const DAYS = 7
const DAY = 86_400_000

/** The date of today where the reader is, as 2026-11-24. */
export const today = () => new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 10)

/** @param {string} date @param {number} days */
export const daysLater = (date, days) => new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10)

export const isDate = text => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && daysLater(text, 0) === text

/**
 * @param {string} date
 * @returns {Promise<{code: number, steps: number} | null>} null where a release has no group that is hard enough
 */
export async function puzzleOf(date) {
  const hard = (await classes()).filter(row => row.hardest_step >= FEWEST)
  if (!hard.length) return null
  const chosen = hard[draw(date, hard.length)]
  const groups = (await groupsOf([chosen.jiang_num, chosen.bing_num, chosen.style_num])).filter(group => group.hardest_step >= FEWEST)
  groups.sort((a, b) => a.hardest_step - b.hardest_step || a.group_num - b.group_num)
  const weekday = (new Date(Date.parse(date)).getUTCDay() + DAYS - 1) % DAYS
  const low = Math.floor(groups.length * weekday / DAYS)
  const high = Math.max(low + 1, Math.floor(groups.length * (weekday + 1) / DAYS))
  const group = groups[low + draw(`${date} group`, high - low)]
  return { code: Number(group.hardest_code), steps: group.hardest_step }
}

/** A number below `most` that a text draws (FNV-1a). */
function draw(text, most) {
  let hash = 0x811c9dc5
  for (const sign of text) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193)
  return ((hash ^ (hash >>> 15)) >>> 0) % most
}
