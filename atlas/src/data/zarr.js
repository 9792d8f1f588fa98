/**
 * Arrays, by zarrita, which takes CRC-32C's off without looking at them: the codec registered here looks. Metadata is
 * compared with the index's SHA-256. All chunks of a release are there, so one that is not is an error, no fill value.
 */

import { decompress } from 'fzstd'
import { get, open, registry, root, slice } from 'zarrita'
import { crc32c } from './crc.js'
import { DataFault, dataFault } from './faults.js'
import { count, fetchRange } from './http.js'
import { dataRoot, dataset, document_ } from './release.js'

const BYTES = 4

/** Takes the checksum off and compares it. */
export class VerifyingCrc32c {
  kind = /** @type {const} */ ('bytes_to_bytes')

  static fromConfig() {
    return new VerifyingCrc32c()
  }

  /** @returns {never} */
  encode() {
    throw new Error('the atlas does not write')
  }

  /** @param {Uint8Array} bytes */
  decode(bytes) {
    const content = bytes.subarray(0, bytes.length - BYTES)
    const stated = new DataView(bytes.buffer, bytes.byteOffset + content.length, BYTES).getUint32(0, true)
    if (bytes.length < BYTES || crc32c(content) !== stated) throw new DataFault('damaged', '', 'CRC-32C')
    count({ checked: 1 })
    return content
  }

  /** @param {number} size */
  computeEncodedSize(size) {
    return size + BYTES
  }
}

class Zstd {
  kind = /** @type {const} */ ('bytes_to_bytes')

  static fromConfig() {
    return new Zstd()
  }

  /** @returns {never} */
  encode() {
    throw new Error('the atlas does not write')
  }

  /** @param {Uint8Array} bytes */
  decode(bytes) {
    return decompress(bytes)
  }
}

registry.set('crc32c', async () => /** @type {any} */ (VerifyingCrc32c))
registry.set('zstd', async () => /** @type {any} */ (Zstd))

const KEPT = 256
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
  if (!arrays.has(url)) {
    const opened = VerifiedArray.open(url, entry)
    arrays.set(url, opened)
    opened.catch(() => arrays.delete(url))
  }
  return arrays.get(url)
}

/** An array whose chunks are verified as they are read; a few are kept. */
export class VerifiedArray {
  /**
   * @param {string} url
   * @param {import('./release.js').ArrayEntry} entry
   */
  static async open(url, entry) {
    const store = new ShardStore(url, entry)
    const array = await open.v3(root(/** @type {any} */ (store)), { kind: 'array' })
    return new VerifiedArray(url, array, store)
  }

  /**
   * @param {string} url
   * @param {any} array
   * @param {ShardStore} store
   */
  constructor(url, array, store) {
    this.url = url
    this.array = array
    this.store = store
    /** @type {number[]} */
    this.shape = array.shape
  }

  /**
   * The part that a selection names: an index, [first, last) or null for all, one for each axis.
   * @param {(number | [number, number] | null)[]} selection
   * @returns {Promise<any>} a value, or `{data, shape}`
   */
  async read(selection) {
    const wanted = selection.map(axis => (Array.isArray(axis) ? slice(...axis) : axis))
    try {
      return await get(this.array, wanted)
    } catch (error) {
      this.store.forget()
      const fault = dataFault(error)
      if (fault && fault.kind !== 'damaged') throw fault
      throw new DataFault('damaged', `${this.url} [${selection}]`, fault?.detail ?? String(error))
    }
  }

  /**
   * One cell of an array with one axis, as a number.
   * @param {number} index
   */
  async at(index) {
    return Number(await this.read([index]))
  }
}

/**
 * What zarrita reads from: the metadata, compared with the index, and ranges of shards.
 */
class ShardStore {
  /**
   * @param {string} url
   * @param {import('./release.js').ArrayEntry} entry
   */
  constructor(url, entry) {
    this.url = url
    this.entry = entry
    /** @type {Map<string, Promise<Uint8Array>>} */
    this.kept = new Map()
  }

  /** @param {string} key */
  async get(key) {
    if (key !== '/zarr.json') throw new DataFault('missing', `${this.url}${key}`, 'not sharded')
    const bytes = await document_(`${this.url}${key}`, this.entry.sha256)
    requireChecksums(JSON.parse(new TextDecoder().decode(bytes)), this.url)
    return bytes
  }

  /**
   * @param {string} key
   * @param {{offset: number, length: number} | {suffixLength: number}} range
   */
  getRange(key, range) {
    const [first, length] = 'suffixLength' in range ? [-1, range.suffixLength] : [range.offset, range.length]
    const name = `${key} ${first} ${length}`
    const found = this.kept.get(name) ?? fetchRange(`${this.url}${key}`, first, length)
    this.kept.delete(name)
    this.kept.set(name, found)
    found.catch(() => this.kept.delete(name))
    if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value ?? '')
    return found
  }

  forget() {
    this.kept.clear()
  }
}

/**
 * Refuse an array whose chunks, or whose lists of chunks, carry no checksum.
 * @param {any} metadata
 * @param {string} url
 */
function requireChecksums(metadata, url) {
  const [outer, ...more] = metadata.codecs
  const last = codecs => codecs?.at(-1)?.name === 'crc32c'
  const checked = !more.length && outer.name === 'sharding_indexed'
    && last(outer.configuration.codecs) && last(outer.configuration.index_codecs)
  if (!checked) throw new DataFault('damaged', url, 'its chunks carry no CRC-32C')
}
