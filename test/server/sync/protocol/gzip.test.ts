import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { gzip } from '../../../../server/sync/protocol/gzip.ts';

it('what is packed is smaller and comes back as it was', () => {
  const text = JSON.stringify(
    Array.from({ length: 200 }, (_, index) => ({ path: 'name', value: `Part ${index}` })),
  );
  for (const message of [text, Buffer.from(text)]) {
    const packed = gzip(message);
    expect(packed.length).toBeLessThan(text.length / 4);
    expect(gunzipSync(packed).toString()).toBe(text);
  }
});
