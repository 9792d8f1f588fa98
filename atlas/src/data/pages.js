/**
 * The pages of a Parquet column chunk, each compared with its CRC-32 before hyparquet, which ignores it, decodes them.
 *
 * The CRC covers a page's bytes and not its header. The headers are bound by the footer, whose SHA-256 the index has:
 * pages tile the chunk exactly, their sizes with headers and values add up to its own, and their kinds and encodings are
 * those that its `encoding_stats` count. So no bit that decides a value can be flipped unseen.
 */

import { parquetHeader } from 'hyparquet/src/column.js'
import { crc32 } from './crc.js'
import { DataFault } from './faults.js'
import { count } from './http.js'

const LEVELS = new Set(['RLE', undefined])

/**
 * @param {Uint8Array} bytes of the column chunk
 * @param {import('hyparquet').ColumnMetaData} column its metadata, from a verified footer
 * @param {string} where for the message
 */
export function verifyPages(bytes, column, where) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const seen = { values: 0, uncompressed: 0, kinds: new Map() }
  for (let at = 0; at < bytes.length; ) at = verifyPage(view, at, seen, where)
  const wanted = new Map((column.encoding_stats ?? []).map(one => [`${one.page_type} ${one.encoding}`, Number(one.count)]))
  const same = wanted.size === seen.kinds.size && [...wanted].every(([kind, times]) => seen.kinds.get(kind) === times)
  if (!same || BigInt(seen.values) !== BigInt(column.num_values) ||
      BigInt(seen.uncompressed) !== BigInt(column.total_uncompressed_size)) {
    throw new DataFault('damaged', where, 'pages that its footer does not tell of')
  }
}

/**
 * @param {DataView} view
 * @param {number} at
 * @param {{values: number, uncompressed: number, kinds: Map<string, number>}} seen
 * @param {string} where
 * @returns {number} where the next page begins
 */
function verifyPage(view, at, seen, where) {
  const reader = { view, offset: at }
  const header = headerAt(reader, where)
  const size = Number(header.compressed_page_size)
  const end = reader.offset + size
  if (!(size >= 0) || end > view.byteLength) throw new DataFault('damaged', where, 'a page that runs over its end')
  const content = new Uint8Array(view.buffer, view.byteOffset + reader.offset, size)
  if (header.crc === undefined || crc32(content) !== header.crc >>> 0) {
    throw new DataFault('damaged', where, header.crc === undefined ? 'a page without CRC-32' : 'CRC-32')
  }
  const data = header.data_page_header
  if (data && !(LEVELS.has(data.definition_level_encoding) && LEVELS.has(data.repetition_level_encoding))) {
    throw new DataFault('damaged', where, 'the levels of a page')
  }
  const encoding = (data ?? header.dictionary_page_header)?.encoding
  if (!encoding) throw new DataFault('damaged', where, `a page of the kind ${header.type}`)
  const kind = `${header.type} ${encoding}`
  seen.kinds.set(kind, (seen.kinds.get(kind) ?? 0) + 1)
  seen.values += data ? Number(data.num_values) : 0
  seen.uncompressed += reader.offset - at + Number(header.uncompressed_page_size)
  count({ checked: 1 })
  return end
}

/**
 * @param {{view: DataView, offset: number}} reader
 * @param {string} where
 */
function headerAt(reader, where) {
  try {
    return parquetHeader(reader)
  } catch (cause) {
    throw new DataFault('damaged', where, `a page's header: ${cause}`)
  }
}
