/** Why a lot cannot be used: `shared/lot-locks.ts`. */
export const germanLocks: Readonly<Record<string, string>> = {
  'its receipt is quarantined': 'sein Wareneingang ist in Quarantäne',
  'its receipt line is not an active batch': 'seine Wareneingangsposition ist nicht freigegeben',
  'an inspection of it is not finished': 'eine Prüfung ist nicht abgeschlossen',
  'an inspection of it failed': 'eine Prüfung ist nicht bestanden',
  'a lab result of it failed': 'ein Laborergebnis ist nicht bestanden',
  'a person locked it': 'es wurde von Hand gesperrt',
};
