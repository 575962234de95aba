import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { publishingOptions, type RepositoryOptions, requireRing, runTool } from './publishing.ts';

/**
 * Writes one ring of a repository as dnf reads it, made by `createrepo_c` and signed by the publisher: what central serves at `/dnf`
 * cannot be altered by whoever holds central. Answers how dnf is told of it, with `CENTRAL` for central's address.
 */
export async function writeDnfRepository(options: RepositoryOptions): Promise<string> {
  const { folder, ring, packages, key, home, now } = options;
  requireRing(ring);
  const [place, made] = [join(folder, ring), join(folder, `${ring}.new`)];
  await rm(made, { recursive: true, force: true });
  await mkdir(made, { recursive: true });
  for (const path of packages) {
    const name = basename(path);
    // A name stands for one package for ever: what a ring has signed is not replaced under it.
    const there = await readFile(join(place, name)).catch(() => undefined);
    if (there && !there.equals(await readFile(path)))
      throw new Error(`${ring}/${name} is there with another content. Give it a version of its own.`);
    await copyFile(path, join(made, name));
  }
  const revision = String(Math.floor(now.getTime() / 1_000));
  runTool('createrepo_c', [
    ...['--quiet', '--no-database', '--checksum', 'sha256', '--general-compress-type', 'gz'],
    ...['--revision', revision, '--set-timestamp-to-revision', made],
  ]);
  const list = join(made, 'repodata', 'repomd.xml');
  const own = [...(home ? ['--homedir', home] : []), '--batch', '--yes', '--local-user', key];
  runTool('gpg', [
    ...own,
    '--armor',
    '--detach-sign',
    '--digest-algo',
    'SHA512',
    '--output',
    `${list}.asc`,
    list,
  ]);
  // Whole, then in its place: dnf meets the old ring or the new one.
  await rm(place, { recursive: true, force: true });
  await rename(made, place);
  await writeFile(join(folder, 'holdpoint.asc'), runTool('gpg', [...own, '--armor', '--export', key]));
  return dnfSourceOf(ring);
}

/** `/etc/yum.repos.d/holdpoint.repo` of a machine that follows a ring. The list is signed, and has the digest of each package. */
export function dnfSourceOf(ring: string): string {
  return `[holdpoint]
name=Holdpoint
baseurl=CENTRAL/dnf/${ring}
repo_gpgcheck=1
gpgcheck=0
gpgkey=file:///etc/pki/rpm-gpg/holdpoint.asc
metadata_expire=6h
`;
}

/** `node build/dnf-repository.ts --folder F --ring stable --key FINGERPRINT PACKAGE…` */
if (import.meta.main) {
  const { validDays: _, ...options } = publishingOptions();
  process.stdout.write(await writeDnfRepository({ ...options, now: new Date() }));
}
