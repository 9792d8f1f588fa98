/** CRC-32 (of Parquet pages, as in gzip) and CRC-32C (of Zarr chunks): the same method, two polynomials. */

const BYTES = 4

/**
 * Eight tables for eight bytes a turn ("slicing by 8"), as one array of 8 x 256.
 * @param {number} polynomial with its bits reversed
 */
function tables(polynomial) {
  const table = new Uint32Array(8 * 256)
  for (let byte = 0; byte < 256; byte++) {
    let value = byte
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? polynomial : 0)
    table[byte] = value
  }
  for (let at = 256; at < table.length; at++) {
    const before = table[at - 256]
    table[at] = (before >>> 8) ^ table[before & 255]
  }
  return table
}

/** @param {number} polynomial */
function checksum(polynomial) {
  const t = tables(polynomial)
  /** @param {Uint8Array} bytes */
  return bytes => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let crc = ~0
    let at = 0
    for (; at + 2 * BYTES <= bytes.length; at += 2 * BYTES) {
      const low = view.getUint32(at, true) ^ crc
      const high = view.getUint32(at + BYTES, true)
      crc =
        t[1792 + (low & 255)] ^ t[1536 + ((low >>> 8) & 255)] ^ t[1280 + ((low >>> 16) & 255)] ^ t[1024 + (low >>> 24)] ^
        t[768 + (high & 255)] ^ t[512 + ((high >>> 8) & 255)] ^ t[256 + ((high >>> 16) & 255)] ^ t[high >>> 24]
    }
    for (; at < bytes.length; at++) crc = (crc >>> 8) ^ t[(crc ^ bytes[at]) & 255]
    return ~crc >>> 0
  }
}

export const crc32 = checksum(0xedb88320)
export const crc32c = checksum(0x82f63b78)
