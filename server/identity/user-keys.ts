import type { IdentityTables, UserKey } from '../store/identity-tables.ts';

/** The key of a person on this machine, as it is kept: sealed by the password. */
export type UserKeys = ReturnType<typeof createUserKeys>;

/** People's keys of this machine. What writes (`put`) runs in a transaction of the write gate. */
export function createUserKeys(tables: IdentityTables, publicKeyOf: (userId: number) => unknown) {
  /** The one that the user's record names, sealed by the password that the user has now; undefined where there is none here. */
  function of(userId: number): UserKey | undefined {
    const [key, secret] = [tables.userKey(userId), tables.secret(userId)];
    const isPresent =
      key?.version === secret?.version &&
      key?.changed_at === secret?.changed_at &&
      key?.public_key === publicKeyOf(userId);
    return isPresent ? key : undefined;
  }

  return { of, put: tables.putUserKey };
}
