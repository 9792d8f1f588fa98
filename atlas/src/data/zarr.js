/**
 * Sharded Zarr arrays, read by chunks. A shard is a file: its chunks, and at its end a list of where they lie, each with a
 * CRC-32C that is compared before anything is decoded. Where the index of the release holds the list, that one is read
 * instead. All chunks of a release are there, so one that is not is an error, no fill value.
 */

import { decompress } from './zstd.js'
import { crc32c } from './crc.js'
import { DataFault, dataFault } from './faults.js'
import { count, fetchRange } from './http.js'
import { keep } from './kept.js'
import { dataRoot, dataset } from './release.js'

const CRC = 4
const LIST_ENTRY = 16
const KEPT = 128
const ABSENT = 2n ** 64n - 1n
const TYPES = {
  bool: Uint8Array, int8: Int8Array, int16: Int16Array, int32: Int32Array, int64: BigInt64Array,
  uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, uint64: BigUint64Array, float32: Float32Array, float64: Float64Array,
}
const arrays = new Map()

/**
 * An array of a dataset, opened for reading; null where the release has none of that name.
 * @param {string} name the dataset
 * @param {string} path below `arrays.zarr`, such as `covers/2`
 * @returns {Promise<VerifiedArray | null>}
 */
export async function openArray(name, path) {
  const entry = await (await dataset(name)).array(`arrays.zarr/${path}`)
  if (!entry) return null
  const url = `${dataRoot()}${name}/${entry.path}`
  if (!arrays.has(url)) arrays.set(url, new VerifiedArray(url, entry))
  return arrays.get(url)
}

/** An array whose chunks are verified as they are read; a few are kept. */
export class VerifiedArray {
  /**
   * @param {string} url
   * @param {import('./release.js').ArrayEntry} entry
   */
  constructor(url, entry) {
    requireChecksums(entry, url)
    this.url = url
    this.entry = entry
    this.shape = entry.shape
    /** Chunks to a shard, along each axis. */
    this.many = entry.shard.map((length, axis) => length / entry.chunk[axis])
    /** @type {Map<string, Promise<any>>} */
    this.lists = new Map()
    /** @type {Map<string, Promise<any>>} */
    this.chunks = new Map()
  }

  /**
   * The part that a selection names: [first, last) or null for all, one for each axis.
   * @param {([number, number] | null)[]} selection
   * @returns {Promise<any>} its values in order, as a typed array
   */
  async read(selection) {
    const ends = selection.map((axis, at) => axis ?? [0, this.shape[at]])
    const found = new TYPES[this.entry.type](product(ends.map(([first, last]) => last - first)))
    const wanted = ends.map(([first, last], axis) => range(Math.floor(first / this.entry.chunk[axis]), Math.ceil(last / this.entry.chunk[axis])))
    await Promise.all(combinations(wanted).map(async place => copy(await this.chunk(place), this.entry.chunk, place, found, ends)))
    return found
  }

  /**
   * One cell of an array with one axis.
   * @param {number} index
   * @returns {Promise<number | bigint>}
   */
  async at(index) {
    const [length] = this.entry.chunk
    return (await this.chunk([Math.floor(index / length)]))[index % length]
  }

  /**
   * The values of a chunk.
   * @param {number[]} place its number along each axis
   */
  chunk(place) {
    return kept(this.chunks, place.join('/'), async () => {
      try {
        return await this.fetchChunk(place)
      } catch (error) {
        const fault = dataFault(error)
        if (fault && fault.kind !== 'damaged') throw fault
        throw new DataFault('damaged', fault?.where || `${this.url} chunk ${place.join('/')}`, fault?.detail ?? String(error))
      }
    })
  }

  /** @param {number[]} place */
  async fetchChunk(place) {
    const shard = place.map((at, axis) => Math.floor(at / this.many[axis]))
    const inside = place.reduce((number, at, axis) => number * this.many[axis] + at % this.many[axis], 0)
    const key = `${this.url}/c/${shard.join('/')}`
    const { offset, length } = await this.where(shard, key, inside)
    const content = await verified(key, offset, length)
    const bytes = this.entry.codecs.includes('zstd') ? decompress(content) : content
    return new TYPES[this.entry.type](bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
  }

  /**
   * Where a chunk lies in its shard.
   * @param {number[]} shard
   * @param {string} key the shard's address
   * @param {number} inside the number of the chunk in the shard
   */
  async where(shard, key, inside) {
    const lengths = shard.length === 1 ? await this.entry.lengths?.(shard[0]) : null
    if (lengths) return { offset: lengths.slice(0, inside).reduce((sum, length) => sum + length, 0), length: lengths[inside] }
    const list = await kept(this.lists, key, () => verified(key, -1, product(this.many) * LIST_ENTRY + CRC))
    const view = new DataView(list.buffer, list.byteOffset, list.byteLength)
    const offset = view.getBigUint64(inside * LIST_ENTRY, true)
    if (offset === ABSENT) throw new DataFault('missing', key, `chunk ${inside}`)
    return { offset: Number(offset), length: Number(view.getBigUint64(inside * LIST_ENTRY + 8, true)) }
  }
}

/** Bytes of a shard without the CRC-32C at their end, once it was compared. @returns {Promise<Uint8Array>} */
async function verified(key, first, length) {
  const bytes = await fetchRange(key, first, length)
  const content = bytes.subarray(0, Math.max(0, bytes.length - CRC))
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < CRC || crc32c(content) !== view.getUint32(content.length, true)) throw new DataFault('damaged', '', 'CRC-32C')
  count({ checked: 1 })
  keep(key, first, length, bytes)
  return content
}

/**
 * Refuse an array that is read otherwise than here, or whose chunks, or whose lists of chunks, carry no checksum.
 * @param {import('./release.js').ArrayEntry} entry
 * @param {string} url
 */
function requireChecksums({ codecs, listCodecs, type }, url) {
  if (!['bytes,crc32c', 'bytes,zstd,crc32c'].includes(codecs.join()) || listCodecs.join() !== 'bytes,crc32c' || !(type in TYPES)) {
    throw new DataFault('damaged', url, 'its chunks carry no CRC-32C, or are of a kind that the atlas does not read')
  }
}

/** What is kept under a name, else made and kept; a promise that fails is forgotten, and the oldest beyond a few. */
function kept(store, name, make) {
  const found = store.get(name) ?? make()
  store.delete(name)
  store.set(name, found)
  found.catch(() => store.delete(name))
  if (store.size > KEPT) store.delete(store.keys().next().value)
  return found
}

const product = lengths => lengths.reduce((all, length) => all * length, 1)
const range = (first, last) => Array.from({ length: last - first }, (_, at) => first + at)
const combinations = axes => axes.reduce((all, axis) => all.flatMap(start => axis.map(at => [...start, at])), [[]])

/** Copy what of a chunk lies within the ends. */
function copy(values, chunk, place, found, ends) {
  const last = chunk.length - 1
  const walk = (axis, from, to) => {
    const [first, end] = ends[axis]
    const low = Math.max(first, place[axis] * chunk[axis])
    const high = Math.min(end, (place[axis] + 1) * chunk[axis])
    const source = from * chunk[axis] + low - place[axis] * chunk[axis]
    const target = to * (end - first) + low - first
    if (axis === last) found.set(values.subarray(source, source + high - low), target)
    else for (let at = 0; at < high - low; at++) walk(axis + 1, source + at, target + at)
  }
  walk(0, 0, 0)
}
