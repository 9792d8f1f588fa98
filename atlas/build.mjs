/** Builds the bundle, scripts, a style sheet and a page, into the package that ships them. `make atlas` runs it. */

import { build } from 'esbuild'
import { copyFile, mkdir, readFile, readdir, rm } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'

const OUT = new URL('../pipeline/boardspace/release/atlas/bundle/', import.meta.url).pathname
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

/** The boards of peg solitaire, from the files that the program reads, too: `import boards from 'boards:FOLDER'`. */
const boards = {
  name: 'boards',
  setup(builder) {
    builder.onResolve({ filter: /^boards:/ }, args => ({ path: HERE + args.path.slice('boards:'.length), namespace: 'boards' }))
    builder.onLoad({ filter: /.*/, namespace: 'boards' }, async args => {
      const found = {}
      for (const file of (await readdir(args.path)).filter(name => name.endsWith('.toml')).sort()) {
        found[file.replace('.toml', '')] = board(await readFile(`${args.path}/${file}`, 'utf8'))
      }
      return { contents: JSON.stringify(found), loader: 'json' }
    })
  },
}

/** Well-known starts of Klotski, from the file that the program reads, too: drawings of five lines. */
const starts = {
  name: 'starts',
  setup(builder) {
    builder.onResolve({ filter: /^starts:/ }, args => ({ path: HERE + args.path.slice('starts:'.length), namespace: 'starts' }))
    builder.onLoad({ filter: /.*/, namespace: 'starts' }, async args => {
      const sections = (await readFile(args.path, 'utf8')).split('[[start]]').slice(1)
      const value = (part, key) => part.match(new RegExp(`^${key} = (.*)$`, 'm'))[1]
      return { contents: JSON.stringify(sections.map(part => Object.fromEntries(['name', 'pinyin', 'drawing'].map(key => [key, JSON.parse(value(part, key))])))), loader: 'json' }
    })
  },
}

/** One board: of TOML what these files use. */
function board(text) {
  const [top, ...sections] = text.split(/^\[problems\./m)
  const value = (part, key) => part.match(new RegExp(`^${key} = "(?!"")(.*)"$`, 'm'))?.[1]
  const problem = part => [part.slice(0, part.indexOf(']')), { title: value(part, 'title'), start: value(part, 'start'), goal: value(part, 'goal') }]
  return { title: value(top, 'title'), grid: value(top, 'grid'), picture: top.match(/"""([^"]*)"""/)[1], problems: Object.fromEntries(sections.map(problem)) }
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
  splitting: true,
  chunkNames: '[name]-[hash]',
  plugins: [withoutNumcodecs, boards, starts],
  logLevel: 'warning',
})
await copyFile(`${HERE}index.html`, `${OUT}index.html`)

let total = 0
for (const name of (await readdir(OUT)).sort()) {
  const content = await readFile(OUT + name)
  const packed = gzipSync(content, { level: 9 }).length
  total += packed
  console.log(`${name}: ${content.length} bytes, ${packed} gzipped`)
}
console.log(`in all ${total} gzipped`)
if (total > LARGEST) throw new Error(`the bundle is larger than ${LARGEST} bytes gzipped`)
