import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Enums, Models, Serialize, SPDX, Spec } from '@cyclonedx/cyclonedx-library';
import { readPackages } from './list-packages.ts';

const PROJECT = join(import.meta.dirname, '..');
/** In every package, at its top or among its resources. */
export const SBOM = 'sbom.cdx.json';

export interface SbomOptions {
  /** Of the package. */
  version: string;
  /** What was built, each with the folder that has its list (`list-packages.ts`). */
  bundles: readonly { dist: string; name: 'server' | 'electron' | 'renderer' }[];
  /** The Node.js that comes along. */
  node?: { version: string; file: string };
  /** Of the Electron that comes along. */
  electron?: string;
}

/** Of packages that have it in a file alone, which somebody has read. */
const LICENSES: Record<string, string> = { 'png-js': 'MIT' };

/** Of a server with its screens. @param dist into which the server was built; the screens are this checkout's */
export function serverAndScreens(dist: string): SbomOptions['bundles'] {
  return [
    { dist, name: 'server' },
    { dist: join(PROJECT, 'dist'), name: 'renderer' },
  ];
}

interface Locked {
  version: string;
  license?: string;
}

/**
 * What a package is made of, as CycloneDX 1.6: every npm package of which something is in the bundles, and the runtime. Without a
 * number or a time of its own, so that a second build of the commit gives the same bytes.
 */
export function sbomOf({ version, bundles, node, electron }: SbomOptions): string {
  const { packages } = JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const places = new Set(bundles.flatMap(({ dist, name }) => readPackages(dist, name)));
  const components = [...places].map(place => {
    const locked = packages[place];
    if (locked === undefined) throw new Error(`${place} is in a bundle and not in package-lock.json.`);
    return npmComponent(place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length), locked);
  });
  if (electron !== undefined)
    components.push(npmComponent('electron', { version: electron, license: 'MIT' }));
  if (node !== undefined) components.push(nodeComponent(node));
  const whole = new Models.Component(Enums.ComponentType.Application, 'holdpoint', {
    version,
    bomRef: `holdpoint@${version}`,
    licenses: new Models.LicenseRepository([new Models.SpdxLicense('MIT')]),
  });
  for (const component of components) whole.dependencies.add(component.bomRef);
  const lifecycles = new Models.LifecycleRepository([Enums.LifecyclePhase.Build]);
  const bom = new Models.Bom({
    metadata: new Models.Metadata({ component: whole, lifecycles }),
    components: new Models.ComponentRepository(components),
  });
  const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  const text = new Serialize.JsonSerializer(factory).serialize(bom, { sortLists: true, space: 1 });
  return `${text}\n`;
}

function npmComponent(name: string, { version, license = LICENSES[name] }: Locked): Models.Component {
  const [group, short] = name.startsWith('@') ? name.split('/') : [undefined, name];
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return new Models.Component(Enums.ComponentType.Library, short ?? name, {
    ...(group === undefined ? {} : { group }),
    version,
    purl,
    bomRef: purl,
    licenses: new Models.LicenseRepository(license === undefined ? [] : [licenseOf(license)]),
  });
}

function licenseOf(text: string): Models.SpdxLicense | Models.LicenseExpression {
  return SPDX.isSupportedSpdxId(text) ? new Models.SpdxLicense(text) : new Models.LicenseExpression(text);
}

function nodeComponent({ version, file }: { version: string; file: string }): Models.Component {
  const purl = `pkg:generic/node@${version}`;
  return new Models.Component(Enums.ComponentType.Platform, 'node', {
    version,
    purl,
    bomRef: purl,
    licenses: new Models.LicenseRepository([new Models.SpdxLicense('MIT')]),
    hashes: new Models.HashDictionary([[Enums.HashAlgorithm['SHA-256'], hash('sha256', readFileSync(file))]]),
  });
}
