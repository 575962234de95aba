import { germanLotLock } from '../../shared/families/lot-locks.ts';
import type { Saying } from './german-remedies.ts';

/** What places, picks and counts refuse: `server/rules/placing.ts`, `picking.ts`, `counting.ts`. */
export const germanPlaces: readonly Saying[] = [
  [
    /^Only a handling unit stands in another place\. .+$/s,
    'Nur ein Ladungsträger steht auf einem anderen Platz. Lassen Sie „Steht auf“ leer, oder wählen Sie die Art Ladungsträger.',
  ],
  [
    /^A handling unit stands in no other one\. .+$/s,
    'Ein Ladungsträger steht auf keinem anderen. Geben Sie den Platz an, auf dem beide stehen.',
  ],
  [
    /^There is a handling unit (\d+) already \(location (\d+)\)\. .+$/s,
    (_, sscc) =>
      `Den Ladungsträger ${sscc} gibt es schon. Nehmen Sie ihn, oder setzen Sie ihn erst außer Gebrauch.`,
  ],
  [
    /^Goods stand on the handling unit (\d+) or on (\d+)\. .+$/s,
    (_, sscc, other) =>
      `Die Ware steht auf dem Ladungsträger ${sscc} oder auf ${other}. Geben Sie einen davon an.`,
  ],
  [
    /^The handling unit (\d+) stands in (.+) with goods on it\. Give that place as location_id, or carry the unit to (.+) first\.$/s,
    (_, sscc, place, here) =>
      `Der Ladungsträger ${sscc} steht mit Ware auf ${place === 'no named place' ? 'keinem benannten Platz' : place}. Geben Sie diesen Platz an, oder bringen Sie ihn erst nach ${here}.`,
  ],
  [
    /^(.+) is no longer in use\. Give another place\.$/s,
    (_, place) => `${place} wird nicht mehr benutzt. Geben Sie einen anderen Platz an.`,
  ],
  [
    /^(.+) needs a place with the storage class (\w+); (.+) has (\w+)\. Give another place\.$/s,
    (word, lot, needed, place, has) =>
      `${goods(lot)} braucht einen Platz der Lagerklasse ${word(needed ?? '')}; ${place} hat ${has === 'none' ? 'keine' : word(has ?? '')}. Geben Sie einen anderen Platz an.`,
  ],
  [
    /^The shipment (.+) has gone\. Pick for one that is open\.$/s,
    (_, number) => `Die Sendung ${number} ist versandt. Entnehmen Sie für eine offene.`,
  ],
  [
    /^Only (.+) of (.+) was picked for (.+)\.$/s,
    (_, quantity, lot, number) => `Nur ${quantity} von ${goods(lot)} ist für ${number} entnommen.`,
  ],
  [
    /^What is picked waits in a place of the kind shipping\. .+$/s,
    'Entnommenes wartet auf einem Versandplatz. Geben Sie einen an, oder lassen Sie die Sendung weg.',
  ],
  [
    /^(.+) is not of the shipment (.+)\. Pick what it asks for\.$/s,
    (_, lot, number) => `${goods(lot)} gehört nicht zur Sendung ${number}. Entnehmen Sie, was sie verlangt.`,
  ],
  [
    /^(.+) is locked: (.+)\. Pick another lot\.$/s,
    (_, lot, why) =>
      `${goods(lot)} ist gesperrt: ${germanLotLock(why ?? '')}. Entnehmen Sie ein anderes Los.`,
  ],
  [
    /^(.+) is locked: (.+)\. Put it apart \((.+)\), or give the reason why it goes to (.+)\.$/s,
    (_, lot, why, apart, to) =>
      `${goods(lot)} ist gesperrt: ${germanLotLock(why ?? '')}. Legen Sie es getrennt (${apart}), oder geben Sie an, warum es nach ${to} kommt.`,
  ],
  [
    /^(.+) expired on (\S+)\. Pick another lot\.$/s,
    (_, lot, day) => `${goods(lot)} ist am ${day} verfallen. Entnehmen Sie ein anderes Los.`,
  ],
  [
    /^The shipment (.+) needs (\S+) more of it, not (\S+)\. .+$/s,
    (_, number, open, wanted) =>
      `Die Sendung ${number} braucht noch ${open} davon, nicht ${wanted}. Entnehmen Sie nicht mehr.`,
  ],
  [
    /^(.+) is counted here already \(item (\d+)\)\. Change that item\.$/s,
    (_, lot) => `${goods(lot)} ist hier schon gezählt. Ändern Sie jene Position.`,
  ],
  [
    /^(.+) is being counted \(count (.+)\)\. .+$/s,
    (_, place, count) =>
      `${place} wird gerade gezählt (Zählung ${count}). Machen Sie damit weiter, oder ziehen Sie sie zurück.`,
  ],
  [
    /^.+: a count is of one place\. .+$/s,
    'Eine Zählung gilt für einen Platz. Ziehen Sie sie zurück, und beginnen Sie eine für den anderen Platz.',
  ],
  [
    /^The count is withdrawn\. Begin another one\.$/,
    'Die Zählung ist zurückgezogen. Beginnen Sie eine andere.',
  ],
  [
    /^The count is posted\. .+$/s,
    'Die Zählung ist gebucht. Berichtigen Sie die Lose, die sie korrigiert hat, mit einem Grund.',
  ],
  [
    /^The count is finished\. .+$/s,
    'Die Zählung ist fertig. Ziehen Sie sie zurück, und beginnen Sie eine andere, um neu zu zählen.',
  ],
  [
    /^Another lot is another item\. .+$/s,
    'Ein anderes Los ist eine andere Position. Fügen Sie eine dafür hinzu.',
  ],
  [
    /^Nothing of it is to be counted once more\. .+$/s,
    'Davon ist nichts noch einmal zu zählen. Geben Sie die erste Zählung an.',
  ],
  [
    /^The first count stays as it was\. .+$/s,
    'Die erste Zählung bleibt, wie sie war. Geben Sie an, was noch einmal gezählt wurde.',
  ],
  [/^Why does (.+) differ\? .+$/s, (_, lot) => `Warum weicht ${goods(lot)} ab? Geben Sie erst den Grund an.`],
  [
    /^What was counted in (.+) is not posted yet \(count (.+)\)\. .+$/s,
    (_, place, count) =>
      `Was in ${place} gezählt wurde, ist noch nicht gebucht (Zählung ${count}). Buchen Sie diese Zählung, oder ziehen Sie sie zurück.`,
  ],
  [
    /^There are two counts of (.+) \((.+) and (.+)\): .+$/s,
    (_, place, one, other) =>
      `Es gibt zwei Zählungen von ${place} (${one} und ${other}): Zwei Stationen haben den Platz gezählt, ohne voneinander zu wissen. Ziehen Sie die zurück, die nicht gilt.`,
  ],
  [
    /^More than (\d+) of (.+) stands there, which no count can say\. .+$/s,
    (_, most, lot) =>
      `Dort steht mehr als ${most} von ${goods(lot)}, mehr als eine Zählung angeben kann. Bringen Sie zuerst einen Teil an einen anderen Platz.`,
  ],
  [
    /^Another count corrected the stock in (.+) after this one was begun\. .+$/s,
    (_, place) =>
      `Eine andere Zählung hat den Bestand in ${place} berichtigt, nachdem diese begonnen war. Ziehen Sie diese zurück, und zählen Sie den Platz neu.`,
  ],
  [
    /^The books changed after it was counted: (.+)\. Withdraw .+$/s,
    (_, lots) =>
      `Die Bücher haben sich seit der Zählung geändert: ${lots.replaceAll(
        /(lot(?: record)? )(.+?) \((\S+) then, (\S+) now\)/g,
        (_all, kind, number, then, now) => `${goods(`${kind}${number}`)} (damals ${then}, jetzt ${now})`,
      )}. Ziehen Sie die Zählung zurück und zählen Sie neu, oder geben Sie an, warum die Abweichung trotzdem gilt.`,
  ],
  [/^The count is not finished\. .+$/s, 'Die Zählung ist nicht fertig. Beenden Sie sie erst.'],
  [/^Something is to be counted once more\. .+$/s, 'Etwas ist noch einmal zu zählen. Zählen Sie es erst.'],
  [
    /^What was counted is what the books say\. .+$/s,
    'Gezählt wurde, was in den Büchern steht. Es gibt nichts zu buchen.',
  ],
  [/^The count is posted already\.$/, 'Die Zählung ist schon gebucht.'],
  [
    /^The count is withdrawn\. Nothing is posted of it\.$/,
    'Die Zählung ist zurückgezogen. Nichts davon wird gebucht.',
  ],
];

/** `lot L-7` as people read it. */
function goods(lot: string | undefined): string {
  return (lot ?? '').replace(/^lot record /, 'Losdatensatz ').replace(/^lot /, 'Los ');
}
