/** Positions as pictures: those that their puzzle draws, else the signs of a drawing as cells of colour. */

import { h, s } from '../dom.js'

const CELL = 32

/**
 * @param {import('./game.js').Held} held
 * @param {number | undefined} place of the position among those held
 * @param {string} text its drawing
 */
export function picture(held, place, text) {
  const svg = place === undefined ? undefined : held.pictures?.[place]
  // An image runs nothing and loads nothing, whatever the picture of a plug-in holds.
  if (svg) return h('img', { class: 'position', src: `data:image/svg+xml,${encodeURIComponent(svg)}`, alt: text })
  const rows = text.split('\n').map(row => [...row])
  const [wide, high] = [Math.max(1, ...rows.map(row => row.length)), rows.length]
  return s('svg', { class: 'position', viewBox: `0 0 ${CELL * wide} ${CELL * high}`, style: `max-width: ${40 * wide}px`, role: 'img', 'aria-label': text },
    rows.flatMap((row, y) => row.map((sign, x) => (sign === ' ' ? null : [
      s('rect', { x: CELL * x + 1, y: CELL * y + 1, width: CELL - 2, height: CELL - 2, rx: 4, fill: colour(sign) }),
      s('text', { x: CELL * (x + 0.5), y: CELL * (y + 0.5) }, sign),
    ]))))
}

/** The colour of a sign; dots are pale. @param {string} sign */
const colour = sign => ('.-_'.includes(sign) ? '#eee' : `hsl(${(sign.codePointAt(0) ?? 0) * 29 % 360} 60% 75%)`)
