/** The decompressor of Zstandard that arrays and tables share. */

export { decompress } from 'fzstd'
