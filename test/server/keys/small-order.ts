const P = 2n ** 255n - 19n;
const EIGHTH = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;

function encoded(y: bigint, isNegative: boolean): Buffer {
  const bytes = Buffer.from(y.toString(16).padStart(64, '0'), 'hex').reverse();
  if (isNegative) bytes[31] = (bytes[31] ?? 0) | 0x80;
  return bytes;
}

const base = Buffer.alloc(32, 0x66);
base[0] = 0x58;
const neutral = Buffer.concat([base, encoded(1n, false)]).toString('base64url');

/**
 * Ed25519 keys without a secret: all points of small order, in each way to write them. By each, the one signature that goes with it is over
 * every text (order 1), or over one of as many as its order is.
 */
export const ownedByNobody = [0n, 1n, P - 1n, P, P + 1n, EIGHTH, P - EIGHTH]
  .flatMap(y => [encoded(y, false), encoded(y, true)])
  .map(bytes => ({ key: bytes.toString('base64url'), signature: neutral }));
