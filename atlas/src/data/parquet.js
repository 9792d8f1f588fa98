/**
 * Rows of tables, by hyparquet. Small files come whole and are compared with their SHA-256; of large ones come the footer
 * (its SHA-256 is in the index) and the pages of the columns asked for (see pages.js). hyparquet gets bytes only from
 * what was verified so.
 */

import { decompress } from 'fzstd'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { DataFault, dataFault } from './faults.js'
import { count, fetchRange } from './http.js'
import { verifyPages } from './pages.js'
import { dataRoot, dataset, document_ } from './release.js'
import { sha256 } from './sha256.js'

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
  const entry = (await dataset(name)).tables.get(table)
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
  const entry = (await dataset(name)).tables.get(table)
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
  const verified = new VerifiedFile(url, file, parquetMetadata(content))
  verified.parts.push({ first: 0, bytes })
  return verified
}

/**
 * @param {string} url
 * @param {TableFile} file
 */
async function rangedFile(url, file) {
  const footer = await fetchRange(url, file.bytes - file.footerBytes, file.footerBytes)
  if (sha256(footer) !== file.footerSha256) throw new DataFault('damaged', url, 'SHA-256 of its footer')
  count({ checked: 1 })
  return new VerifiedFile(url, file, parquetMetadata(/** @type {ArrayBuffer} */ (footer.buffer)))
}

/** A Parquet file and the parts of it that were verified. */
class VerifiedFile {
  /**
   * @param {string} url
   * @param {TableFile} file
   * @param {FileMetaData} metadata
   */
  constructor(url, file, metadata) {
    this.url = url
    this.file = file
    this.metadata = metadata
    /** @type {{first: number, bytes: Uint8Array}[]} */
    this.parts = []
    /** @type {Map<string, Promise<void>>} */
    this.fetched = new Map()
  }

  /**
   * @param {Wanted} wanted
   * @returns {Promise<Record<string, any>[]>}
   */
  async rows({ columns, within = {}, groups }) {
    const found = []
    let start = 0
    for (const [number, group] of this.metadata.row_groups.entries()) {
      const end = start + Number(group.num_rows)
      if ((groups?.includes(number) ?? true) && Object.entries(within).every(([column, ends]) => mayHold(group, column, ends))) {
        await this.fetch(number, columns)
        found.push(await parquetReadObjects({
          file: { byteLength: this.file.bytes, slice: (first, last) => this.slice(first, last) },
          metadata: this.metadata, columns, rowStart: start, rowEnd: end, compressors,
        }))
      }
      start = end
    }
    return found.flat()
  }

  /**
   * Fetch and verify the columns of a row group.
   * @param {number} number
   * @param {string[]} [columns]
   */
  async fetch(number, columns) {
    if (this.parts[0]?.bytes.length === this.file.bytes) return
    const wanted = this.metadata.row_groups[number].columns.filter(
      chunk => !columns || columns.includes(chunk.meta_data?.path_in_schema[0] ?? ''))
    await Promise.all(wanted.map(chunk => {
      const column = chunk.meta_data
      if (!column) throw new DataFault('damaged', this.url, 'a footer without columns')
      const name = `${number} ${column.path_in_schema.join('.')}`
      if (!this.fetched.has(name)) {
        const arrived = this.fetchColumn(column, name)
        this.fetched.set(name, arrived)
        arrived.catch(() => this.fetched.delete(name))
      }
      return this.fetched.get(name)
    }))
  }

  /**
   * @param {import('hyparquet').ColumnMetaData} column
   * @param {string} name
   */
  async fetchColumn(column, name) {
    const first = Number(column.dictionary_page_offset ?? column.data_page_offset)
    const bytes = await fetchRange(this.url, first, Number(column.total_compressed_size))
    verifyPages(bytes, column, `${this.url} [${name}]`)
    this.parts.push({ first, bytes })
  }

  /**
   * Bytes for hyparquet, from verified parts alone. It joins requests for columns that lie close to one another; what
   * lies between them, which it does not decode, reads as zeros.
   * @param {number} first
   * @param {number} [last]
   */
  slice(first, last = this.file.bytes) {
    const bytes = new Uint8Array(last - first)
    for (const part of this.parts) {
      const low = Math.max(first, part.first)
      const high = Math.min(last, part.first + part.bytes.length)
      if (low < high) {
        bytes.set(part.bytes.subarray(low - part.first, high - part.first), low - first)
      }
    }
    return bytes.buffer
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
