import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Arch, build, Platform } from 'electron-builder';
import { buildBundles } from '../../build/bundles.ts';
import { config } from '../../build/electron-builder.config.ts';
import { type System, writeStandInElectron } from './stand-in-electron.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const platforms = { linux: Platform.LINUX, win32: Platform.WINDOWS, darwin: Platform.MAC } as const;

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
  const projectDir = await copyProject(folder);
  // What must not be packed is there to be packed.
  for (const name of ['README.md', 'server', 'shared', 'renderer', 'electron']) {
    await cp(join(PROJECT, name), join(projectDir, name), { recursive: true });
  }
  await mkdir(join(projectDir, 'node_modules', 'left-pad'), { recursive: true });
  await writeFile(join(projectDir, 'node_modules', 'left-pad', 'index.js'), '');
  await cp(join(PROJECT, 'dist', 'renderer'), join(projectDir, 'dist', 'renderer'), { recursive: true });
  await buildBundles(['server', 'electron'], join(projectDir, 'dist'));
  const app = await packFor(folder, 'linux', 'x64');
  return { folder, app, asar: join(app, 'resources', 'app.asar') };
}

/** A project in `folder/project` with everything that packing reads but the bundles; answers its place. */
export async function copyProject(folder: string): Promise<string> {
  const projectDir = join(folder, 'project');
  await mkdir(join(projectDir, 'dist'), { recursive: true });
  const { dependencies: _inBundles, ...manifest } = JSON.parse(
    await readFile(join(PROJECT, 'package.json'), 'utf8'),
  );
  await writeFile(join(projectDir, 'package.json'), JSON.stringify(manifest));
  await symlink(join(PROJECT, 'build'), join(projectDir, 'build'));
  await cp(join(PROJECT, 'LICENSE'), join(projectDir, 'LICENSE'));
  return projectDir;
}

/** Packs `folder/project` for a system, with a stand-in for Electron's runtime; answers the folder of the unpacked app. */
export async function packFor(folder: string, system: System, arch: 'x64' | 'arm64'): Promise<string> {
  const electronDist = join(folder, `electron-${system}-${arch}`);
  await writeStandInElectron(electronDist, { system });
  const output = join(folder, `out-${system}-${arch}`);
  let unpacked = '';
  await build({
    projectDir: join(folder, 'project'),
    publish: 'never',
    targets: platforms[system].createTarget('dir', Arch[arch]),
    config: {
      ...config,
      // electron-builder rewrites the list that it is given.
      files: [...config.files],
      electronDist,
      electronVersion: '45.3.4',
      directories: { ...config.directories, output },
      afterPack: async context => {
        unpacked = context.appOutDir;
        await config.afterPack(context);
      },
    },
  });
  return unpacked;
}
