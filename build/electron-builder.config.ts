import { join } from 'node:path';
import type { AfterPackContext, Configuration } from 'electron-builder';
import { programOf, setFuses } from './fuses.ts';
import { signAdHoc, windowsSigning } from './signing.ts';

const NAME = 'holdpoint';
const PRODUCT = 'Holdpoint';
const MAINTAINER = { name: 'The Holdpoint maintainers', email: 'maintainers@holdpoint.invalid' };
const TWO = ['x64' as const, 'arm64' as const];
/** No spaces and no folder: a release's name stands in the update feed and in an address. */
const ARTIFACT = `${NAME}-\${version}-\${os}-\${arch}.\${ext}`;

/**
 * What is packed and how, for `npm run dist`. Only what was built goes in: no sources, no tests, no `node_modules`.
 * Signing is a matter of the machine that builds: see `signing.ts`. Without what it names the installers are unsigned.
 */
export const config = {
  appId: 'io.holdpoint.station',
  productName: PRODUCT,
  artifactName: ARTIFACT,
  copyright: 'Copyright © 2026 The Holdpoint maintainers',
  directories: { output: 'dist/installers', buildResources: 'build' },
  files: [
    'dist/electron/**',
    'dist/renderer/**',
    'dist/server/**',
    // A cache that this machine's Node.js made.
    '!dist/server/compiled/**',
    'package.json',
    '!node_modules/**',
    '!**/node_modules/**',
  ],
  // What Linux packages must say; there is no public site.
  extraMetadata: { author: MAINTAINER, homepage: 'https://holdpoint.invalid' },
  removePackageScripts: true,
  extraResources: [
    { from: 'LICENSE', to: 'LICENSE.txt' },
    // What the package is made of; written by dist.ts.
    { from: 'dist/sbom.cdx.json', to: 'sbom.cdx.json' },
    // For who sets the policy of many machines.
    { from: 'build/policy', to: 'policy' },
  ],
  asar: true,
  npmRebuild: false,
  electronLanguages: ['en', 'en-US', 'de'],
  protocols: [{ name: PRODUCT, schemes: [NAME] }],
  fileAssociations: [],
  // Writes what the updater needs to know into the app; the address is the station's own (electron/updates.ts).
  publish: { provider: 'generic', url: 'http://127.0.0.1:4870/updates' },
  generateUpdatesFilesForAllChannels: false,
  // An AppImage that starts without libfuse2, which newer systems lack.
  toolsets: { appimage: '1.0.3' },
  async afterPack({
    appOutDir: folder,
    electronPlatformName: platform,
  }: Pick<AfterPackContext, 'appOutDir' | 'electronPlatformName'>) {
    await setFuses(programOf({ folder, platform, name: NAME, product: executableOf(platform) }));
    if (platform === 'darwin') signAdHoc(join(folder, `${PRODUCT}.app`));
  },

  win: {
    ...windowsSigning(process.env),
    extraFiles: [{ from: 'build/command/holdpoint.cmd', to: 'bin/holdpoint.cmd' }],
    icon: 'build/icons/icon.ico',
    target: [
      { target: 'nsis', arch: TWO },
      // For group policies and Intune, which update it by themselves.
      { target: 'msi', arch: TWO },
    ],
    verifyUpdateCodeSignature: true,
  },
  nsis: {
    // Per machine or per user: asked, or said by `/allusers` and `/currentuser` together with `/S`.
    oneClick: false,
    perMachine: false,
    selectPerMachineByDefault: true,
    allowElevation: true,
    allowToChangeInstallationDirectory: false,
    deleteAppDataOnUninstall: false,
    differentialPackage: false,
    license: 'LICENSE',
    include: 'build/installer.nsh',
    shortcutName: PRODUCT,
    uninstallDisplayName: PRODUCT,
  },

  msi: { oneClick: true, perMachine: true, runAfterFinish: false, createDesktopShortcut: false },

  mac: {
    extraResources: [{ from: 'build/command/holdpoint', to: 'bin/holdpoint' }],
    icon: 'build/icons/icon.icns',
    target: [
      { target: 'dmg', arch: TWO },
      // What the updater takes.
      { target: 'zip', arch: TWO },
      // For an MDM.
      { target: 'pkg', arch: TWO },
    ],
    category: 'public.app-category.business',
    minimumSystemVersion: '13.0',
    hardenedRuntime: true,
    gatekeeperAssess: false,
    entitlements: 'build/entitlements.mac.plist',
    entitlementsInherit: 'build/entitlements.mac.plist',
    extendInfo: {
      NSCameraUsageDescription: 'The camera reads labels of goods and places once you switch it on.',
    },
    darkModeSupport: true,
  },
  dmg: { writeUpdateInfo: false },
  pkg: {
    installLocation: '/Applications',
    allowAnywhere: false,
    allowCurrentUserHome: false,
    // It goes to its place, wherever another copy lies.
    isRelocatable: false,
  },

  linux: {
    extraFiles: [{ from: 'build/command/holdpoint', to: 'bin/holdpoint' }],
    executableName: NAME,
    icon: 'build/icons',
    target: [
      { target: 'AppImage', arch: TWO },
      { target: 'deb', arch: TWO },
      { target: 'rpm', arch: TWO },
    ],
    category: 'Office',
    maintainer: `${MAINTAINER.name} <${MAINTAINER.email}>`,
    vendor: 'Holdpoint',
    synopsis: 'Quality and inventory records on a station that never waits for the network',
    desktop: { entry: { StartupWMClass: NAME } },
  },
} satisfies Configuration;

/** Linux has the name as people type it, the others as they read it. */
function executableOf(platform: string): string {
  return platform === 'linux' ? NAME : PRODUCT;
}
