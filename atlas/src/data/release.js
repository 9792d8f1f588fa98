/**
 * The release: what the index says of its datasets. The page itself holds the digests of the datasets' indexes, and these
 * those of the files.
 */

import { DataFault } from './faults.js'
import { count, fetchWhole } from './http.js'
import { keep } from './kept.js'
import { sha256 } from './sha256.js'

/**
 * @typedef {{path: string, bytes: number, sha256: string}} Archive
 * @typedef {{name: string, title: string, description: string, version: string, files: number, bytes: number,
 *   games: string[], archive: Archive | null, index: {bytes: number, sha256: string}}} DatasetEntry
 * @typedef {{path: string, bytes: number, sha256: string, rows: number, footerBytes: number, footerSha256: string,
 *   first: any, last: any, others: [any, any][]}} TableFile
 * @typedef {{name: string, description: string, key: string[], values: any[] | null, files: TableFile[]}} TableEntry
 * @typedef {{path: string, shape: number[], type: string, size: number, shard: number[], chunk: number[],
 *   codecs: string[], listCodecs: string[], lengths: ((shard: number) => Promise<number[] | null>) | null}} ArrayEntry
 * `lengths` gives the lengths of the chunks of a shard, where the index holds them.
 * @typedef {{name: string, documents: () => Promise<Record<string, [number, string]>>, tables: () => Promise<Map<string, TableEntry>>,
 *   table: (name: string) => Promise<TableEntry | undefined>, array: (path: string) => Promise<ArrayEntry | undefined>, arrays: () => Promise<Map<string, ArrayEntry>>,
 *   has: (table: string) => boolean, grounds: () => Promise<Record<string, [string, string]>>,
 *   listing: () => Promise<[string, number, string][]>, game: (number: number) => Promise<any>, drawn: (table: string) => Promise<{key: string[], svg: string}[]>}} Dataset
 * `documents` gives by path the size and the SHA-256 of each; `table` gives one of the `tables`, that of claims without reading of all;
 * `grounds` gives by table, and by family of arrays, why its rows are all there are, and what of the space it holds;
 * `game` gives positions of a puzzle to be played, of the entry's `games` that of a number;
 * `drawn` gives rows of a table as pictures, [] where the space draws none.
 */

const meta = name => document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? ''
const text = new TextDecoder()
const datasets = new Map()
/** @type {DatasetEntry[] | undefined} */
let entries

/** Where the datasets lie, with a slash at the end. */
export const dataRoot = () => new URL(meta('atlas-data'), document.baseURI).href

/**
 * The datasets of the release, in the order of their names.
 * @returns {DatasetEntry[]}
 */
export function release() {
  entries ??= JSON.parse(document.getElementById('atlas-index')?.textContent ?? '[]')
  return /** @type {DatasetEntry[]} */ (entries)
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
  const found = (await (await dataset(name)).documents())[path]
  if (!found) throw new DataFault('missing', `${name}/${path}`)
  return text.decode(await document_(`${dataRoot()}${name}/${path}`, found[1]))
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
  keep(url, 0, 0, bytes)
  return bytes
}

/** @param {string} name */
async function load(name) {
  const entry = release().find(one => one.name === name)
  if (!entry) throw new DataFault('missing', name)
  const url = new URL(`atlas/${name}.json`, document.baseURI).href
  const found = JSON.parse(text.decode(await document_(url, entry.index.sha256)))
  const lists = new Map(found.chunks.flatMap((group, at) => {
    const files = group.files.map((one, shard) => part(`${name}.chunks.${at}.${shard}.json`, one.sha256, value => value))
    return group.arrays.map(path => [path, async shard => lengthsIn((await files[shard]())[path])])
  }))
  const made = value => new Map(Object.entries(value).map(([path, array]) => [path, arrayEntry(path, array, lists.get(path) ?? null)]))
  const few = made(found.arrays)
  /** @type {(() => Promise<Map<string, ArrayEntry>>)[]} */
  const parts = found.parts.map((one, at) => part(`${name}.arrays.${at}.json`, one.sha256, made))
  const tables = part(`${name}.tables.json`, found.tables.sha256, value => new Map(Object.entries(value).map(([table, one]) => [table, tableEntry(table, one)])))
  const games = found.games.map((one, at) => part(`${name}.game.${at}.json`, one.sha256, value => value))
  return {
    name,
    documents: part(`${name}.documents.json`, found.documents.sha256, value => value),
    tables,
    table: async table => (table in found.tables.own ? tableEntry(table, found.tables.own[table]) : (await tables()).get(table)),
    array: async path => {
      const at = found.parts.findLastIndex(one => one.first <= path)
      return at < 0 ? few.get(path) : (await parts[at]()).get(path)
    },
    arrays: async () => new Map([...few, ...(await Promise.all(parts.map(read => read()))).flatMap(one => [...one])]),
    has: table => found.tables.names.includes(table),
    grounds: part(`${name}.grounds.json`, found.grounds.sha256, value => value),
    listing: part(`${name}.listing.json`, found.listing.sha256, value => value),
    game: number => games[number](),
    drawn: async table => (found.drawn[table] ? part(`${name}.drawn.${table}.json`, found.drawn[table].sha256, value => value)() : []),
  }
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Numbers of 18 bits from three planes of letters: the highest six bits of all, then the middle ones, then the lowest. @param {string | null} planes */
function lengthsIn(planes) {
  const many = (planes?.length ?? 0) / 3
  return planes && Array.from({ length: many }, (_, at) => [0, 1, 2].reduce((sum, plane) => 64 * sum + LETTERS.indexOf(planes[plane * many + at]), 0))
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
 * @param {ArrayEntry['lengths']} lengths
 * @returns {ArrayEntry}
 */
function arrayEntry(path, [shape, type, size, shard, chunk, codecs, listCodecs], lengths) {
  return { path, shape, type, size, shard, chunk, codecs, listCodecs, lengths }
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
