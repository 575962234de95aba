import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildBundles } from '../../build/bundles.ts';
import { sbomOf, serverAndScreens } from '../../build/sbom.ts';
import manifest from '../../package.json' with { type: 'json' };
import { layServer } from '../support/lay-bundles.ts';

interface Bom {
  components: {
    name: string;
    group?: string;
    version: string;
    purl: string;
    licenses?: object[];
    hashes?: object[];
  }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

/** CycloneDX's own schema of 1.6, which the library brings along, with the two that it refers to. */
const SCHEMAS = join(
  dirname(fileURLToPath(import.meta.resolve('@cyclonedx/cyclonedx-library/package.json'))),
  'res',
  'schema',
);
const schema = (name: string) =>
  JSON.parse(readFileSync(join(SCHEMAS, `${name}.SNAPSHOT.schema.json`), 'utf8'));

function validator() {
  const ajv = new Ajv({ strict: false, allErrors: true, addUsedSchema: false });
  formats.default(ajv);
  // Of a later draft than ajv's formats; what holds them here are addresses of ours.
  ajv.addFormat('iri-reference', true);
  ajv.addFormat('idn-email', true);
  // By the names that the schema refers to them by.
  for (const name of ['spdx', 'jsf-0.82']) {
    const { $id: _published, ...rest } = schema(name);
    ajv.addSchema(rest, `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  }
  return ajv.compile(schema('bom-1.6'));
}

let folder: string;
let text: string;
let bom: Bom;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-sbom-'));
  await Promise.all([layServer(folder), buildBundles(['electron'], folder)]);
  const bundles = [...serverAndScreens(folder), { dist: folder, name: 'electron' as const }];
  const node = { version: process.versions.node, file: process.execPath };
  text = sbomOf({ version: '7.0.0', bundles, node, electron: manifest.devDependencies.electron });
  bom = JSON.parse(text);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the bill of materials', () => {
  it('is what CycloneDX 1.6 asks for', () => {
    const validate = validator();
    expect([validate(bom), validate.errors]).toEqual([true, null]);
    expect(validate({ ...bom, components: [{ name: 'no type' }] })).toBe(false);
    expect(
      validate({
        ...bom,
        components: [{ ...bom.components[0], licenses: [{ license: { id: 'None-1.0' } }] }],
      }),
    ).toBe(false);
  });

  it('names every package that the program asks for, those that they bring, and the runtimes; and no tool', () => {
    const names = bom.components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
    const shown = [
      'react',
      'react-dom',
      '@mantine/core',
      '@tabler/icons-react',
      '@zxing/library',
      'electron-updater',
    ];
    const brought = ['body-parser', 'semver', 'electron', 'node'];
    for (const name of [...Object.keys(manifest.dependencies), ...shown, ...brought])
      expect(names).toContain(name);
    for (const tool of [
      'vite',
      'vitest',
      'typescript',
      '@biomejs/biome',
      'electron-builder',
      'playwright-core',
    ])
      expect(names).not.toContain(tool);
    expect(new Set(bom.components.map(({ purl }) => purl)).size).toBe(bom.components.length);
    expect(bom.dependencies.find(({ ref }) => ref === 'holdpoint@7.0.0')?.dependsOn).toHaveLength(
      bom.components.length,
    );
  });

  it('says of each its version and its licence, and of Node.js which file it is', () => {
    expect(bom.components.filter(({ version, licenses }) => !version || !licenses?.length)).toEqual([]);
    const node = bom.components.find(({ name }) => name === 'node');
    expect(node?.hashes).toEqual([
      { alg: 'SHA-256', content: hash('sha256', readFileSync(process.execPath)) },
    ]);
  });
});
