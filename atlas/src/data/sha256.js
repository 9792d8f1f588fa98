/**
 * SHA-256 (FIPS 180-4). The browser's own is only there on https and on this machine; an atlas on a plain host in a
 * laboratory has to verify as well.
 */

const FRACTION = 2 ** 32

/** The first 32 bits of the fractional parts of roots of the first primes. */
const { start, rounds } = constants()

function constants() {
  const primes = []
  for (let n = 2; primes.length < 64; n++) if (primes.every(p => n % p)) primes.push(n)
  const bits = root => ((root - Math.floor(root)) * FRACTION) >>> 0
  return {
    start: Uint32Array.from(primes.slice(0, 8), p => bits(Math.sqrt(p))),
    rounds: Uint32Array.from(primes, p => bits(Math.cbrt(p))),
  }
}

/**
 * @param {Uint8Array} bytes
 * @returns {string} 64 hexadecimal digits
 */
export function sha256(bytes) {
  const state = Uint32Array.from(start)
  const words = new Uint32Array(64)
  const whole = bytes.length - (bytes.length % 64)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < whole; at += 64) mix(state, words, view, at)
  const rest = padded(bytes.subarray(whole), bytes.length)
  for (let at = 0; at < rest.byteLength; at += 64) mix(state, words, rest, at)
  return Array.from(state, word => word.toString(16).padStart(8, '0')).join('')
}

/**
 * The last bytes, a 1, zeros and the length in bits.
 * @param {Uint8Array} last
 * @param {number} length
 */
function padded(last, length) {
  const block = new Uint8Array(last.length < 56 ? 64 : 128)
  block.set(last)
  block[last.length] = 0x80
  const view = new DataView(block.buffer)
  view.setUint32(block.length - 8, Math.floor(length / 2 ** 29))
  view.setUint32(block.length - 4, (length << 3) >>> 0)
  return view
}

const turn = (word, by) => (word >>> by) | (word << (32 - by))

/**
 * @param {Uint32Array} state
 * @param {Uint32Array} w
 * @param {DataView} view
 * @param {number} at
 */
function mix(state, w, view, at) {
  for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + 4 * i)
  for (let i = 16; i < 64; i++) {
    const s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3)
    const s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10)
    w[i] = w[i - 16] + s0 + w[i - 7] + s1
  }
  let [a, b, c, d, e, f, g, h] = state
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + rounds[i] + w[i]) | 0
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g; g = f; f = e; e = (d + t1) | 0
    d = c; c = b; b = a; a = (t1 + t2) | 0
  }
  const mixed = [a, b, c, d, e, f, g, h]
  for (let i = 0; i < 8; i++) state[i] += mixed[i]
}
