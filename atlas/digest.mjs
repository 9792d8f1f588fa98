/**
 * Computes the content digests of published datasets anew and compares them with what COMPLETE says: a checker that
 * shares no code, no language and no reader of files with the program that wrote them. It follows docs/digest.md alone.
 *
 *     node atlas/digest.mjs RELEASE/klotski RELEASE/solitaire
 *
 * Packages: hyparquet, which reads Parquet, and fzstd (`npm ci` in this folder).
 */

import { decompress } from 'fzstd'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

const LANES = [0x9e3779b97f4a7c15n, 0xc2b2ae3d27d4eb4fn]
const NOWHERE = 0xffffffffffffffffn
const CRC = 4
const TYPES = {
  bool: Uint8Array, int8: Int8Array, int16: Int16Array, int32: Int32Array, int64: BigInt64Array,
  uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, uint64: BigUint64Array, float32: Float32Array, float64: Float64Array,
}
const compressors = { ZSTD: (bytes, size) => decompress(bytes, new Uint8Array(size)) }

/** @param {bigint} value */
const word = value => BigInt.asUintN(64, value)

// BLAKE2b of RFC 7693, without a key, for a digest of eight bytes.

const IV = [0x6a09e667f3bcc908n, 0xbb67ae8584caa73bn, 0x3c6ef372fe94f82bn, 0xa54ff53a5f1d36f1n, 0x510e527fade682d1n, 0x9b05688c2b3e6c1fn, 0x1f83d9abfb41bd6bn, 0x5be0cd19137e2179n]
const SIGMA = ['0123456789abcdef', 'ea489fd61c02b753', 'b8c052fdae367194', '7931dcbe265a40f8', '905724afe1bc683d', '2c6a0b834d75fe19', 'c51fed4a0763928b', 'db7ec13950f4862a', '6fe9b308c2d714a5', 'a2847615fb9e3cd0', '0123456789abcdef', 'ea489fd61c02b753']
  .map(row => Array.from(row, digit => parseInt(digit, 16)))
const MIXED = [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15], [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]]
const BLOCK = 128

/** The eight bytes as a little-endian number. @param {string} text */
function blake2b8(text) {
  const bytes = new TextEncoder().encode(text)
  const state = [...IV]
  state[0] ^= 0x01010008n
  const blocks = Math.max(1, Math.ceil(bytes.length / BLOCK))
  for (let block = 0; block < blocks; block++) {
    const padded = new Uint8Array(BLOCK)
    padded.set(bytes.subarray(block * BLOCK, (block + 1) * BLOCK))
    compress(state, new BigUint64Array(padded.buffer), BigInt(Math.min(bytes.length, (block + 1) * BLOCK)), block === blocks - 1)
  }
  return state[0]
}

function compress(state, message, length, last) {
  const v = [...state, ...IV]
  v[12] ^= length
  if (last) v[14] = word(~v[14])
  for (const order of SIGMA) {
    MIXED.forEach(([a, b, c, d], step) => {
      for (const [number, far, near] of [[order[2 * step], 32n, 24n], [order[2 * step + 1], 16n, 63n]]) {
        v[a] = word(v[a] + v[b] + message[number])
        v[d] = turned(v[d] ^ v[a], far)
        v[c] = word(v[c] + v[d])
        v[b] = turned(v[b] ^ v[c], near)
      }
    })
  }
  for (let i = 0; i < 8; i++) state[i] ^= v[i] ^ v[i + 8]
}

const turned = (value, by) => word((value >> by) | (value << (64n - by)))

// Words of values, and digests of rows.

const hashes = new Map()

/** The word of what is no number, by its text. @param {string} text */
function hashed(text) {
  const found = hashes.get(text) ?? blake2b8(text)
  hashes.set(text, found)
  return found
}

