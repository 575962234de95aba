/**
 * Whose releases this build takes: Ed25519 public keys, 32 bytes in base64url, as `build/sign-release.ts` prints them. None:
 * the build takes no updates. Two while one follows the other: a release that either has signed is taken.
 */
export const PUBLISHER_KEYS: readonly string[] = [];
