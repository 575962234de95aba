import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, Platform } from 'electron-builder';
import manifest from '../package.json' with { type: 'json' };
import { PUBLISHER_KEYS } from '../shared/contract/publisher-keys.ts';
import { buildBundles } from './bundles.ts';
import { config } from './electron-builder.config.ts';
import { buildStaleScreens } from './fresh-screens.ts';
import { linuxScripts } from './linux-scripts.ts';
import { SBOM, sbomOf } from './sbom.ts';
import { environmentOf } from './signing.ts';
import { sourceEpoch } from './source-epoch.ts';

/**
 * `npm run dist`: the installers for this system, and the update feed that offers them, in `dist/installers`. With
 * `--dir` the unpacked app instead. Electron, unless it is in `ELECTRON_OVERRIDE_DIST_PATH`, and the tools of the installers are fetched on first use, all but rpmbuild:
 * a Linux without it makes no rpm.
 */
const projectDir = join(import.meta.dirname, '..');
await buildStaleScreens();
await buildBundles(['server', 'electron']);
const dist = join(projectDir, 'dist');
const bundles = (['server', 'electron', 'renderer'] as const).map(name => ({ dist, name }));
const { version, devDependencies } = manifest;
writeFileSync(join(dist, SBOM), sbomOf({ version, bundles, electron: devDependencies.electron }));
const isDir = process.argv.includes('--dir');
const hasRpmbuild = spawnSync('rpmbuild', ['--version']).status === 0;
const target = config.linux.target.filter(each => each.target !== 'rpm' || hasRpmbuild);
if (process.platform === 'linux' && !isDir && !hasRpmbuild) {
  process.stdout.write('No rpm is made, because rpmbuild is not here (apt-get install rpm).\n');
}
if (PUBLISHER_KEYS.length === 0)
  process.stdout.write(
    "These installers take no updates: shared/contract/publisher-keys.ts names no publisher's key.\n",
  );
const scripts = await linuxScripts(join(projectDir, 'dist', 'linux-scripts'));
const { ELECTRON_OVERRIDE_DIST_PATH: electronDist } = process.env;
process.env = environmentOf(process.platform, process.env);
// By which the tools that it calls date what they pack.
process.env.SOURCE_DATE_EPOCH ??= String(sourceEpoch());
const written = await build({
  projectDir,
  config: {
    ...config,
    linux: { ...config.linux, target },
    deb: scripts,
    rpm: scripts,
    ...(electronDist && { electronDist }),
  },
  publish: 'never',
  ...(isDir && { targets: Platform.current().createTarget('dir') }),
});
for (const file of written) process.stdout.write(`${file}\n`);
