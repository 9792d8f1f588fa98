/**
 * The service worker: keeps the program, so that the atlas opens without a network. Data are kept by the pages, which
 * verify them (see data/kept.js); this worker leaves their requests alone.
 */

const CACHE = 'atlas-program-@BUILD@'
const FILES = '@FILES@'.split(',')
const worker = /** @type {any} */ (self)

worker.addEventListener('install', event => event.waitUntil(caches.open(CACHE).then(cache => cache.addAll(['./', ...FILES])).then(() => worker.skipWaiting())))
worker.addEventListener('activate', event => event.waitUntil(forgetOthers().then(() => worker.clients.claim())))
worker.addEventListener('fetch', event => {
  const path = event.request.url.slice(worker.registration.scope.length).split(/[?#]/)[0]
  if (event.request.mode === 'navigate' && ['', 'index.html'].includes(path)) event.respondWith(page(event.request))
  else if (FILES.includes(path)) event.respondWith(caches.match(path).then(found => found ?? fetch(event.request)))
})

async function forgetOthers() {
  const names = (await caches.keys()).filter(name => name.startsWith('atlas-program-') && name !== CACHE)
  await Promise.all(names.map(name => caches.delete(name)))
}

/** The page from the network, so that a new release is seen at once; the page that was kept where there is none. */
async function page(request) {
  try {
    const answer = await fetch(request)
    if (answer.ok) await (await caches.open(CACHE)).put('./', answer.clone())
    return answer
  } catch (error) {
    const found = await caches.match('./')
    if (found) return found
    throw error
  }
}
