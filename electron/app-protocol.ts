import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { PAGE_POLICY } from '../shared/contract/page-policy.ts';
import { isOwnPage } from './addresses.ts';

export interface AppProtocolOptions {
  /** `dist/renderer`. */
  folder: string;
  /** Answers what is below `/api/`. */
  api: (request: Request) => Promise<Response>;
}

/** Everything that a build of the screens has; other files are not served. */
const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};
const SEGMENT = /^[\w-][\w.-]*$/;

const HEADERS = {
  'Content-Security-Policy': PAGE_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/**
 * Answers `app://bundle/`: `/api/` by the server, `/assets/` and single files from the folder of screens, every other
 * path with the page, which reads the address itself. No path leads out of the folder.
 */
export function createAppProtocol({ folder, api }: AppProtocolOptions) {
  return async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (!isOwnPage(request.url)) return refuse(404);
    if (pathname.startsWith('/api/')) return api(request);
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405);
    const name = fileOf(pathname);
    if (name === undefined) return refuse(404);
    return answer(join(folder, name), name.startsWith('assets/'));
  };
}

/** From the folder of screens, with `/`; undefined for what is no file of a build. */
export function fileOf(pathname: string): string | undefined {
  const segments = pathname.slice(1).split('/');
  const last = segments.at(-1) ?? '';
  const isFile = segments[0] === 'assets' || (segments.length === 1 && extname(last) !== '');
  if (!isFile) return 'index.html';
  const isPlain = segments.every(segment => SEGMENT.test(segment)) && TYPES[extname(last)] !== undefined;
  return isPlain ? segments.join('/') : undefined;
}

async function answer(path: string, isNamedByContent: boolean): Promise<Response> {
  try {
    const body = await readFile(path);
    return new Response(body, {
      headers: {
        ...HEADERS,
        'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream',
        'Cache-Control': isNamedByContent ? 'max-age=31536000, immutable' : 'no-cache',
      },
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^(ENOENT|ENOTDIR|EISDIR)$/.test(String(error.code))) {
      return refuse(404);
    }
    throw error;
  }
}

function refuse(status: number): Response {
  return new Response(null, { status, headers: HEADERS });
}
