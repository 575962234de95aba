import { isLoopback, isWildcard } from '../enrolment/certificate.ts';
import type { Config } from './config.ts';

/** What a person should know who made it listen on every address. */
export const NO_HOSTS =
  'HOLDPOINT_HOSTS is empty: the server listens on every address and answers to localhost only. Name the hosts and addresses by which others reach it.';

/** What the server answers to besides loopback; of every address that it listens on, none by itself. */
export function hostsOf({ host, hosts }: Config): string[] {
  if (isWildcard(host) || isLoopback(host)) return hosts;
  return [host.includes(':') ? `[${host}]` : host, ...hosts];
}
