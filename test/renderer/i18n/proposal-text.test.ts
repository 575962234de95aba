import { expect, it } from 'vitest';
import { proposalText } from '../../../renderer/i18n/proposal-text.ts';

it.each([
  ['Inspection 7 failed.', 'Prüfung 7 nicht bestanden.'],
  [
    'Inspection 7 (Jar) failed: 2 of 3 measured samples outside their limits.',
    'Prüfung 7 (Jar) nicht bestanden: 2 von 3 gemessenen Stichproben außerhalb der Grenzen.',
  ],
  [
    'Inspection 7 (Jar) failed: 2 of 3 measured samples outside their limits; 4 were to be measured.',
    'Prüfung 7 (Jar) nicht bestanden: 2 von 3 gemessenen Stichproben außerhalb der Grenzen; zu messen waren 4.',
  ],
  ['2 kg of Jar rejected on receipt.', 'Beim Wareneingang abgelehnt: 2 kg Jar.'],
  ['2 kg of Jar rejected on receipt of PO-1.', 'Beim Wareneingang zu PO-1 abgelehnt: 2 kg Jar.'],
  [
    'Lab result T-1: outside the limits: lead 0.5, alcohol <4.',
    'Laborergebnis T-1: außerhalb der Grenzen: lead 0.5, alcohol <4.',
  ],
  ['Complaint C-1.', 'Reklamation C-1.'],
  ['Complaint C-1: Ann: It is rusty', 'Reklamation C-1: Ann: It is rusty'],
  ['Jar, lot L.', 'Jar, Los L.'],
  ['Jar, lot L. Locked: broken seal', 'Jar, Los L. Gesperrt: broken seal'],
  ['Rusty all over', 'Rusty all over'],
])('%s is said in German and stays in English', (english, german) => {
  expect(proposalText(english, 'de')).toBe(german);
  expect(proposalText(english, 'en')).toBe(english);
});
