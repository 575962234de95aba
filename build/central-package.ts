import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemdUnit } from '../server/service/systemd-unit.ts';
import { buildBundles } from './bundles.ts';
import { buildStaleScreens } from './fresh-screens.ts';
import { packFolder } from './pack-folder.ts';
import { SBOM, sbomOf, serverAndScreens } from './sbom.ts';
import { sourceEpoch } from './source-epoch.ts';

const PROJECT = join(import.meta.dirname, '..');

const UNIT = systemdUnit({
  role: 'central',
  description: 'Holdpoint central',
  documentation: 'file:///opt/holdpoint/README',
  node: '/usr/bin/env node',
  program: '/opt/holdpoint/dist/server/main.js',
  settings: '/etc/holdpoint/central.env',
  state: 'holdpoint',
  name: 'holdpoint-central',
});

/**
 * Packs the server and its screens for a host without a desktop, as `holdpoint-central-<version>.tar.gz`: unpacked, it
 * runs with Node.js alone, as a service of systemd or in a container. Answers the path of the package.
 * @param options.epoch by which its files are dated, in seconds since 1970: two packages of one source are the same
 * @param options.bundle the server's bundle, with the list of its packages beside it; unless given, it is built
 */
export async function packCentral(
  folder: string,
  { epoch = 0, bundle }: { epoch?: number; bundle?: string } = {},
): Promise<string> {
  const { name, version, license, type } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8'));
  const title = `${name}-central-${version}`;
  const scratch = await mkdtemp(join(tmpdir(), 'holdpoint-central-'));
  try {
    const content = join(scratch, title);
    const dist = join(content, 'dist');
    await mkdir(dist, { recursive: true });
    const built = bundle === undefined ? join(scratch, 'built') : dirname(bundle);
    if (bundle === undefined) await buildBundles(['server'], built);
    await cp(join(built, 'server'), join(dist, 'server'), { recursive: true });
    await writeFile(join(content, SBOM), sbomOf({ version, bundles: serverAndScreens(built) }));
    await cp(join(PROJECT, 'dist', 'renderer'), join(dist, 'renderer'), { recursive: true });
    await cp(join(PROJECT, 'build', 'central'), content, { recursive: true });
    await writeFile(join(content, 'holdpoint-central.service'), UNIT);
    await cp(join(PROJECT, 'LICENSE'), join(content, 'LICENSE'));
    await writeFile(
      join(content, 'package.json'),
      JSON.stringify({ name, version, license, type, private: true }),
    );
    await mkdir(folder, { recursive: true });
    const file = join(folder, `${title}.tar.gz`);
    packFolder(content, file, epoch);
    return file;
  } finally {
    await rm(scratch, { recursive: true });
  }
}

if (import.meta.main) {
  await buildStaleScreens();
  process.stdout.write(
    `${await packCentral(join(PROJECT, 'dist', 'installers'), { epoch: sourceEpoch() })}\n`,
  );
}
