import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Arch, build, Platform } from 'electron-builder';
import { buildBundles } from '../../build/bundles.ts';
import { config } from '../../build/electron-builder.config.ts';
import { writeStandInElectron } from './stand-in-electron.ts';

const PROJECT = join(import.meta.dirname, '..', '..');

export interface PackedApp {
  /** Everything of the test; the caller removes it. */
  folder: string;
  /** Of the unpacked app: the program, and `resources` with the asar. */
  app: string;
  asar: string;
}

/**
 * Packs the app for Linux as `npm run dist` does, with a stand-in for Electron's runtime, in a folder of its own: other
 * tests use this project's `dist` meanwhile.
 */
export async function packApp(): Promise<PackedApp> {
  const folder = await mkdtemp(join(tmpdir(), 'holdpoint-package-'));
  const projectDir = join(folder, 'project');
  await mkdir(join(projectDir, 'dist'), { recursive: true });
  const { dependencies: _inBundles, ...manifest } = JSON.parse(
    await readFile(join(PROJECT, 'package.json'), 'utf8'),
  );
  await writeFile(join(projectDir, 'package.json'), JSON.stringify(manifest));
  await symlink(join(PROJECT, 'build'), join(projectDir, 'build'));
  // What must not be packed is there to be packed.
  for (const name of ['LICENSE', 'README.md', 'server', 'shared', 'renderer', 'electron']) {
    await cp(join(PROJECT, name), join(projectDir, name), { recursive: true });
  }
  await mkdir(join(projectDir, 'node_modules', 'left-pad'), { recursive: true });
  await writeFile(join(projectDir, 'node_modules', 'left-pad', 'index.js'), '');
  await cp(join(PROJECT, 'dist', 'renderer'), join(projectDir, 'dist', 'renderer'), { recursive: true });
  await buildBundles(['server', 'electron'], join(projectDir, 'dist'));

  const electronDist = join(folder, 'electron');
  await writeStandInElectron(electronDist);
  const output = join(folder, 'out');
  await build({
    projectDir,
    publish: 'never',
    targets: Platform.LINUX.createTarget('dir', Arch.x64),
    config: {
      ...config,
      electronDist,
      electronVersion: '45.3.4',
      directories: { ...config.directories, output },
    },
  });
  const app = join(output, 'linux-unpacked');
  return { folder, app, asar: join(app, 'resources', 'app.asar') };
}
