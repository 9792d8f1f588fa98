/** Builds the bundle: one script, one style sheet, one page, into the package that ships them. `make atlas` runs it. */

import { build } from 'esbuild'
import { copyFile, mkdir, readFile, rm } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'

const OUT = new URL('../pipeline/atlas/bundle/', import.meta.url).pathname
const HERE = new URL('.', import.meta.url).pathname
const LARGEST = 100_000 // bytes, gzipped

/** zarrita can load codecs of WebAssembly that no array of ours uses; they would not fit the bundle. */
const withoutNumcodecs = {
  name: 'without-numcodecs',
  setup(builder) {
    builder.onResolve({ filter: /^numcodecs\// }, args => ({ path: args.path, namespace: 'absent' }))
    builder.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'export default undefined' }))
  },
}

await rm(OUT, { recursive: true, force: true })
await mkdir(OUT, { recursive: true })
await build({
  entryPoints: { app: `${HERE}src/main.js` },
  outdir: OUT,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  legalComments: 'eof',
  plugins: [withoutNumcodecs],
  logLevel: 'warning',
})
await copyFile(`${HERE}index.html`, `${OUT}index.html`)

let total = 0
for (const name of ['index.html', 'app.js', 'app.css']) {
  const content = await readFile(OUT + name)
  const packed = gzipSync(content, { level: 9 }).length
  total += packed
  console.log(`${name}: ${content.length} bytes, ${packed} gzipped`)
}
console.log(`in all ${total} gzipped`)
if (total > LARGEST) throw new Error(`the bundle is larger than ${LARGEST} bytes gzipped`)
