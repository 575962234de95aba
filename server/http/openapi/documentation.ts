import type { Express } from 'express';
import type { Handler } from '../handlers/handler.ts';
import { sendJson } from '../reply.ts';
import { documentationPage } from './documentation-page.ts';
import { openApiDocument } from './openapi.ts';

export interface Documentation {
  /** Paths that need no token. */
  open: string[];
  mount(app: Express): void;
  handlers: Record<string, Handler>;
}

/** The interface's own description: `openapi.json` and a page that needs no network. Built when first asked for. */
export function mountDocumentation(): Documentation {
  const built = once(() => {
    const document = openApiDocument();
    return { json: JSON.stringify(document), page: documentationPage(document) };
  });
  return {
    open: ['GET /docs', 'GET /docs/*'],
    mount(app) {
      app.get('/docs', (_request, response) => {
        response.setHeader(
          'Content-Security-Policy',
          "default-src 'none'; style-src 'self'; frame-ancestors 'none'",
        );
        response.type('html').send(built().page.html);
      });
      app.get('/docs/style.css', (_request, response) => response.type('css').send(built().page.css));
    },
    handlers: {
      'openapi.read': async (_services, { response }) => {
        sendJson(response, 200, {}, built().json);
        return undefined;
      },
    },
  };
}

function once<Value>(make: () => Value): () => Value {
  let value: { made: Value } | undefined;
  return () => {
    value ??= { made: make() };
    return value.made;
  };
}
