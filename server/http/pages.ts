import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { type Express, type Response } from 'express';
import { PAGE_POLICY } from '../../shared/contract/page-policy.ts';

/** `dist/renderer`: beside the bundle, and at the same depth below the project's folder from the source. */
const BUILT = fileURLToPath(new URL('../renderer', import.meta.url));
const FROM_SOURCE = fileURLToPath(new URL('../../dist/renderer', import.meta.url));

function builtFolder(): string {
  return existsSync(join(BUILT, 'index.html')) ? BUILT : FROM_SOURCE;
}

/** Every address of a screen is the same page, which reads the address itself. */
const SCREENS = ['/', '/first', '/app', '/app/*screen'];
const YEAR_MS = 365 * 86_400_000;

export interface Pages {
  /** Paths that need no identity: the page holds nothing but the program. */
  open: string[];
  mount(app: Express): void;
}

/** The screens, built by `npm run build` into a folder of static files. Without them, says how to build them. */
export function mountPages(folder: string = builtFolder()): Pages {
  return {
    open: ['GET /', 'GET /first', 'GET /app', 'GET /app/*', 'GET /assets/*', 'GET /icon.svg', 'GET /sw.js'],
    mount(app) {
      app.get(SCREENS, (_request, response) => {
        response.setHeader('Content-Security-Policy', PAGE_POLICY);
        response.setHeader('Cache-Control', 'no-cache');
        response.sendFile('index.html', { root: folder, cacheControl: false }, error => {
          if (error && !response.headersSent) sayMissing(response);
        });
      });
      // Named by their content, so what a name stands for never changes.
      const assets = { fallthrough: true, immutable: true, maxAge: YEAR_MS, index: false, redirect: false };
      app.use('/assets', express.static(join(folder, 'assets'), assets));
      app.get('/sw.js', (_request, response, next) => {
        // The policy binds what the worker itself asks for.
        response.setHeader('Content-Security-Policy', PAGE_POLICY);
        response.setHeader('Cache-Control', 'no-cache');
        response.sendFile('sw.js', { root: folder, cacheControl: false }, error => error && next());
      });
      app.get('/icon.svg', (_request, response, next) => {
        response.sendFile('icon.svg', { root: folder, maxAge: 86_400_000 }, error => error && next());
      });
    },
  };
}

/** A file of the built screens that belongs to no screen; where they are not built there is none. */
export function sendBuilt(response: Response, name: string, next: () => void): void {
  response.setHeader('Cache-Control', 'no-cache');
  response.sendFile(name, { root: builtFolder(), cacheControl: false }, error => error && next());
}

function sayMissing(response: Response): void {
  response
    .status(503)
    .type('text/plain')
    .send('The screens are not built. Run: npm run build\nThe interface is described at /docs.\n');
}
