/** Cards as elements: the Markdown that cards use, which is headings, paragraphs, tables, lists, code, links. */

import { h } from '../dom.js'

/**
 * @param {string} text
 * @returns {HTMLElement[]}
 */
export function markdown(text) {
  const lines = text.split('\n')
  const made = []
  while (lines.length) {
    const line = /** @type {string} */ (lines.shift())
    if (line.startsWith('```')) made.push(code(take(lines, next => !next.startsWith('```')), lines))
    else if (line.startsWith('#')) made.push(heading(line))
    else if (line.startsWith('|')) made.push(table([line, ...take(lines, next => next.startsWith('|'))]))
    else if (/^[-*] /.test(line)) made.push(h('ul', {}, [line, ...take(lines, next => /^[-*] /.test(next))].map(item => h('li', {}, inline(item.slice(2))))))
    else if (line.trim()) made.push(h('p', {}, inline([line, ...take(lines, next => Boolean(next.trim()) && !/^(#|\||```|[-*] )/.test(next))].join(' '))))
  }
  return made
}

/** Take lines off the front while they are wanted. */
function take(lines, wanted) {
  const taken = []
  while (lines.length && wanted(lines[0])) taken.push(lines.shift())
  return taken
}

function code(content, lines) {
  lines.shift()
  return h('pre', { tabindex: 0 }, h('code', {}, content.join('\n')))
}

/** The page has a title of its own, so none of a card's headings is one. */
function heading(line) {
  const depth = /** @type {RegExpMatchArray} */ (line.match(/^#+/))[0].length
  return h(depth <= 2 ? 'h2' : 'h3', {}, inline(line.slice(depth).trim()))
}

function table(lines) {
  const cells = line => line.slice(1, -1).split(/(?<!\\)\|/).map(cell => cell.trim().replaceAll('\\|', '|'))
  const [head, , ...rows] = lines.map(cells)
  return h('div', { class: 'scroll', tabindex: 0 }, h('table', {}, h('thead', {}, h('tr', {}, head.map(cell => h('th', { scope: 'col' }, inline(cell))))),
    h('tbody', {}, rows.map(row => h('tr', {}, row.map(cell => h('td', {}, inline(cell))))))))
}

/** Code, bold and links inside a line. */
function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\)|https?:\/\/[^\s),]+)/).map(part => {
    if (/^`.+`$/.test(part)) return h('code', {}, part.slice(1, -1))
    if (part.startsWith('**')) return h('strong', {}, part.slice(2, -2))
    const link = /^\[([^\]]+)\]\((https?:[^)]+)\)$/.exec(part)
    if (link) return h('a', { href: link[2] }, link[1])
    return /^https?:\/\//.test(part) ? h('a', { href: part }, part) : part
  })
}
