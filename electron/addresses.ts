import { familyOf } from '../shared/families/registry.ts';

/** Where the pages of this app live: a scheme of its own, so that no web page and no file is of their origin. */
export const SCHEME = 'app';
export const PAGE_ORIGIN = 'app://bundle';
/** Links to a record: `holdpoint://supplier/1048583`. */
export const LINK_SCHEME = 'holdpoint';
const LONGEST_LINK = 2_000;

/** Whether an address is a page of this app, and not of anything that looks like it. */
export function isOwnPage(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.protocol === `${SCHEME}:` && url.host === 'bundle' && url.username === '';
}

/** A file that a page of this app has made, such as a PDF to look at. */
export function isOwnBlob(address: string): boolean {
  return address.startsWith(`blob:${PAGE_ORIGIN}/`);
}

/**
 * The address for the system's browser or mail program, written anew from its parts; undefined for every other scheme
 * and for what hides where it leads. Programs that the system starts for other schemes run with this user's rights.
 */
export function externalAddress(address: string): string | undefined {
  if (address.length > LONGEST_LINK || hasControl(address)) return undefined;
  const url = URL.parse(address);
  if (url?.protocol === 'https:') return url.username === '' && url.password === '' ? url.href : undefined;
  // A mail program takes attachments and the like as parameters; the receiver is enough.
  if (url?.protocol !== 'mailto:' || !/^[\w.+-]+@[\w.-]+$/.test(url.pathname)) return undefined;
  return `mailto:${url.pathname}`;
}

/** The page of the record that a `holdpoint://family/id` link names; undefined for any other text. */
export function recordPathOf(link: string): string | undefined {
  const found = new RegExp(`^${LINK_SCHEME}://([a-z-]{1,40})/([1-9]\\d{0,15})/?$`).exec(link);
  const [, family = '', id = ''] = found ?? [];
  return familyOf(family) && Number.isSafeInteger(Number(id)) ? `/app/records/${family}/${id}` : undefined;
}

/** The first record that a command line names: Windows and Linux hand a link over as an argument. */
export function recordPathIn(args: readonly string[]): string | undefined {
  return args.map(recordPathOf).find(path => path !== undefined);
}

function hasControl(text: string): boolean {
  return /[\p{Cc}\s]/u.test(text);
}