/** A text in quotes, as docs/digest.md has it. @param {string} text */
function quoted(text) {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const inside = Array.from(text, character => {
    const code = character.codePointAt(0) ?? 0
    const short = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t', [quote]: `\\${quote}` }[character]
    if (short) return short
    if (character === ' ' || !/[\p{C}\p{Z}]/u.test(character)) return character
    if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`
    return code <= 0xffff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`
  })
  return quote + inside.join('') + quote
}

const double = new DataView(new ArrayBuffer(8))

/** The word of a number of a kind. @param {'float' | 'integer'} kind */
function numberWord(value, kind) {
  if (kind === 'integer') return word(BigInt(value))
  double.setFloat64(0, Number(value))
  return double.getBigUint64(0)
}

/** The sum of the rows of a table or cells of an array, in two lanes. */
class Sum {
  /** @param {string[]} columns */
  constructor(columns) {
    this.multipliers = LANES.map(lane => columns.map(column => blake2b8(`${lane} ${column}`) | 1n))
    this.lanes = LANES.map(() => 0n)
    this.rows = 0
  }

  /** Add a row, by the words of its columns. @param {bigint[]} words */
  add(words) {
    LANES.forEach((lane, at) => {
      let total = lane
      for (let column = 0; column < words.length; column++) total += words[column] * this.multipliers[at][column]
      this.lanes[at] += mixed(word(total))
    })
    this.rows++
  }

  get digest() {
    return this.lanes.map(lane => word(lane).toString(16).padStart(16, '0')).join('')
  }
}

function mixed(value) {
  value = word((value ^ (value >> 30n)) * 0xbf58476d1ce4e5b9n)
  value = word((value ^ (value >> 27n)) * 0x94d049bb133111ebn)
  return value ^ (value >> 31n)
}

// Tables.

/** The rows of a table and their digest. @param {string[]} files */
async function tableContent(files) {
  let sum
  for (const name of files) {
    const file = await asyncBufferFromFile(name)
    const metadata = await parquetMetadataAsync(file)
    const columns = columnsOf(metadata.schema)
    sum ??= new Sum(columns.map(column => column.name))
    let rowStart = 0
    for (const group of metadata.row_groups) {
      const rowEnd = rowStart + Number(group.num_rows)
      const rows = await parquetReadObjects({ file, metadata, rowStart, rowEnd, compressors })
      for (const row of rows) sum.add(columns.map(column => column.word(row[column.name])))
      rowStart = rowEnd
    }
  }
  return { rows: sum.rows, digest: sum.digest }
}

/** The columns of a Parquet schema, each with what makes words of its values. */
function columnsOf(schema) {
  const columns = []
  for (let at = 1; at < schema.length; at++) {
    const element = schema[at]
    columns.push({ name: element.name, word: wordOf(element) })
    for (let inside = element.num_children ?? 0; inside; inside--) inside += schema[++at].num_children ?? 0
  }
  return columns
}

function wordOf(element) {
  const whole = element.logical_type?.type === 'INTEGER' ? element.logical_type : null
  const bits = whole && !whole.isSigned ? whole.bitWidth : 0
  const kind = ['INT32', 'INT64'].includes(element.type) ? 'integer' : ['FLOAT', 'DOUBLE'].includes(element.type) ? 'float' : ''
  return value => {
    if (value === null || value === undefined) return hashed('None')
    if (typeof value === 'boolean') return value ? 1n : 0n
    if (kind === 'integer') return bits ? BigInt.asUintN(bits, BigInt(value)) : word(BigInt(value))
    if (kind === 'float') return numberWord(value, kind)
    if (typeof value === 'string') return hashed(quoted(value))
    if (Array.isArray(value)) return hashed(`[${value.map(one => (typeof one === 'string' ? quoted(one) : one)).join(', ')}]`)
    throw new Error(`the column ${element.name} has values of a kind that docs/digest.md does not know`)
  }
}

// Arrays.

