/** How to open a dataset from where it lies, in several languages. */

/**
 * @param {Map<string, import('../data/release.js').TableEntry>} tables
 * @param {Map<string, import('../data/release.js').ArrayEntry>} arrays
 * @param {string} url of its folder
 */
export function snippets(tables, arrays, url) {
  const largest = [...tables.values()].filter(table => table.name !== 'claims').sort((a, b) => rows(b) - rows(a))[0]
  const small = [...tables.values()].find(table => table.name === 'claims') ?? largest
  const file = `${url}/${small.files[0].path}`
  const some = `${url}/${largest.files[Math.floor(largest.files.length / 2)].path}`
  const array = [...arrays.values()].sort((a, b) => b.size - a.size)[0]
  const made = [
    { title: 'DuckDB', text: `INSTALL httpfs; LOAD httpfs;\nSELECT * FROM '${some}' LIMIT 10;\nSELECT verdict, count(*) FROM '${file}' GROUP BY ALL;` },
    { title: 'Polars', text: `import polars as pl\n\ntable = pl.scan_parquet("${some}")\nprint(table.head(10).collect())` },
    { title: 'pandas', text: `import pandas as pd\n\nclaims = pd.read_parquet("${file}")\nprint(claims.sort_values("position")[["claim", "verdict"]])` },
    { title: 'R', text: `library(arrow)\nclaims <- read_parquet("${file}")` },
    { title: 'JavaScript', text: `import { asyncBufferFromUrl, parquetReadObjects } from 'hyparquet'\nimport { compressors } from 'hyparquet-compressors'\n\nconst file = await asyncBufferFromUrl({ url: '${file}' })\nconst claims = await parquetReadObjects({ file, compressors })` },
  ]
  if (array) made.push({ title: 'Zarr (Python)', text: `import zarr  # with fsspec[http]\n\narray = zarr.open_array("${url}/${array.path}", mode="r")\nprint(array.shape, array.dtype, array[${Math.floor(array.shape[0] / 2)}])` })
  return made
}

const rows = table => table.files.reduce((sum, file) => sum + file.rows, 0)
