import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  BinaryBitmap,
  DecodeHintType,
  GlobalHistogramBinarizer,
  QRCodeReader,
  RGBLuminanceSource,
} from '@zxing/library';
import { expect, it } from 'vitest';
import { checkpointCode } from '../../../server/cli/checkpoint-code.ts';
import { fingerprintOfKey } from '../../../server/keys/ed25519.ts';
import { openAuthority } from '../../../server/trust/authority-key.ts';
import { checkpointFile, isSigned, signCheckpoint } from '../../../server/trust/checkpoint.ts';
import { createCheckpoints } from '../../../server/trust/checkpoints.ts';
import { verifyCheckpoints } from '../../../server/trust/verify-checkpoint.ts';
import { checkpointFileSchema } from '../../../shared/operations/checkpoint-operations.ts';
import { temporaryFolder } from '../store/sqlite/temporary-folder.ts';
import { create, temporaryStore } from '../store/temporary-store.ts';

/** What a phone reads of the printed picture, four points a module. @throws Error where it is no code */
function scanned(picture: string): string {
  const [, width = '0'] = /viewBox="0 0 (\d+) /.exec(picture) ?? [];
  const side = Number(width) * 4;
  const points = new Uint8ClampedArray(side * side).fill(255);
  for (const [, x, y] of picture.matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    for (let row = 0; row < 4; row += 1) {
      const begin = (Number(y) * 4 + row) * side + Number(x) * 4;
      points.fill(0, begin, begin + 4);
    }
  const bitmap = new BinaryBitmap(new GlobalHistogramBinarizer(new RGBLuminanceSource(points, side, side)));
  return new QRCodeReader().decode(bitmap, new Map([[DecodeHintType.PURE_BARCODE, true]])).getText();
}

it('a checkpoint that was printed as a code proves a database, once it is scanned', async () => {
  const store = await temporaryStore();
  await create(store, 'supplier', { name: 'Acme' });
  const authority = openAuthority(store.database.folder);
  const clock = () => new Date('2026-06-30T12:00:00.000Z');
  const checkpoint = createCheckpoints({ store, authority, clock }).present();
  if (!checkpoint) throw new Error('There is no history.');
  const picture = checkpointCode(checkpoint);
  expect(picture).toContain(`key SHA-256 ${fingerprintOfKey(authority.key)}`);
  expect(picture).toContain(checkpoint.at);

  const file = join(temporaryFolder(), 'scanned.json');
  writeFileSync(file, scanned(picture));
  const report = await verifyCheckpoints(store.database.folder, file);
  expect(report).toMatchObject({ findings: [], agreed: 1 });
});

it('holds what is signed, to the letter', () => {
  const installation = '00000000-0000-4000-8000-000000000000';
  const chain = { chain: `${installation}.1`, number: 7, hash: 'ab'.repeat(32) };
  const standing = { installation, at: '2026-06-30T12:00:00.000Z', log: null, chain };
  const checkpoint = signCheckpoint(openAuthority(temporaryFolder()), standing);
  const read = checkpointFileSchema.parse(JSON.parse(scanned(checkpointCode(checkpoint))));
  expect(read).toEqual(checkpointFile([checkpoint]));
  expect(read.checkpoints.map(isSigned)).toEqual([true]);
});
