/**
 * Bytes that were verified, kept for readers without a network. The cache is named by the release, so that no bytes of
 * another one are shown; what is taken from it is verified again as if it came from the host.
 */

import { sha256 } from './sha256.js'

const PREFIX = 'atlas-data-'
/** @type {Promise<Cache | null> | undefined} */
let opened

function cache() {
  opened ??= open().catch(() => null) // A browser that keeps nothing needs the network.
  return opened
}

async function open() {
  if (!globalThis.caches) return null
  const index = document.getElementById('atlas-index')?.textContent ?? ''
  const name = PREFIX + sha256(new TextEncoder().encode(index)).slice(0, 16)
  for (const other of await caches.keys()) if (other.startsWith(PREFIX) && other !== name) await caches.delete(other)
  return caches.open(name)
}

const address = (url, first, length) => `${url}?bytes=${first}:${length}`

/**
 * Keep verified bytes of a file.
 * @param {string} url
 * @param {number} first as in the request
 * @param {number} length 0 for a whole file
 * @param {Uint8Array} bytes
 */
export async function keep(url, first, length, bytes) {
  try {
    await (await cache())?.put(address(url, first, length), new Response(/** @type {any} */ (bytes.slice())))
  } catch {
    // No space is left: then the network is needed.
  }
}

/**
 * Bytes that were kept; null where there are none.
 * @param {string} url
 * @param {number} first
 * @param {number} length
 */
export async function keptBytes(url, first, length) {
  const found = await (await cache())?.match(address(url, first, length))
  return found ? new Uint8Array(await found.arrayBuffer()) : null
}
