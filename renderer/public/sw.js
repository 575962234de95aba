/**
 * Says in words that the server is away when a screen is opened or reloaded meanwhile. Every screen is asked of the
 * network first, and nothing of the program and none of its data is ever kept or answered here, so that an update is
 * never hidden: the one page that is kept is the app's own, in its reader's language (`renderer/app/offline-page.ts`).
 */
const KEPT = 'holdpoint-offline';
const PAGE = '/offline';
const SCRIPT = '/offline.js';

addEventListener('install', event => {
  // Calls and files of the app do not wait for this worker, where the browser can be told so.
  const past = ['/api/*', '/assets/*'].map(urlPattern => ({ condition: { urlPattern }, source: 'network' }));
  event.waitUntil(event.addRoutes?.(past));
  skipWaiting();
});

// The browser asks for a screen itself, beside starting this worker, and says to the server what it always says of itself.
addEventListener('activate', event => event.waitUntil(registration.navigationPreload?.enable()));

addEventListener('fetch', event => {
  const { mode, url } = event.request;
  const { pathname } = new URL(url);
  if (mode === 'navigate') event.respondWith(opened(event, isScreen(pathname)));
  else if (pathname === SCRIPT) event.respondWith(scriptOfPage());
});

function isScreen(pathname) {
  return pathname === '/' || pathname === '/first' || pathname === '/app' || pathname.startsWith('/app/');
}

async function opened({ preloadResponse, request }, hasPage) {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch (error) {
    const page = hasPage ? await caches.match(PAGE, { cacheName: KEPT }) : undefined;
    if (page) return page;
    throw error;
  }
}

function scriptOfPage() {
  return new Response(`(${comeBack})();`, { headers: { 'Content-Type': 'text/javascript; charset=utf-8' } });
}

/** Runs in the page: opens the same address again as soon as the server answers. */
function comeBack() {
  const reload = () => location.reload();
  document.querySelector('button').addEventListener('click', reload);
  const ask = () =>
    fetch('/api/v2/status', { cache: 'no-store' }).then(
      answer => (answer.ok ? reload() : wait()),
      () => wait(),
    );
  const wait = () => setTimeout(ask, 1000);
  wait();
}
