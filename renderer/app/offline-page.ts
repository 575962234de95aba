import i18next from 'i18next';
import { PAGE_POLICY } from '../../shared/contract/page-policy.ts';

/** As `renderer/public/sw.js` has them. */
const KEPT = 'holdpoint-offline';
const PAGE = '/offline';
const SCRIPT = '/offline.js';

/**
 * What a browser shows when a screen is opened while the server is away: a page of its own, which a service worker
 * answers with and which comes back to the same address by itself. Only over HTTP, and only where a browser has service
 * workers (this machine's own address, or TLS with a certificate that it believes); the desktop app has its own words.
 */
export function startOfflinePage(): void {
  if (!window.isSecureContext || !/^https?:$/.test(location.protocol) || !navigator.serviceWorker) return;
  const keep = async () => {
    await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
    const cache = await caches.open(KEPT);
    await cache.put(PAGE, offlinePage());
  };
  // Without it (a full disk, a private window) the browser says in its own words that there is no answer.
  const tryTo = () => void keep().catch(() => {});
  // The first screen comes first.
  window.addEventListener('load', tryTo, { once: true });
  i18next.on('languageChanged', tryTo);
}

/** In the present language, whole in itself but for its script, under the policy of every page. */
function offlinePage(): Response {
  const { t } = i18next;
  const page = document.implementation.createHTMLDocument(`${t('app:offline.title')} · Holdpoint`);
  page.documentElement.lang = i18next.language;
  const add = <Tag extends keyof HTMLElementTagNameMap>(parent: Element, tag: Tag, text = '') => {
    const element = page.createElement(tag);
    element.textContent = text;
    parent.append(element);
    return element;
  };
  add(page.head, 'meta').setAttribute('charset', 'utf-8');
  const viewport = add(page.head, 'meta');
  viewport.name = 'viewport';
  viewport.content = 'width=device-width, initial-scale=1';
  add(page.head, 'style', STYLE);
  const main = add(page.body, 'main');
  add(main, 'h1', t('app:offline.title'));
  add(main, 'p', t('app:error.unavailable'));
  add(main, 'p', t('app:offline.draft'));
  add(main, 'p', t('app:offline.again')).setAttribute('role', 'status');
  add(main, 'button', t('app:error.retry')).type = 'button';
  const script = add(page.body, 'script');
  script.src = SCRIPT;
  return new Response(`<!doctype html>${page.documentElement.outerHTML}`, {
    status: 503,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': PAGE_POLICY },
  });
}

/** The browser's own colours, which follow what the system is set to, high contrast included. */
const STYLE = `
:root { color-scheme: light dark; font: 1.125rem/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 36rem; margin: 15vh auto 0; padding: 1.5rem; }
h1 { font-size: 1.75rem; line-height: 1.25; }
button { min-height: 48px; padding: 0 1.5rem; font: inherit; cursor: pointer; }
`;
