/** Why a lot cannot ship, in words that follow its name: "is locked: an inspection of it failed". */
export const lotLocks = {
  quarantine: 'its receipt is quarantined',
  inactive: 'its receipt line is not an active batch',
  inspection_open: 'an inspection of it is not finished',
  inspection_failed: 'an inspection of it failed',
  lab_failed: 'a lab result of it failed',
  person: 'a person locked it',
} as const;

export type LotLock = keyof typeof lotLocks;
