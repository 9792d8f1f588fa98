/**
 * Drawings of sliding pieces: rows of signs, a sign for each piece, and one sign for empty cells. The rule is that of
 * pipeline/boardspace/spec/slides.py, and the same cases test both.
 */

export const EMPTY = '.'
/** Signs that stand for empty cells where no dot does. */
const EMPTY_TOO = '·_0 '

/** A text that is no drawing: a key of the strings, and what it is about. */
export class DrawingFault extends RangeError {
  /** @param {string} key @param {Record<string, any>} [values] */
  constructor(key, values = {}) {
    super(key)
    this.values = values
  }
}

/**
 * The rows of a drawing, equally long, with a dot for each empty cell; every other sign is that of a piece. The keys of
 * faults begin with the name of the page.
 * @param {string} text
 * @param {string} page
 * @param {[number, number]} [size] rows and columns that it has to have
 * @returns {string[][]}
 */
export function readDrawing(text, page, size) {
  const lines = text.split(/\r\n|[/\n\r]/).filter(line => line.trim())
  const words = lines.map(line => line.trim().split(/\s+/))
  const spaced = lines.length > 1 && words.flat().every(word => [...word].length === 1)
  const fit = rows => (size ? rows.length === size[0] && rows.every(row => row.length === size[1]) : rows.length > 0 && rows.every(row => row.length === rows[0].length))
  let rows = (spaced ? words.map(line => line.join('')) : words.flat()).map(row => [...row])
  if (!fit(rows) && !text.includes('/') && lines.length > 1 && fit(lines.map(line => [...line]))) rows = lines.map(line => [...line])
  if (!fit(rows)) throw misfit(rows, page, size)
  const empty = emptySign(new Set(rows.flat()), page)
  return rows.map(row => row.map(sign => (sign === empty ? EMPTY : sign)))
}

/** Why rows are not those of a drawing. */
function misfit(rows, page, size) {
  if (size) return new DrawingFault(`${page}.fault.size`, { rows: size[0], columns: size[1] })
  if (!rows.length) return new DrawingFault(`${page}.fault.empty`)
  const row = rows.findIndex(one => one.length !== rows[0].length)
  return new DrawingFault(`${page}.fault.rows`, { row: row + 1, signs: rows[row].length, first: rows[0].length })
}

/** The sign that stands for empty cells, a dot if none does; a fault where several may. */
function emptySign(signs, page) {
  if (signs.has(EMPTY) && !signs.has(' ')) return EMPTY // a blank is no sign of a piece
  const found = [...EMPTY + EMPTY_TOO].filter(sign => signs.has(sign))
  if (found.length > 1) throw new DrawingFault(`${page}.fault.blanks`, { signs: found.map(sign => `“${sign}”`).join(' ') })
  return found[0] ?? EMPTY
}
