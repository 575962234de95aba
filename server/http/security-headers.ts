import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * Headers of every answer, fit for JSON: nothing is loaded, framed, cached, sniffed or sent on as a referrer. A route that
 * serves a page sets its own `Content-Security-Policy` and `Cache-Control` over these.
 */
export function createSecurityHeaders(): RequestHandler {
  const headers = [['Cache-Control', 'no-store'] as const, ...headersOfHelmet()];
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

/** The same for every answer, so they are asked for once: helmet works its way through them for each. */
function headersOfHelmet(): (readonly [name: string, value: string])[] {
  // Only what means something on this server: every answer pays for each further header.
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    // Said by `frame-ancestors`.
    xFrameOptions: false,
    // A browser that was told this lets nobody accept a certificate that a central made for itself.
    strictTransportSecurity: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  setHeaders(response.req, response, () => {});
  return Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)] as const);
}
