import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { publishingOptions, type RepositoryOptions, requireRing, runTool } from './publishing.ts';

const DAY_MS = 86_400_000;
const DIGESTS = [
  ['SHA256', 'sha256'],
  ['SHA512', 'sha512'],
] as const;

export interface AptRepositoryOptions extends RepositoryOptions {
  /** For how many days apt believes the ring: after that it asks for a newer one. Without it, for ever. */
  validDays?: number | undefined;
}

/**
 * Writes one ring of a repository as apt reads it, signed by the publisher: what central serves at `/apt` cannot be altered by
 * whoever holds central. Answers how apt is told of it, with `CENTRAL` for central's address.
 */
export async function writeAptRepository(options: AptRepositoryOptions): Promise<string> {
  const { folder, ring, packages, key, home, now, validDays } = options;
  requireRing(ring);
  const [dist, pool] = [join(folder, 'dists', ring), join(folder, 'pool')];
  await mkdir(pool, { recursive: true });
  const stanzas = new Map<string, string[]>();
  for (const path of packages) {
    const name = `pool/${basename(path)}`;
    const bytes = await readFile(path);
    // A name stands for one package for ever: what a ring has signed is not replaced under it.
    const there = await readFile(join(folder, name)).catch(() => undefined);
    if (there && !there.equals(bytes))
      throw new Error(`${name} is there with another content. Give it a version of its own.`);
    if (!there) await copyFile(path, join(folder, name));
    const control = runTool('dpkg-deb', ['-f', path]).trim();
    const architecture = /^Architecture: (\S+)$/m.exec(control)?.[1] ?? 'all';
    const digests = DIGESTS.map(([title, algorithm]) => `${title}: ${digestOf(bytes, algorithm)}`);
    const stanza = [control, `Filename: ${name}`, `Size: ${bytes.length}`, ...digests].join('\n');
    stanzas.set(architecture, [...(stanzas.get(architecture) ?? []), `${stanza}\n`]);
  }
  const files = [...stanzas].flatMap(([architecture, each]) => {
    const text = Buffer.from(each.join('\n'));
    const path = `main/binary-${architecture}/Packages`;
    return [
      { path, bytes: text },
      { path: `${path}.gz`, bytes: gzipSync(text, { level: 9 }) },
    ];
  });
  const until = validDays === undefined ? undefined : new Date(now.getTime() + validDays * DAY_MS);
  const release = [
    'Origin: Holdpoint',
    'Label: Holdpoint',
    `Suite: ${ring}`,
    `Codename: ${ring}`,
    `Date: ${now.toUTCString()}`,
    ...(until ? [`Valid-Until: ${until.toUTCString()}`] : []),
    `Architectures: ${[...stanzas.keys()].join(' ')}`,
    'Components: main',
    ...DIGESTS.flatMap(([title, algorithm]) => [
      `${title}:`,
      ...files.map(({ path, bytes }) => ` ${digestOf(bytes, algorithm)} ${bytes.length} ${path}`),
    ]),
    '',
  ].join('\n');
  const gpg = (...words: string[]) =>
    runTool(
      'gpg',
      [...(home ? ['--homedir', home] : []), '--batch', '--yes', '--local-user', key, ...words],
      release,
    );
  // Whole, then in its place: apt meets the old ring or the new one.
  await rm(`${dist}.new`, { recursive: true, force: true });
  for (const { path, bytes } of files) {
    await mkdir(join(`${dist}.new`, path, '..'), { recursive: true });
    await writeFile(join(`${dist}.new`, path), bytes);
  }
  await writeFile(join(`${dist}.new`, 'Release'), release);
  await writeFile(join(`${dist}.new`, 'InRelease'), gpg('--clearsign', '--digest-algo', 'SHA512'));
  await writeFile(
    join(`${dist}.new`, 'Release.gpg'),
    gpg('--armor', '--detach-sign', '--digest-algo', 'SHA512'),
  );
  await rm(dist, { recursive: true, force: true });
  await rename(`${dist}.new`, dist);
  await writeFile(join(folder, 'holdpoint.asc'), gpg('--armor', '--export', key));
  return sourcesOf(ring);
}

/** `/etc/apt/sources.list.d/holdpoint.sources` of a machine that follows a ring. */
export function sourcesOf(ring: string): string {
  return `Types: deb
URIs: CENTRAL/apt
Suites: ${ring}
Components: main
Signed-By: /etc/apt/keyrings/holdpoint.asc
`;
}

function digestOf(bytes: Uint8Array, algorithm: string): string {
  return createHash(algorithm).update(bytes).digest('hex');
}

/** `node build/apt-repository.ts --folder F --ring stable --key FINGERPRINT [--valid-days N] PACKAGE…` */
if (import.meta.main) {
  process.stdout.write(await writeAptRepository({ ...publishingOptions(), now: new Date() }));
}
