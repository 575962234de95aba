import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * Headers of every answer, fit for JSON: nothing is loaded, framed, cached, sniffed or sent on as a referrer. A route that
 * serves a page sets its own `Content-Security-Policy` and `Cache-Control` over these.
 */
export function createSecurityHeaders(): RequestHandler {
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
    // A station speaks plain HTTP on loopback; a central's TLS, and with it this header, is its proxy's.
    strictTransportSecurity: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  return (request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    setHeaders(request, response, next);
  };
}
