/**
 * The release: what the index says of its datasets. The page itself holds the digest of the index, the index those of
 * the datasets' indexes, these those of the files.
 */

import { DataFault } from './faults.js'
import { count, fetchWhole } from './http.js'
import { sha256 } from './sha256.js'

/**
 * @typedef {{path: string, bytes: number, sha256: string}} Archive
 * @typedef {{name: string, title: string, description: string, version: string, files: number, bytes: number,
 *   archive: Archive | null, index: {bytes: number, sha256: string}}} DatasetEntry
 * @typedef {{path: string, bytes: number, sha256: string, rows: number, footerBytes: number, footerSha256: string,
 *   first: any, last: any, others: [any, any][]}} TableFile
 * @typedef {{name: string, description: string, key: string[], values: any[] | null, files: TableFile[]}} TableEntry
 * @typedef {{path: string, bytes: number, sha256: string, shape: number[], type: string, size: number}} ArrayEntry
 * @typedef {{name: string, documents: Map<string, {bytes: number, sha256: string}>, tables: Map<string, TableEntry>,
 *   array: (path: string) => Promise<ArrayEntry | undefined>, arrays: () => Promise<Map<string, ArrayEntry>>,
 *   listing: () => Promise<[string, number, string][]>}} Dataset
 */

const meta = name => document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? ''
const text = new TextDecoder()
const datasets = new Map()
let entries

/** Where the datasets lie, with a slash at the end. */
export const dataRoot = () => new URL(meta('atlas-data'), document.baseURI).href

/**
 * The datasets of the release, in the order of their names.
 * @returns {Promise<DatasetEntry[]>}
 */
export function release() {
  entries ??= kept(async () => {
    const found = await document_(new URL('atlas/index.json', document.baseURI).href, meta('atlas-index'))
    return JSON.parse(text.decode(found)).datasets
  }, () => (entries = undefined))
  return entries
}

/**
 * @param {string} name
 * @returns {Promise<Dataset>}
 */
export function dataset(name) {
  if (!datasets.has(name)) datasets.set(name, kept(() => load(name), () => datasets.delete(name)))
  return datasets.get(name)
}

/**
 * A document of a dataset, such as its card, verified.
 * @param {string} name the dataset
 * @param {string} path
 */
export async function documentText(name, path) {
  const found = (await dataset(name)).documents.get(path)
  if (!found) throw new DataFault('missing', `${name}/${path}`)
  return text.decode(await document_(`${dataRoot()}${name}/${path}`, found.sha256))
}

/**
 * A whole file whose SHA-256 is known.
 * @param {string} url
 * @param {string} digest
 */
export async function document_(url, digest) {
  const bytes = await fetchWhole(url)
  const found = sha256(bytes)
  if (found !== digest) throw new DataFault('damaged', url, `SHA-256 ${found} instead of ${digest}`)
  count({ checked: 1 })
  return bytes
}

/** @param {string} name */
async function load(name) {
  const entry = (await release()).find(one => one.name === name)
  if (!entry) throw new DataFault('missing', name)
  const url = new URL(`atlas/${name}.json`, document.baseURI).href
  const found = JSON.parse(text.decode(await document_(url, entry.index.sha256)))
  /** @type {(() => Promise<Map<string, ArrayEntry>>)[]} */
  const parts = found.arrays.map((one, at) => part(`${name}.arrays.${at}.json`, one.sha256, value =>
    new Map(Object.entries(value).map(([path, array]) => [path, arrayEntry(path, array)]))))
  return {
    name,
    documents: new Map(Object.entries(found.documents).map(([path, [bytes, digest]]) => [path, { bytes, sha256: digest }])),
    tables: new Map(Object.entries(found.tables).map(([table, value]) => [table, tableEntry(table, value)])),
    array: async path => {
      const at = found.arrays.findLastIndex(one => one.first <= path)
      return at < 0 ? undefined : (await parts[at]()).get(path)
    },
    arrays: async () => new Map((await Promise.all(parts.map(read => read()))).flatMap(one => [...one])),
    listing: part(`${name}.listing.json`, found.listing.sha256, value => value),
  }
}

/**
 * A part of a dataset's index, read when it is first asked for.
 * @template T
 * @param {string} file
 * @param {string} digest
 * @param {(value: any) => T} make
 */
function part(file, digest, make) {
  /** @type {Promise<T> | undefined} */
  let made
  return () => {
    made ??= kept(async () => make(JSON.parse(text.decode(await document_(new URL(`atlas/${file}`, document.baseURI).href, digest)))),
      () => (made = undefined))
    return made
  }
}

/**
 * @param {string} name
 * @param {any} value
 * @returns {TableEntry}
 */
function tableEntry(name, value) {
  const files = value.files.map(([path, bytes, digest, rows, footerBytes, footerSha256, first, last, others]) => ({
    path, bytes, sha256: digest, rows, footerBytes, footerSha256, first, last, others,
  }))
  return { name, description: value.description, key: value.key, values: value.values, files }
}

/**
 * @param {string} path
 * @param {any} value
 * @returns {ArrayEntry}
 */
function arrayEntry(path, [bytes, digest, shape, type, size]) {
  return { path, bytes, sha256: digest, shape, type, size }
}

/**
 * A promise that is forgotten where it fails, so that a reader can try again.
 * @template T
 * @param {() => Promise<T>} make
 * @param {() => void} forget
 */
function kept(make, forget) {
  const promise = make()
  promise.catch(forget)
  return promise
}
