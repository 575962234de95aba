import * as tls from 'node:tls';

/**
 * From now on every connection that names no authorities of its own believes those of the system too, where a company puts
 * its own, and not only those that Node.js brings: to central, to webhooks. Both, because Windows fetches an authority only
 * when one of its own programs first needs it. Reading them takes some tenths of a second, so it is done at the first
 * connection beyond this machine. Node.js before 22.19 cannot: `HOLDPOINT_CA` can.
 */
export function trustSystem(): void {
  if (isDone || typeof tls.setDefaultCACertificates !== 'function') return;
  isDone = true;
  tls.setDefaultCACertificates([
    ...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')]),
  ]);
}

let isDone = false;
