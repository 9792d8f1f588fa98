/**
 * Bytes from the host. A request for a part that is not answered with exactly that part is an error: some hosts ignore
 * ranges and send the whole file.
 */

import { DataFault } from './faults.js'
import { keptBytes } from './kept.js'

/** What was fetched since the page was opened; pages show it, tests measure it. */
export const traffic = { requests: 0, bytes: 0, checked: 0, faults: 0 }

const listeners = new Set()

/** @param {() => void} listener called after each request and each check */
export function onTraffic(listener) {
  listeners.add(listener)
}

/** @param {Partial<typeof traffic>} more */
export function count(more) {
  for (const [name, by] of Object.entries(more)) traffic[name] += by
  for (const listener of listeners) listener()
}

/**
 * A whole file.
 * @param {string} url
 * @returns {Promise<Uint8Array>}
 */
export async function fetchWhole(url) {
  return fetched(url).catch(error => instead(error, url, 0, 0))
}

/** @param {string} url */
async function fetched(url) {
  const response = await answer(url, {})
  if (response.status !== 200) throw refused(response, url)
  return body(response, url)
}

/**
 * Bytes [first, first + length) of a file, or its last `length` where `first` is negative.
 * @param {string} url
 * @param {number} first
 * @param {number} length
 * @returns {Promise<Uint8Array>}
 */
export async function fetchRange(url, first, length) {
  return fetchedRange(url, first, length).catch(error => instead(error, url, first, length))
}

/** Bytes that were kept, where there is no network. */
async function instead(error, url, first, length) {
  const found = error instanceof DataFault && error.kind === 'network' ? await keptBytes(url, first, length) : null
  if (!found) throw error
  return found
}

/**
 * Parts of files that were asked for since the last microtask.
 * @type {{url: string, first: number, length: number, settle: (bytes: Promise<Uint8Array>) => void}[]}
 */
const waiting = []

/** A part of a file. Parts that touch and are asked for at once, such as columns of a table, come by one request. */
function fetchedRange(url, first, length) {
  if (!waiting.length) queueMicrotask(fetchWaiting)
  return new Promise(settle => waiting.push({ url, first, length, settle }))
}

function fetchWaiting() {
  /** @type {(typeof waiting)[]} */
  const runs = []
  let end = 0
  for (const part of waiting.splice(0).sort((a, b) => a.url.localeCompare(b.url) || a.first - b.first)) {
    const run = runs.at(-1)
    if (end && run?.[0].url === part.url && part.first === end) run.push(part) // end is 0 after the last bytes of a file
    else runs.push([part])
    end = part.first + part.length
  }
  for (const run of runs) {
    const [{ url, first }] = run
    const bytes = oneRange(url, first, run.reduce((sum, part) => sum + part.length, 0))
    for (const part of run) part.settle(bytes.then(all => all.slice(part.first - first, part.first - first + part.length)))
  }
}

async function oneRange(url, first, length) {
  const range = first < 0 ? `bytes=-${length}` : `bytes=${first}-${first + length - 1}`
  const stop = new AbortController()
  const response = await answer(url, { headers: { Range: range }, signal: stop.signal })
  if (response.status === 200) {
    stop.abort()
    throw new DataFault('no-ranges', url)
  }
  if (response.status !== 206) throw refused(response, url)
  const bytes = await body(response, url)
  if (bytes.length !== length) {
    throw new DataFault('damaged', url, `${bytes.length} bytes came where ${length} were asked for`)
  }
  return bytes
}

/**
 * @param {string} url
 * @param {RequestInit} options
 */
async function answer(url, options) {
  try {
    return await fetch(url, { ...options, credentials: 'same-origin' })
  } catch (cause) {
    throw new DataFault('network', url, String(cause))
  }
}

/**
 * @param {Response} response
 * @param {string} url
 */
async function body(response, url) {
  try {
    const bytes = new Uint8Array(await response.arrayBuffer())
    count({ requests: 1, bytes: bytes.length })
    return bytes
  } catch (cause) {
    throw new DataFault('network', url, String(cause))
  }
}

/**
 * @param {Response} response
 * @param {string} url
 */
function refused(response, url) {
  if (response.status === 404) return new DataFault('missing', url)
  if (response.status === 416) return new DataFault('damaged', url, 'shorter than its index says')
  return new DataFault('status', url, String(response.status))
}
