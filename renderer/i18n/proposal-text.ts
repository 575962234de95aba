/** What the server proposes as the description of a report (`server/rules/proposals.ts`), which is in English. */
const german: readonly [RegExp, string][] = [
  [/^Inspection (\d+)( \(.+\))? failed\.$/s, 'Prüfung $1$2 nicht bestanden.'],
  [
    /^Inspection (\d+)( \(.+\))? failed: (\d+) of (\d+) measured samples outside their limits\.$/s,
    'Prüfung $1$2 nicht bestanden: $3 von $4 gemessenen Stichproben außerhalb der Grenzen.',
  ],
  [
    /^Inspection (\d+)( \(.+\))? failed: (\d+) of (\d+) measured samples outside their limits; (\d+) were to be measured\.$/s,
    'Prüfung $1$2 nicht bestanden: $3 von $4 gemessenen Stichproben außerhalb der Grenzen; zu messen waren $5.',
  ],
  [/^(.+?) of (.+) rejected on receipt\.$/s, 'Beim Wareneingang abgelehnt: $1 $2.'],
  [/^(.+?) of (.+) rejected on receipt of (.+)\.$/s, 'Beim Wareneingang zu $3 abgelehnt: $1 $2.'],
  [/^Lab result (.+): outside the limits: (.+)\.$/s, 'Laborergebnis $1: außerhalb der Grenzen: $2.'],
  [/^Complaint (.+?)(: .+|\.)$/s, 'Reklamation $1$2'],
  [/^(.+), lot (.+?)\. Locked: (.+)$/s, '$1, Los $2. Gesperrt: $3'],
  [/^(.+), lot (.+)\.$/s, '$1, Los $2.'],
];

/** A proposed description in the language of who will put their name to it; what is not known stays. */
export function proposalText(text: string, language: string): string {
  const [pattern, words] = (language === 'de' && german.find(([each]) => each.test(text))) || [];
  return pattern && words !== undefined ? text.replace(pattern, words) : text;
}
