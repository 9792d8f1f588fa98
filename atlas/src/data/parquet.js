/**
 * Rows of tables, by hyparquet. Small files come whole and are compared with their SHA-256; of large ones come the footer
 * (its SHA-256 is in the index) and the pages of the columns asked for (see pages.js). hyparquet gets bytes only from
 * what was verified so.
 */

import { parquetMetadata, parquetSchema } from 'hyparquet'
import { assembleNested } from 'hyparquet/src/assemble.js'
import { readColumn } from 'hyparquet/src/column.js'
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js'
import { getTreePath } from 'hyparquet/src/schema.js'
import { DataFault, dataFault } from './faults.js'
import { count, fetchRange } from './http.js'
import { keep } from './kept.js'
import { verifyPages } from './pages.js'
import { dataRoot, dataset, document_ } from './release.js'
import { sha256 } from './sha256.js'
import { decompress } from './zstd.js'

const SMALL = 1 << 16
const compressors = {
  /**
   * @param {Uint8Array} bytes
   * @param {number} size
   */
  ZSTD: (bytes, size) => decompress(bytes, new Uint8Array(size)),
}
const files = new Map()

/**
 * @typedef {import('./release.js').TableFile} TableFile
 * @typedef {import('hyparquet').FileMetaData} FileMetaData
 * @typedef {{columns?: string[], within?: Record<string, [any, any]>, groups?: number[]}} Wanted
 * `within` are ends, both included, of columns: rows of groups that cannot have such values do not come.
 */

/**
 * All rows of a table, of the files that `chosen` chooses; [] where the release has no such table.
 * @param {string} name the dataset
 * @param {string} table
 * @param {Wanted & {chosen?: (file: TableFile) => boolean}} [wanted]
 * @returns {Promise<Record<string, any>[]>}
 */
export async function readTable(name, table, wanted = {}) {
  const entry = await (await dataset(name)).table(table)
  const chosen = (entry?.files ?? []).filter(file => file.rows && (wanted.chosen?.(file) ?? true))
  const parts = await inTurn(chosen, file => readFile(name, file, wanted))
  return parts.flat()
}

/**
 * The row of a table whose key (its first column) has this value; undefined where there is none.
 * @param {string} name
 * @param {string} table
 * @param {number | bigint} key
 * @param {string[]} [columns]
 */
export async function readRow(name, table, key, columns) {
  const entry = await (await dataset(name)).table(table)
  const file = entry?.files.find(one => one.rows && (one.first === null || (one.first <= key && key <= one.last)))
  if (!entry || !file) return undefined
  const column = entry.key[0]
  const rows = await readFile(name, file, { columns: columns && [column, ...columns], within: { [column]: [key, key] } })
  return rows.find(row => BigInt(row[column]) === BigInt(key))
}

/**
 * Rows of one file: of all row groups, or of those that may hold rows `within`.
 * @param {string} name
 * @param {TableFile} file
 * @param {Wanted} wanted
 */
export async function readFile(name, file, wanted) {
  const url = `${dataRoot()}${name}/${file.path}`
  const opened = await openFile(url, file)
  try {
    return await opened.rows(wanted)
  } catch (error) {
    throw dataFault(error) ?? new DataFault('damaged', url, String(error))
  }
}

/**
 * The row groups of a file that may hold rows `within`: their numbers, and how many rows each has.
 * @param {string} name
 * @param {TableFile} file
 * @param {Record<string, [any, any]>} within
 */
export async function rowGroups(name, file, within) {
  const { metadata } = await openFile(`${dataRoot()}${name}/${file.path}`, file)
  return [...metadata.row_groups.entries()].filter(([, group]) => Object.entries(within).every(([column, ends]) => mayHold(group, column, ends)))
    .map(([number, group]) => ({ number, rows: Number(group.num_rows) }))
}

/**
 * @param {string} url
 * @param {TableFile} file
 * @returns {Promise<VerifiedFile>}
 */
async function openFile(url, file) {
  if (!files.has(url)) {
    const opened = file.bytes <= SMALL ? wholeFile(url, file) : rangedFile(url, file)
    files.set(url, opened)
    opened.catch(() => files.delete(url))
  }
  return files.get(url)
}

/**
 * @param {string} url
 * @param {TableFile} file
 */
async function wholeFile(url, file) {
  const bytes = await document_(url, file.sha256)
  const content = /** @type {ArrayBuffer} */ (bytes.buffer)
  return new VerifiedFile(url, parquetMetadata(content), async column => bytes.subarray(...ends(column)))
}

/**
 * @param {string} url
 * @param {TableFile} file
 */
