import type { Express } from 'express';
import type { Handlers } from '../handlers/handler.ts';
import { sendBuilt } from '../pages.ts';
import { documentationPages } from './documentation-page.ts';
import { forPrograms } from './for-programs.ts';
import { openApiDocument } from './openapi.ts';

export interface Documentation {
  /** Paths that need no token. */
  open: string[];
  /** Paths that need none from this machine: what a generator of clients reads. */
  openHere: string[];
  mount(app: Express): void;
  handlers: Pick<Handlers, 'openapi.read'>;
}

/**
 * The interface's own description: `openapi.json`, and pages that need no network. Built when first asked for. What is tried there is
 * sent by the page's own script, with a token that is typed in and never with the session of the screens.
 */
export function mountDocumentation(): Documentation {
  const built = once(() => {
    const document = openApiDocument();
    return { json: JSON.stringify(forPrograms(document)), ...documentationPages(document) };
  });
  return {
    open: ['GET /docs', 'GET /docs/*'],
    openHere: ['GET /api/v2/openapi.json'],
    mount(app) {
      app.get('/docs/style.css', (_request, response) => response.type('css').send(built().css));
      app.get('/docs/docs.js', (_request, response, next) => sendBuilt(response, 'docs.js', next));
      app.get(['/docs', '/docs/:page'], ({ params }, response, next) => {
        const page = built().pages.get(String(params.page ?? ''));
        if (page === undefined) return next();
        response.setHeader('Content-Security-Policy', POLICY);
        response.type('html').send(page);
      });
    },
    handlers: {
      // As other reads: with a tag, and packed.
      'openapi.read': async () => ({ status: 200, headers: {}, body: built().json }),
    },
  };
}

const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

function once<Value>(make: () => Value): () => Value {
  let value: { made: Value } | undefined;
  return () => {
    value ??= { made: make() };
    return value.made;
  };
}
