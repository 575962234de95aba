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

/** The same in German, for screens and paper. */
export const germanLotLocks: Readonly<Record<LotLock, string>> = {
  quarantine: 'sein Wareneingang ist in Quarantäne',
  inactive: 'seine Wareneingangsposition ist nicht freigegeben',
  inspection_open: 'eine Prüfung ist nicht abgeschlossen',
  inspection_failed: 'eine Prüfung ist nicht bestanden',
  lab_failed: 'ein Laborergebnis ist nicht bestanden',
  person: 'es wurde von Hand gesperrt',
};