async function rangedFile(url, file) {
  const footer = await fetchRange(url, file.bytes - file.footerBytes, file.footerBytes)
  if (sha256(footer) !== file.footerSha256) throw new DataFault('damaged', url, 'SHA-256 of its footer')
  count({ checked: 1 })
  keep(url, file.bytes - file.footerBytes, file.footerBytes, footer)
  return new VerifiedFile(url, parquetMetadata(/** @type {ArrayBuffer} */ (footer.buffer)), async (column, name) => {
    const [first, last] = ends(column)
    const bytes = await fetchRange(url, first, last - first)
    verifyPages(bytes, column, `${url} [${name}]`)
    keep(url, first, last - first, bytes)
    return bytes
  })
}

/** The bytes [first, last) of a column chunk. @param {import('hyparquet').ColumnMetaData} column @returns {[number, number]} */
function ends(column) {
  const first = Number(column.dictionary_page_offset ?? column.data_page_offset)
  return [first, first + Number(column.total_compressed_size)]
}

/** A Parquet file whose column chunks are decoded by hyparquet once they were verified. */
class VerifiedFile {
  /**
   * @param {string} url
   * @param {FileMetaData} metadata
   * @param {(column: import('hyparquet').ColumnMetaData, name: string) => Promise<Uint8Array>} fetchColumn verified bytes of a column chunk
   */
  constructor(url, metadata, fetchColumn) {
    this.url = url
    this.metadata = metadata
    this.schema = parquetSchema(metadata)
    this.fetchColumn = fetchColumn
    /** @type {Map<string, Promise<any[]>>} */
    this.decoded = new Map()
  }

  /**
   * @param {Wanted} wanted
   * @returns {Promise<Record<string, any>[]>}
   */
  async rows({ columns, within = {}, groups }) {
    const wanted = [...this.metadata.row_groups.entries()].filter(([number, group]) =>
      (groups?.includes(number) ?? true) && Object.entries(within).every(([column, ends]) => mayHold(group, column, ends)))
    const found = []
    for (const [number, group] of wanted) found.push(await this.group(number, group, columns))
    return found.flat()
  }

  /**
   * The rows of a row group, of some of the columns.
   * @param {number} number
   * @param {import('hyparquet').RowGroup} group
   * @param {string[]} [columns]
   */
  async group(number, group, columns) {
    const rows = Array.from({ length: Number(group.num_rows) }, () => /** @type {Record<string, any>} */ ({}))
    const chosen = this.schema.children.filter(one => !columns || columns.includes(one.element.name))
    await Promise.all(chosen.map(async one => {
      const values = await this.column(number, group, one)
      for (let at = 0; at < rows.length; at++) rows[at][one.element.name] = values[at]
    }))
    return rows
  }

  /**
   * The values of a column in a row group, decoded once; a list is one column of the file by another path.
   * @param {number} number
   * @param {import('hyparquet').RowGroup} group
   * @param {any} branch of the schema
   */
  column(number, group, branch) {
    const name = `${number} ${branch.element.name}`
    const found = this.decoded.get(name) ?? this.decode(number, group, branch)
    this.decoded.set(name, found)
    found.catch(() => this.decoded.delete(name))
    return found
  }

  async decode(number, group, branch) {
    const leaves = group.columns.filter(chunk => chunk.meta_data?.path_in_schema[0] === branch.element.name)
    if (!leaves.length) throw new DataFault('damaged', this.url, 'a footer without columns')
    const values = new Map(await Promise.all(leaves.map(async chunk => {
      const column = /** @type {import('hyparquet').ColumnMetaData} */ (chunk.meta_data)
      const path = column.path_in_schema.join('.')
      const schemaPath = getTreePath(this.schema, column.path_in_schema)
      const bytes = await this.fetchColumn(column, `${number} ${path}`)
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const select = { groupStart: 0, selectStart: 0, selectEnd: Number(group.num_rows), groupRows: Number(group.num_rows) }
      const { data } = readColumn({ view, offset: 0 }, select, { ...column, pathInSchema: column.path_in_schema, element: schemaPath[schemaPath.length - 1].element, schemaPath, compressors, parsers: DEFAULT_PARSERS })
      return [path, data.flatMap(page => Array.from(page))]
    })))
    if (branch.children.length) assembleNested(values, branch, DEFAULT_PARSERS)
    return values.get(branch.element.name)
  }
}

/**
 * @param {import('hyparquet').RowGroup} group
 * @param {string} column
 * @param {[any, any]} ends
 */
function mayHold(group, column, ends) {
  const statistics = group.columns.find(chunk => chunk.meta_data?.path_in_schema[0] === column)?.meta_data?.statistics
  const low = statistics?.min_value
  const high = statistics?.max_value
  if (low === undefined || high === undefined) return true
  return !(/** @type {any} */ (high) < ends[0] || /** @type {any} */ (low) > ends[1])
}

/**
 * Do something for each, a few at a time.
 * @template A, B
 * @param {A[]} items
 * @param {(item: A) => Promise<B>} make
 */
export async function inTurn(items, make, width = 6) {
  /** @type {B[]} */
  const made = new Array(items.length)
  let next = 0
  const work = async () => {
    while (next < items.length) {
      const at = next++
      made[at] = await make(items[at])
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, work))
  return made
}
