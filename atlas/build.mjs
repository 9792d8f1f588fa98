/** Builds the bundle, scripts and a page with its style, into the package that ships them. `make atlas` runs it. */

import { build, transform } from 'esbuild'
import { createHash } from 'node:crypto'
import { copyFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'

const OUT = new URL('../pipeline/boardspace/release/atlas/bundle/', import.meta.url).pathname
const HERE = new URL('.', import.meta.url).pathname
const LARGEST = 152_000 // bytes, gzipped
const LARGEST_PAGE = 40_000 // bytes, gzipped: what a page needs, of whatever page

/** Modules that the program of every page holds; the pages' own scripts take them from it. */
const CORE = ['dom', 'i18n', 'data/faults', 'data/http', 'data/sha256', 'data/crc', 'data/zstd', 'data/kept', 'data/release', 'data/zarr', 'parts/failure', 'parts/theme'].map(name => `${HERE}src/${name}.js`)
/** Scripts that several pages share, or that not every reader of a page needs. */
const APART = {
  [`${HERE}src/data/parquet.js`]: 'tables',
  [`${HERE}src/claims/chinese.js`]: 'chinese',
  [`${HERE}src/parts/plot.js`]: 'plot',
  [`${HERE}src/datasets/browse.js`]: 'browse',
  [`${HERE}src/sliding/draw.js`]: 'draw',
  [`${HERE}src/sliding/print.js`]: 'print',
  [`${HERE}src/rush/draw.js`]: 'board',
  [`${HERE}src/parts/grounds.js`]: 'grounds',
  [`${HERE}src/parts/titles.js`]: 'titles',
  [`${HERE}src/klotski/next.js`]: 'next',
  [`${HERE}src/klotski/search.js`]: 'search',
  [`${HERE}src/klotski/more.js`]: 'more',
}
/** Modules that the script of a page holds for scripts of that page that come later. */
const SHARED = { klotski: ['board', 'code', 'find', 'lookup', 'moves', 'names', 'scan'], sliding: ['data', 'picture', 'search', 'tray'], rush: ['board', 'picture'] }
const heldBy = Object.fromEntries(Object.entries(SHARED).flatMap(([name, modules]) => modules.map(one => [`${HERE}src/${name}/${one}.js`, name])))
/** The strings of each page by the first words of their keys; all others are the program's. */
const PAGES = { home: ['home'], klotski: ['klotski'], sliding: ['sliding', 'sheet'], rush: ['rush', 'puzzles', 'sheet'], solitaire: ['solitaire'], five: ['five'], division: ['division'], puzzles: ['puzzles'], claims: ['claims', 'verdict', 'basis'], datasets: ['datasets'] }
/** Strings of scripts that pages load when needed, by the starts of their keys. */
const LATER = { draw: ['sliding.draw.'], board: ['rush.draw.'], print: ['sliding.print.'], grounds: ['grounds.'], more: [
  ...['gallery.', 'print', 'level.', 'daily.', 'build', 'built', 'palette', 'clear', 'kind.', 'class', 'groups', 'groupSizes', 'groupRank', 'groupDepths', 'largest', 'solvable', 'hardestStep', 'steps', 'noClass', 'exits', 'seed', 'mirrorGroup'].map(start => `klotski.${start}`),
] }
/** Styles that come with a page's script, or with one that it loads when needed; all others are in the page itself. */
const STYLES = {
  klotski: ['klotski'], more: ['sheets', 'more'], sliding: ['sliding', 'sheets'], rush: ['sheets', 'puzzles'], solitaire: ['spots', 'solitaire'], five: ['heat'],
  division: ['heat', 'spots', 'division'], puzzles: ['sheets', 'puzzles'], claims: ['claims'], datasets: ['datasets'], plot: ['plot'],
}
/** Stands in scripts for the hash of all of them, which names the files. */
const BUILD = '@BUILD@'

/**
 * A page's script is one file beside the program and the reader of tables, so that few requests bring a page.
 * @param {string[]} core modules that the program holds
 * @param {Record<string, string>} [held] modules that the script of a page holds
 */
const apart = (core, held = {}) => ({
  name: 'apart',
  setup(builder) {
    builder.onResolve({ filter: /^\.\.?\// }, args => {
      const path = new URL(args.path, `file://${args.resolveDir}/`).pathname
      if (core.includes(path)) return { path: `./app-${BUILD}.js`, external: true }
      const other = APART[path] ?? held[path]
      return other ? { path: `./${other}-${BUILD}.js`, external: true } : undefined
    })
  },
})

/** Parts of hyparquet for what no table of ours has, variants, geometry and Snappy, left out. To call one is an error. */
const ABSENT = {
  geoparquet: 'export const markGeoColumns = () => undefined',
  ...Object.fromEntries([['variant', 'decodeVariantColumn'], ['wkb', 'wkbToGeojson'], ['snappy', 'snappyUncompress']].map(([file, called]) => [file, `export const ${called} = () => { throw new Error('the atlas reads no ${file}') }`])),
}
const smaller = {
  name: 'smaller',
  setup(builder) {
    builder.onLoad({ filter: /hyparquet\/src\/(geoparquet|variant|wkb|snappy)\.js$/ }, args => ({ contents: ABSENT[args.path.split('/').at(-1).replace('.js', '')] }))
  },
}

/** The strings of a page in both languages: `import strings from 'strings:PAGE'`, of the program `strings:app`. */
const strings = {
  name: 'strings',
  setup(builder) {
    builder.onResolve({ filter: /^strings:/ }, args => ({ path: args.path.slice('strings:'.length), namespace: 'strings' }))
    builder.onLoad({ filter: /.*/, namespace: 'strings' }, async args => {
      const own = key => {
        const later = Object.entries(LATER).find(([, starts]) => starts.some(start => key.startsWith(start)))?.[0]
        const pages = Object.keys(PAGES).filter(name => PAGES[name].includes(key.split('.')[0]))
        return later ? later === args.path : pages.length ? pages.includes(args.path) : args.path === 'app'
      }
      const of = async language => Object.entries(JSON.parse(await readFile(`${HERE}strings/${language}.json`, 'utf8'))).filter(([key]) => own(key))
      return { contents: JSON.stringify({ en: Object.fromEntries(await of('en')), zh: Object.fromEntries(await of('zh')) }), loader: 'json' }
    })
  },
}

/** The style of a script, as a text: `import style from 'style:PAGE'`. */
const style = {
  name: 'style',
  setup(builder) {
    builder.onResolve({ filter: /^style:/ }, args => ({ path: args.path.slice('style:'.length), namespace: 'style' }))
    builder.onLoad({ filter: /.*/, namespace: 'style' }, async args => {
      const parts = await Promise.all(STYLES[args.path].map(name => readFile(`${HERE}styles/${name}.css`, 'utf8')))
      return { contents: (await transform(parts.join(''), { loader: 'css', minify: true, charset: 'utf8' })).code.trim(), loader: 'text' }
    })
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
      return { contents: JSON.stringify(sections.map(part => Object.fromEntries(['name', 'pinyin', 'steps', 'drawing'].map(key => [key, JSON.parse(value(part, key))])))), loader: 'json' }
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

/**
 * One script and its style: its texts by the end of their names.
 * @param {string} contents of the entry
 * @param {any[]} plugins
 */
async function script(contents, plugins) {
  const made = await build({
    stdin: { contents, resolveDir: `${HERE}src`, sourcefile: 'entry.js' },
    outdir: OUT, write: false, bundle: true, format: 'esm', target: 'es2022', minify: true, charset: 'utf8', legalComments: 'eof', logLevel: 'warning',
    plugins: [...plugins, boards, starts, strings, style], external: [`./*-${BUILD}.js`],
  })
  return Object.fromEntries(made.outputFiles.map(file => [file.path.split('.').at(-1), file.text]))
}

const withStrings = name => `import strings from 'strings:${name}'\nimport { addStrings } from './i18n.js'\naddStrings(strings)\n`
const withStyle = name => (name in STYLES ? `import style from 'style:${name}'\nimport { addStyle } from './dom.js'\naddStyle(style)\n` : '')
const page = name => script(`${withStrings(name)}${withStyle(name)}${(SHARED[name] ?? []).map(one => `export * from './${name}/${one}.js'\n`).join('')}export * from './${name === 'home' ? 'home' : `${name}/page`}.js'`, [apart(CORE)])
const texts = {}
for (const [path, name] of Object.entries(APART)) texts[name] = (await script(`${name in LATER ? withStrings(name) : ''}${withStyle(name)}export * from '${path}'\n${name === 'chinese' ? `export { default } from '${path}'` : ''}`, [apart(CORE, heldBy), smaller])).js
for (const name of Object.keys(PAGES)) texts[name] = (await page(name)).js
const program = await script(`${CORE.map(path => `export * from '${path}'`).join('\n')}\nimport './main.js'`, [apart([])])
texts.app = program.js.replace('@PAGES@', Object.keys(PAGES).join())
const hash = createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, BUILD.length + 1)

await rm(OUT, { recursive: true, force: true })
await mkdir(OUT, { recursive: true })
for (const [name, text] of Object.entries(texts)) await writeFile(`${OUT}${name}-${hash}.js`, text.replaceAll(BUILD, hash))
const files = Object.keys(texts).map(name => `atlas/${name}-${hash}.js`)
const worker = (await script(`import './worker.js'`, [])).js
await writeFile(`${OUT}sw.js`, worker.replaceAll(BUILD, hash).replace('@FILES@', [...files, 'atlas/manifest.json', 'atlas/icon.svg'].join()))
for (const file of ['manifest.json', 'icon.svg']) await copyFile(`${HERE}${file}`, OUT + file)
const html = await readFile(`${HERE}index.html`, 'utf8')
await writeFile(`${OUT}index.html`, html.replaceAll(BUILD, hash).replace('/*STYLE*/', () => program.css.trim()))

const sizes = {}
for (const name of (await readdir(OUT)).sort()) {
  const content = await readFile(OUT + name)
  sizes[name.replace(/-.*/, '')] = gzipSync(content, { level: 9 }).length
  console.log(`${name}: ${content.length} bytes, ${sizes[name.replace(/-.*/, '')]} gzipped`)
}
const shared = sizes['index.html'] + sizes.app
const total = Object.values(sizes).reduce((sum, size) => sum + size, 0)
const largest = Math.max(...Object.keys(PAGES).map(name => shared + sizes[name] + (/from"\.\/tables-/.test(texts[name]) ? sizes.tables : 0)))
console.log(`in all ${total} gzipped, at most ${largest} for a page`)
if (total > LARGEST || largest > LARGEST_PAGE) throw new Error(`the bundle is larger than ${LARGEST} bytes gzipped, or a page than ${LARGEST_PAGE}`)
