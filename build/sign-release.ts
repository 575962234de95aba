import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FEED_NAME, filesOfFeed } from '../server/updates/release-feed.ts';
import { RELEASE_NAME, type Release, STABLE, writeRelease } from '../shared/contract/signed-release.ts';
import { requireRing } from './publishing.ts';

const DAY_MS = 86_400_000;
const VALID_DAYS = 90;

export interface SignReleaseOptions {
  /** Such as `dist/installers`: the installers and the feeds of all systems. */
  folder: string;
  ring: string;
  /** Ed25519. */
  key: KeyObject;
  now: Date;
  /** For how many days stations believe it: sign it anew before, also where there is no newer version. */
  validDays?: number | undefined;
}

/**
 * Writes the publisher's statement of the feeds in a folder. Stations and the app take no feed without it.
 * @throws Error where there is no feed, feeds are of different versions, or a file that they offer is not there as they say
 */
export function signRelease({ folder, ring, key, now, validDays = VALID_DAYS }: SignReleaseOptions): Release {
  requireRing(ring);
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(`The key is ${key.asymmetricKeyType}, not Ed25519.`);
  if (!(validDays > 0)) throw new Error('Give --valid-days as a number above 0.');
  const feeds = readdirSync(folder)
    .filter(name => FEED_NAME.test(name))
    .sort()
    .map(name => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
  const [version, ...others] = new Set(feeds.map(({ text }) => versionOf(text)));
  if (version === undefined) throw new Error(`${folder} has no feed (latest*.yml).`);
  if (others.length > 0) throw new Error(`The feeds are of ${[version, ...others].join(' and ')}.`);
  for (const { name, text } of feeds)
    for (const file of filesOfFeed(text))
      if (digestOf(readFileSync(join(folder, file.name))) !== file.sha512)
        throw new Error(`${file.name} is not the file that ${name} offers.`);
  const release: Release = {
    product: 'holdpoint',
    ring,
    version,
    signed_at: now.toISOString(),
    expires_at: new Date(now.getTime() + validDays * DAY_MS).toISOString(),
    feeds: feeds.map(({ name, text }) => ({ name, sha512: digestOf(text) })),
  };
  const path = join(folder, RELEASE_NAME);
  writeFileSync(
    `${path}.new`,
    writeRelease(release, bytes => sign(null, bytes, key)),
  );
  renameSync(`${path}.new`, path);
  return release;
}

/** As `shared/contract/publisher-keys.ts` has it. */
export function publicKeyOf(key: KeyObject): string {
  return String(createPublicKey(key).export({ format: 'jwk' }).x);
}

function versionOf(feed: string): string {
  return /^version: ['"]?([^'"\s]+)/m.exec(feed)?.[1] ?? '';
}

function digestOf(content: string | Uint8Array): string {
  return createHash('sha512').update(content).digest('base64');
}

/**
 * `node build/sign-release.ts --folder F --key KEY.pem [--ring pilot] [--valid-days N]`; a passphrase of the key comes as
 * `HOLDPOINT_PUBLISHER_PASSPHRASE`.
 */
if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      folder: { type: 'string', default: 'dist/installers' },
      key: { type: 'string' },
      ring: { type: 'string', default: STABLE },
      'valid-days': { type: 'string', default: String(VALID_DAYS) },
    },
  });
  if (values.key === undefined) {
    process.stderr.write('Give --key: openssl genpkey -algorithm ed25519 -aes256 -out publisher.pem\n');
    process.exit(2);
  }
  const passphrase = process.env.HOLDPOINT_PUBLISHER_PASSPHRASE;
  const key = createPrivateKey({ key: readFileSync(values.key), ...(passphrase && { passphrase }) });
  const { folder, ring } = values;
  const release = signRelease({
    folder,
    ring,
    key,
    now: new Date(),
    validDays: Number(values['valid-days']),
  });
  process.stdout.write(
    `${release.version} in ${release.ring} is signed until ${release.expires_at}.\nBuilds take it that name ${publicKeyOf(key)} (shared/contract/publisher-keys.ts).\n`,
  );
}
