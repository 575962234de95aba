import { offerSearch } from './search.ts';
import { offerTrying } from './try-it.ts';

/** What the pages of the interface's documentation do beside being read: `server/http/openapi/documentation-page.ts`. */
const [nav, main] = [document.querySelector('nav'), document.querySelector('main')];
if (nav && main) {
  offerSearch(nav);
  offerTrying(main);
  goWhereItStands(nav);
}

/** A link to an operation of the time when all stood on one page. */
function goWhereItStands(nav: HTMLElement): void {
  const { hash } = location;
  if (hash === '' || document.getElementById(decodeURIComponent(hash.slice(1)))) return;
  const links = [...nav.querySelectorAll<HTMLAnchorElement>('a[href*="#"]')];
  const href = hash.startsWith('#schema-')
    ? `/docs/schemas${hash}`
    : links.find(link => link.hash === hash)?.href;
  if (href !== undefined && location.pathname === '/docs') location.replace(href);
}
