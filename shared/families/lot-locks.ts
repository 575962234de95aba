/** Why a lot cannot ship, in words that follow its name: "is locked: an inspection of it failed". */
export const lotLocks = {
  quarantine: 'its receipt is quarantined',
  inactive: 'its receipt line is not an active batch',
  certificate: 'no certificate of the supplier is named for it',
  inspection_open: 'an inspection of it is not finished',
  inspection_failed: 'an inspection of it failed',
  lab_failed: 'a lab result of it failed',
  person: 'a person locked it',
  correction: 'a correction waits for quality',
  conflict: 'two stations wrote different things of it, and nobody decided between them yet',
} as const;

export type LotLock = keyof typeof lotLocks;

/** The same in German, for screens and paper: by the English words. */
export const germanLotLocks: Readonly<Record<string, string>> = {
  [lotLocks.quarantine]: 'sein Wareneingang ist in Quarantäne',
  [lotLocks.inactive]: 'seine Wareneingangsposition ist nicht freigegeben',
  [lotLocks.certificate]: 'kein Zeugnis des Lieferanten ist angegeben',
  [lotLocks.inspection_open]: 'eine Prüfung ist nicht abgeschlossen',
  [lotLocks.inspection_failed]: 'eine Prüfung ist nicht bestanden',
  [lotLocks.lab_failed]: 'ein Laborergebnis ist nicht bestanden',
  [lotLocks.person]: 'es wurde von Hand gesperrt',
  [lotLocks.correction]: 'eine Korrektur wartet auf die Qualitätssicherung',
  [lotLocks.conflict]: 'zwei Stationen haben Verschiedenes geschrieben, und es ist noch nicht entschieden',
} satisfies Record<(typeof lotLocks)[LotLock], string>;

/** A reason in German; what a person gave as one stays as it is. */
export function germanLotLock(reason: string): string {
  // A person may well write `constructor`.
  return (Object.hasOwn(germanLotLocks, reason) ? germanLotLocks[reason] : undefined) ?? reason;
}