/** The digest of a Zarr array's cells. @param {string} folder */
async function arrayContent(folder) {
  const metadata = JSON.parse(await readFile(join(folder, 'zarr.json'), 'utf8'))
  const { shape, data_type: type, chunk_grid: { configuration: { chunk_shape: shard } }, codecs: [{ configuration: { chunk_shape: chunk } }] } = metadata
  const kind = type.startsWith('float') ? 'float' : 'integer'
  const sum = new Sum(['index', 'value'])
  for (const place of places(shape.map((length, axis) => Math.ceil(length / shard[axis])))) {
    const content = await readFile(join(folder, 'c', ...place.map(String)))
    const start = place.map((at, axis) => at * shard[axis])
    for (const { first, values } of chunksOf(content, shard, chunk, TYPES[type], metadata.fill_value)) {
      const corner = start.map((at, axis) => at + first[axis])
      places(chunk).forEach((inside, number) => {
        const cell = corner.map((at, axis) => at + inside[axis])
        if (cell.every((at, axis) => at < shape[axis])) {
          sum.add([cell.reduce((flat, at, axis) => flat * BigInt(shape[axis]) + BigInt(at), 0n), numberWord(values[number], kind)])
        }
      })
    }
  }
  return { rows: 0, digest: sum.digest }
}

/** The chunks of a shard: where each begins in it, and its values. */
function chunksOf(content, shard, chunk, Values, fill) {
  const counts = shard.map((length, axis) => length / chunk[axis])
  const size = chunk.reduce((product, length) => product * length, 1)
  const list = content.length - CRC - 16 * counts.reduce((product, count) => product * count, 1)
  return places(counts).map((place, number) => {
    const offset = content.readBigUInt64LE(list + 16 * number)
    const length = content.readBigUInt64LE(list + 16 * number + 8)
    const first = place.map((at, axis) => at * chunk[axis])
    if (offset === NOWHERE) return { first, values: new Values(size).fill(fill) }
    const packed = content.subarray(Number(offset), Number(offset + length) - CRC)
    const bytes = decompress(packed, new Uint8Array(size * Values.BYTES_PER_ELEMENT))
    return { first, values: new Values(bytes.buffer, bytes.byteOffset, size) }
  })
}

/** All places of a grid, in C order. @param {number[]} grid @returns {number[][]} */
function places(grid) {
  return grid.reduce((found, length) => found.flatMap(place => Array.from({ length }, (_, at) => [...place, at])), /** @type {number[][]} */ ([[]]))
}

// A dataset.

/** Compare a dataset with its COMPLETE; the lines that tell, and whether all is equal. @param {string} folder */
async function check(folder) {
  const text = await readFile(join(folder, 'COMPLETE'), 'utf8')
  const { check: sum, record } = JSON.parse(text)
  const canonical = text.slice(text.indexOf('"record":') + '"record":'.length, text.lastIndexOf('}'))
  if (createHash('sha256').update(canonical).digest('hex') !== sum) throw new Error(`${folder}/COMPLETE: torn or altered`)
  const names = await readdir(folder, { recursive: true })
  let equal = true
  const compare = (name, said, found) => {
    const same = said.digest === found.digest && said.rows === found.rows
    equal &&= same
    process.stdout.write(`${folder} ${name}: ${found.digest}${same ? '' : `, and COMPLETE says ${said.digest} of ${said.rows} rows`}\n`)
  }
  for (const [table, said] of Object.entries(record.tables)) {
    const files = names.filter(name => name === `${table}.parquet` || (name.startsWith(`${table}/`) && name.endsWith('.parquet'))).sort()
    compare(table, said, await tableContent(files.map(name => join(folder, name))))
  }
  for (const [path, said] of Object.entries(record.arrays)) compare(`arrays.zarr/${path}`, said, await arrayContent(join(folder, 'arrays.zarr', path)))
  return equal
}

let equal = true
for (const folder of process.argv.slice(2)) equal = (await check(folder)) && equal
process.exitCode = equal && process.argv.length > 2 ? 0 : 1
