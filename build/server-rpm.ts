import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildStaleScreens } from './fresh-screens.ts';
import { datedAs, layServer, type ServerPackageOptions } from './server-package.ts';
import { sourceEpoch } from './source-epoch.ts';

const PROJECT = join(import.meta.dirname, '..');
const NAME = 'holdpoint-server';

export type ServerRpmOptions = Pick<ServerPackageOptions, 'folder' | 'version' | 'bundle' | 'epoch'> & {
  /** `none` where it matters how long it takes. */
  compression?: 'zstd' | 'none';
};

/**
 * Packs the same as `packServer` for Fedora, RHEL and SUSE, as `holdpoint-server-<version>-1.<architecture>.rpm`, by `rpmbuild` alone:
 * nothing is compiled, and what is packed is what lies there. Answers the path.
 */
export async function packServerRpm(options: ServerRpmOptions): Promise<string> {
  const { folder, compression = 'zstd', epoch } = options;
  const top = await mkdtemp(join(tmpdir(), `${NAME}-rpm-`));
  const root = join(top, 'files');
  try {
    await mkdir(root);
    const { version, license } = await layServer(root, options);
    await datedAs(root, epoch);
    const spec = join(top, `${NAME}.spec`);
    await writeFile(spec, await specOf({ version, license, root, compression }));
    const { status, stderr, error } = spawnSync(
      'rpmbuild',
      ['-bb', '--quiet', '--define', `_topdir ${top}`, '--buildroot', join(top, 'build-root'), spec],
      { encoding: 'utf8', env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) } },
    );
    if (status !== 0) throw new Error(`rpmbuild failed: ${error?.message ?? stderr}`);
    const [architecture = ''] = await readdir(join(top, 'RPMS'));
    const [name = ''] = await readdir(join(top, 'RPMS', architecture));
    await mkdir(folder, { recursive: true });
    await copyFile(join(top, 'RPMS', architecture, name), join(folder, name));
    return join(folder, name);
  } finally {
    await rm(top, { recursive: true, force: true });
  }
}

interface Spec {
  version: string;
  license: string;
  root: string;
  compression: 'zstd' | 'none';
}

/**
 * Of an update rpm runs the new package's `%post` before the old one's `%preun`: so the service ends in `%pre`, and nothing of the
 * old package touches it after that.
 */
async function specOf({ version, license, root, compression }: Spec): Promise<string> {
  const script = async (name: string) =>
    (await readFile(join(PROJECT, 'build', 'server', name), 'utf8')).replace(/^#!.*\n/, '');
  return `%global debug_package %{nil}
%global __os_install_post %{nil}
%global _build_id_links none
%global _binary_payload ${compression === 'none' ? 'w0.gzdio' : 'w19.zstdio'}
%global use_source_date_epoch_as_buildtime 1
%global clamp_mtime_to_source_date_epoch 1
%global _buildhost holdpoint.invalid

Name: ${NAME}
Version: ${version}
Release: 1
Summary: Holdpoint, the server of this machine
License: ${license}
URL: https://holdpoint.invalid
Packager: The Holdpoint maintainers <maintainers@holdpoint.invalid>
# What Node.js comes with needs no other library than these.
AutoReqProv: no
Requires: glibc >= 2.28, libstdc++, shadow-utils, util-linux, /bin/sh

%description
Quality and inventory records for a receiving dock, as a service for all who work
at the machine, with the screens for the browser, before anybody signs in.

%install
cp -a ${root}/. %{buildroot}

%pre
if [ "$1" -ge 2 ] && [ -d /run/systemd/system ]; then systemctl stop ${NAME}.service; fi

%post
set -- configure
${await script('postinst')}
%preun
[ "$1" = 0 ] || exit 0
set -- remove
${await script('prerm')}
%postun
[ ! -d /run/systemd/system ] || systemctl daemon-reload

%files
%defattr(-,root,root)
/opt/${NAME}
/usr/lib/systemd/system/${NAME}.service
%dir /etc/holdpoint
%config(noreplace) /etc/holdpoint/server.env
`;
}

if (import.meta.main) {
  await buildStaleScreens();
  const folder = join(PROJECT, 'dist', 'installers');
  process.stdout.write(`${await packServerRpm({ folder, epoch: sourceEpoch() })}\n`);
}
