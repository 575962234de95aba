import { expect, it } from 'vitest';
import {
  isSignedBy,
  newPrivateKey,
  publicKeyOf,
  signText,
  verifyAhead,
} from '../../../server/keys/ed25519.ts';
import { ownedByNobody } from './small-order.ts';

/** OpenSSL before 3.5, as Node.js 20 has it, says that it has. */
it('a key of small order has signed nothing, whatever OpenSSL says', async () => {
  expect(ownedByNobody).toHaveLength(14);
  for (const { key, signature } of ownedByNobody)
    for (let one = 0; one < 32; one += 1) {
      const text = `text ${one}`;
      expect(isSignedBy(key, text, signature)).toBe(false);
      const forget = await verifyAhead([{ key, text, signature }]);
      expect(isSignedBy(key, text, signature)).toBe(false);
      forget();
    }
  const own = newPrivateKey();
  expect(isSignedBy(publicKeyOf(own), 'text', signText(own, 'text'))).toBe(true);
});
