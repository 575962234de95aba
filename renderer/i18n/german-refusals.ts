import { DIRECTIONS, type Direction } from '../../shared/contract/may.ts';
import { germanLotLock } from '../../shared/families/lot-locks.ts';
import type { Saying } from './german-remedies.ts';

/** What rules, roles and the server's state refuse: `server/rules`, `server/store`, `server/identity`, `server/http`. */
export const germanRefusals: readonly Saying[] = [
  [
    /^There is no (.+) with the id (\d+)\. Give the id of an existing one.*$/s,
    (word, noun, id) => `Es gibt keinen Datensatz „${name(word, noun)}“ mit der Id ${id}.`,
  ],
  [
    /^There is no (.+) with the id (\d+)\.$/s,
    (word, noun, id) => `Es gibt keinen Datensatz „${name(word, noun)}“ mit der Id ${id}.`,
  ],
  [/^There is no record with the id (.+)\.$/s, (_, id) => `Es gibt keinen Datensatz mit der Id ${id}.`],
  [
    /^The purchase order (.+) is of the supplier (\d+), and the receipt says (\d+)\. .+$/s,
    (_, number) =>
      `Die Bestellung ${number} ist von einem anderen Lieferanten als der Wareneingang. Nennen Sie eine andere Bestellung oder deren Lieferanten.`,
  ],
  [
    /^"(.+)" is taken by the record (\d+)\. Give another one, or change that record\.$/s,
    (_, value, id) =>
      `„${value}“ ist schon vergeben, an den Datensatz ${id}. Geben Sie etwas anderes an, oder ändern Sie jenen Datensatz.`,
  ],
  [
    /^"(.+)" is taken; history names an author by it\. Give another one\.$/s,
    (_, value) =>
      `„${value}“ ist vergeben; die Historie nennt damit einen Urheber. Geben Sie etwas anderes an.`,
  ],
  [
    /^The serial number "(.+)" stands in this receipt already, .+$/s,
    (_, serial) =>
      `Die Seriennummer „${serial}“ steht schon in diesem Wareneingang, und ein Stück wird einmal angenommen. Lassen Sie sie weg.`,
  ],
  [
    /^The pallet (.+) with goods of this lot stands in this receipt already, .+$/s,
    (_, sscc) =>
      `Die Palette ${sscc} mit Ware dieses Loses steht schon in diesem Wareneingang und wird einmal angenommen. Berichtigen Sie jene Zeile, oder lassen Sie diese weg.`,
  ],
  [
    /^The number cannot be cleared\. .+$/s,
    'Die Nummer kann nicht gelöscht werden. Geben Sie eine andere an, oder lassen Sie sie stehen.',
  ],
  [
    /^The record has changed meanwhile; .+$/s,
    'Der Datensatz wurde inzwischen geändert. Lesen Sie ihn neu, und wiederholen Sie die Änderung.',
  ],
  [
    /^(?:Taking this back needs a reason|A correction needs a reason|The reason is missing|A disposition needs a reason).*$/s,
    'Der Grund fehlt. Sagen Sie, warum; er bleibt in der Historie.',
  ],
  [
    /^The reason is too long\. The most is ([\d,]+) characters\.$/,
    (_, most = '') => `Der Grund ist zu lang. Höchstens ${most.replaceAll(',', '.')} Zeichen.`,
  ],
  [
    /^Only (\S+) of (.+) is there(?: at location (\d+))?, not (\S+)\. Give at most that quantity\.$/s,
    (_, there, lot, place, wanted) =>
      `Von ${lotName(lot)} sind${place ? ` am Lagerplatz ${place}` : ''} nur ${there} da, nicht ${wanted}. Geben Sie höchstens diese Menge an.`,
  ],
  [
    /^The lot stands in several places\. Give one of (.+)\.$/s,
    (_, places) => `Das Los liegt an mehreren Plätzen. Geben Sie einen davon an: ${places}.`,
  ],
  [
    /^The lot stands there already\. Give another location\.$/,
    'Das Los liegt schon dort. Geben Sie einen anderen Lagerplatz an.',
  ],
  [
    /^(.+?) \((.+)\) is short of (.+?)\.(?: Not usable: (.+)\.)? Lower the quantity, or receive or release stock first\.$/s,
    (_, item, part, quantity, why) =>
      `${itemName(item)} (${part?.replace(', lot ', ', Los ')}): Es fehlen ${quantity}.${why ? ` Nicht verwendbar: ${obstacles(why)}.` : ''} Verringern Sie die Menge, oder nehmen Sie erst Ware an oder geben Sie welche frei.`,
  ],
  [
    /^(lot .+) expired on (\S+)\. Give an earlier date, or clear it first\.$/s,
    (_, lot, day) =>
      `${lotName(lot)} ist am ${day} abgelaufen. Geben Sie einen früheren Tag an, oder löschen Sie ihn erst.`,
  ],
  [
    /^(lot .+) was received on (\S+)\. Give no earlier date, or clear it first\.$/s,
    (_, lot, day) =>
      `${lotName(lot)} kam am ${day}. Geben Sie keinen früheren Tag an, oder löschen Sie ihn erst.`,
  ],
  [
    /^Another value has arrived meanwhile\. .+$/s,
    'Inzwischen ist ein weiterer Wert gekommen. Sehen Sie sich alle an und entscheiden Sie neu.',
  ],
  [
    /^The conflict is closed already\. .+$/s,
    'Der Konflikt ist schon entschieden. Ändern Sie den Datensatz selbst.',
  ],
  [
    /^The shipment is closed, so its items cannot change\. .+$/s,
    'Die Sendung ist geschlossen; ihre Positionen ändern sich nicht mehr. Öffnen Sie sie erst wieder, mit einem Grund.',
  ],
  [
    /^This takes back (\S+) more of (.+) than is left there; it was shipped, moved or used\. .+$/s,
    (_, quantity, lot) =>
      `Das nähme ${quantity} mehr von ${lotName(lot)} zurück, als dort noch ist; es wurde versandt, umgelagert oder verbraucht. Nehmen Sie mindestens so viel an, oder nehmen Sie das zuerst zurück.`,
  ],
  [
    /^The line cannot leave (.+?): (.+)\. Settle that first\.$/s,
    (_, lot, why) =>
      `Die Position kann ${lotName(lot)} nicht verlassen: ${obstacles(why ?? '')}. Klären Sie das zuerst.`,
  ],
  [
    /^(.+?) of this part is locked \(lot record (\d+)\): (.+)\. Settle that first; .+$/s,
    (_, lot, record, why) =>
      `${lotName(lot)} dieses Teils ist gesperrt (Datensatz ${record}): ${obstacles(why ?? '')}. Klären Sie das zuerst; was vom Los noch da ist, wird dort berichtigt.`,
  ],
  [
    /^This installation has records of its own, and the code is for a fresh one\. .+$/s,
    'Diese Installation hat eigene Datensätze, und der Code ist für eine neue. Bitten Sie die Zentrale um einen Code, mit dem sie sie mitbringen darf.',
  ],
  [
    /^"(.+)" is no unit of (\w+)\. Change unit_of_measure or unit_type\.$/s,
    (word, unit, type) =>
      `„${word(unit ?? '')}“ ist keine Einheit für ${word(type ?? '')}. Ändern Sie die Mengeneinheit oder die Art der Einheit.`,
  ],
  [
    /^"(.+)" is not a unit\. Allowed: (.+)\.$/s,
    (_, unit, allowed) => `„${unit}“ ist keine Einheit. Möglich: ${allowed}.`,
  ],
  [
    /^A part cannot be its own parent, .+$/s,
    'Ein Teil kann weder sich selbst noch einem seiner übergeordneten Teile übergeordnet sein. Wählen Sie ein anderes.',
  ],
  [
    /^The login or the password is wrong\. Try again\.$/,
    'Benutzername oder Passwort ist falsch. Versuchen Sie es noch einmal.',
  ],
  [
    /^The login or the password is wrong, or you have never signed in at this station: .+$/s,
    'Benutzername oder Passwort ist falsch, oder Sie haben sich an dieser Station noch nie angemeldet: Das erste Mal braucht die Zentrale, und die ist gerade nicht erreichbar. Versuchen Sie es, sobald der Abgleich wieder läuft. Ein Administrator der Zentrale kann Sie dieser Station auch vorher zuordnen.',
  ],
  [
    /^You have never given your password at this station: .+$/s,
    'Sie haben Ihr Passwort an dieser Station noch nie angegeben: Das erste Mal braucht die Zentrale, und die ist gerade nicht erreichbar. Versuchen Sie es, sobald der Abgleich wieder läuft.',
  ],
  [
    /^Sign in at central first, and choose another password there: .+$/s,
    'Melden Sie sich zuerst an der Zentrale an, und wählen Sie dort ein anderes Passwort: Dieses kennt vielleicht jemand anderes, und es geht an keine weitere Station.',
  ],
  [
    /^This station has not heard of you from central yet\..+$/s,
    'Diese Station hat von der Zentrale noch nichts von Ihnen gehört. Versuchen Sie es in einer Minute noch einmal.',
  ],
  [/^The password is wrong\..*$/s, 'Das Passwort ist falsch. Geben Sie das an, mit dem Sie sich anmelden.'],
  [
    /^.+ needs a second person: nobody signs .+$/s,
    'Das braucht eine zweite Person: Niemand unterschreibt, was er im selben Zug anlegt. Speichern Sie es ohne, und bitten Sie jemand anderen, es zu tun.',
  ],
  [
    /^.+ needs a second person, who signs .+\. Leave (.+) out, or save .+$/s,
    (_, paths) =>
      `Das braucht eine zweite Person; sie unterschreibt, was jemand anderes hinterlassen hat. Lassen Sie weg, was sich noch ändert (${paths}), oder speichern Sie das zuerst und bitten jemand anderen um die Unterschrift.`,
  ],
  [
    /^(?:.+ needs a second person: another|What is let in .+ needs a second person).+$/s,
    'Das braucht eine zweite Person: eine andere als die, die es zuletzt geändert hat. Das sind Sie. Bitten Sie jemand anderen, der es darf.',
  ],
  [
    /^An import signs nothing,.*$/s,
    'Ein Import unterschreibt nichts, und diese Zeile enthält, was hier unterschrieben wird. Lassen Sie es weg, und tun Sie es angemeldet.',
  ],
  [
    /^The sample company holds decisions that nobody signed.*$/s,
    'Der Beispielbetrieb enthält Entscheidungen, die niemand unterschrieben hat, und die Einstellungen verlangen Unterschriften. Laden Sie ihn zuerst, und wählen Sie danach, was unterschrieben wird.',
  ],
  [/^Your password is missing\..*$/s, 'Ihr Passwort fehlt. Mit ihm wird diese Änderung unterschrieben.'],
  [
    /^The password is missing\. Give one of at least (\d+) characters\.$/,
    (_, least) => `Das Passwort fehlt. Geben Sie eines mit mindestens ${least} Zeichen an.`,
  ],
  [/^The password is missing\. Give it as text\.$/, 'Das Passwort fehlt.'],
  [
    /^The password is too short\. Give at least (\d+) characters; .+$/s,
    (_, least) =>
      `Das Passwort ist zu kurz. Geben Sie mindestens ${least} Zeichen an; am besten mehrere Wörter.`,
  ],
  [
    /^The password is too long\. The most is (\d+)\.$/,
    (_, most) => `Das Passwort ist zu lang. Höchstens ${most}.`,
  ],
  [
    /^The password is the name of the user\. .+$/s,
    'Das Passwort ist der Name des Benutzers. Geben Sie ein anderes an; am besten mehrere Wörter.',
  ],
  [
    /^Too many people choose this password\. .+$/s,
    'Zu viele Menschen wählen dieses Passwort. Geben Sie ein anderes an; am besten mehrere Wörter.',
  ],
  [
    /^The password was used before\. .+$/s,
    'Dieses Passwort gab es schon. Geben Sie eines an, das keines der letzten zehn ist; am besten mehrere Wörter.',
  ],
  [
    /^Somebody else has set your password\. Choose one of your own first\.$/,
    'Jemand anderes hat Ihr Passwort gesetzt. Wählen Sie zuerst ein eigenes.',
  ],
  [
    /^Your password is older than this site lets it be\. .+$/s,
    'Ihr Passwort ist älter, als dieser Standort es erlaubt. Wählen Sie zuerst ein anderes.',
  ],
  [
    /^Somebody else has set your password, so it signs nothing\. .+$/s,
    'Jemand anderes hat Ihr Passwort gesetzt, deshalb unterschreibt es nichts. Wählen Sie zuerst in der Zentrale ein eigenes.',
  ],
  [
    /^ends when the user chooses another password, and not otherwise\. Leave it out\.$/,
    'Das endet, wenn der Benutzer ein anderes Passwort wählt, und nicht anders. Lassen Sie es weg.',
  ],
  [
    /^Wrong passwords for "(.+)" came from many places on (\S+) at (\S+) UTC\.$/s,
    (_, login, day, time) =>
      `Falsche Passwörter für „${login}“ kamen von vielen Orten, am ${day} um ${time} UTC.`,
  ],
  [
    /^The token "(.+)" works, and "(.+)", who made it and knows its secret, does not administer any more\. .+$/s,
    (_, token, login) =>
      `Das Token „${token}“ gilt, und „${login}“ hat es angelegt, kennt sein Geheimnis und verwaltet hier nicht mehr. Legen Sie statt seiner ein anderes an, und widerrufen Sie es.`,
  ],
  [
    /^Too many wrong passwords\. Try again in (\d+) seconds?\.$/,
    (_, seconds) =>
      `Zu viele falsche Passwörter. Versuchen Sie es in ${seconds} ${seconds === '1' ? 'Sekunde' : 'Sekunden'} wieder.`,
  ],
  [
    /^Too many wrong passwords\. Try again in (\d+) minutes, or ask an administrator\.$/,
    (_, minutes) =>
      `Zu viele falsche Passwörter. Versuchen Sie es in ${minutes} Minuten wieder, oder fragen Sie einen Administrator.`,
  ],
  [
    /^This needs the role (\w+)\. Yours: (.+)\. Ask an administrator\.$/s,
    (_, role, own = '') =>
      `Dafür ist die Rolle ${roleName(role)} nötig. Sie haben: ${own === 'none' ? 'keine' : own.split(', ').map(roleName).join(', ')}. Fragen Sie einen Administrator.`,
  ],
  [
    /^(?:To (create|change) (.+?)|(.+?), ([a-z ,]+):) (?:needs the role (\w+)\. Yours: (.+)\. Ask somebody who has it\.|is for nobody: the server does it by itself\.)$/s,
    (word, verb, noun, label, direction, role, own = '') => {
      const what =
        verb === undefined || verb === ''
          ? `${word(label ?? '')} (${germanDirection(direction)})`
          : `${name(word, noun)} ${verb === 'create' ? 'anlegen' : 'ändern'}`;
      return role === undefined || role === ''
        ? `${what}: Das darf niemand; der Server tut es von selbst.`
        : `${what}: Dafür ist die Rolle ${roleName(role)} nötig. Sie haben: ${own === 'none' ? 'keine' : own.split(', ').map(roleName).join(', ')}. Fragen Sie jemanden, der sie hat.`;
    },
  ],
  [
    /^What was saved changes with a reason only \((.+)\)\. .+$/s,
    (word, labels = '') =>
      `Was gespeichert war, ändert sich nur mit einem Grund (${labels
        .split(', ')
        .map(each => word(each))
        .join(', ')}). Geben Sie ihn an; er bleibt in der Historie.`,
  ],
  [
    /^What failed is taken back by another person .+$/s,
    'Was nicht bestanden war, nimmt jemand anderes zurück als die Person, die gemessen hat. Fragen Sie jemand anderen mit der Rolle Qualität.',
  ],
  [
    /^A disposition, and what it is about, needs the role quality\. .+$/s,
    'Eine Verwendungsentscheidung, und worum es in ihr geht, ändert nur die Rolle Qualität. Fragen Sie jemanden, der sie hat.',
  ],
  [
    /^Whoever changed it does not accept it\. .+$/s,
    'Wer es geändert hat, erkennt es nicht an. Fragen Sie jemand anderen mit der Rolle Qualität.',
  ],
  [/^The correction waits for nobody\. .+$/s, 'Die Korrektur wartet auf niemanden mehr. Lesen Sie sie neu.'],
  [
    /^A person with the role quality accepts a correction\. .+$/s,
    'Eine Korrektur erkennt eine Person mit der Rolle Qualität an. Melden Sie sich als solche an.',
  ],
  [
    /^A person with the role quality issues and withdraws certificates\. .+$/s,
    'Zertifikate stellt eine Person mit der Rolle Qualität aus und zieht sie zurück. Melden Sie sich als solche an.',
  ],
  [
    /^The certificate is withdrawn already\. .+$/s,
    'Das Zertifikat ist schon zurückgezogen. Lesen Sie es neu.',
  ],
  [
    /^A plan is for goods of a kind\. .+$/s,
    'Eine Prüfregel gilt für bestimmte Ware. Geben Sie ein Teil, eine Teileart, einen Lieferanten oder Teil und Lieferant an.',
  ],
  [/^How many samples are a fixed number\? .+$/s, 'Wie viele Proben? Geben Sie die Anzahl an, etwa 5.'],
  [
    /^The certificate (\S+) is not printed: .+$/s,
    (_, number) =>
      `Das Zertifikat ${number} wird nicht gedruckt: Was davon aufbewahrt ist, passt nicht mehr zu seinem Prüfwert. Lassen Sie diese Installation prüfen (holdpoint verify), und stellen Sie ein neues aus.`,
  ],
  [
    /^The lot (.+) gets no certificate while it is locked: (.+) \(\S+\)\.$/s,
    (_, lot, lock = '') =>
      `Das Los ${lot} bekommt kein Zertifikat, solange es gesperrt ist: ${germanLotLock(lock)}.`,
  ],
  [
    /^The lot (.+) gets no certificate: in the lab result (\d+), (.+) lies outside its limits\.$/s,
    (_, lot, id, measurements) =>
      `Das Los ${lot} bekommt kein Zertifikat: Im Laborergebnis ${id} liegt außerhalb der Grenzen: ${measurements}.`,
  ],
  [
    /^The lot (.+) gets no certificate: it has no lab result\. .+$/s,
    (_, lot) =>
      `Das Los ${lot} bekommt kein Zertifikat: Es hat kein Laborergebnis. Erfassen Sie zuerst eines.`,
  ],
  [
    /^Lifting a lock needs the role quality\. .+$/s,
    'Eine Sperre aufheben darf nur die Rolle Qualität. Fragen Sie jemanden, der sie hat.',
  ],
  [
    /^This is the last active administrator\. .+$/s,
    'Das ist der letzte aktive Administrator. Machen Sie erst einen anderen Benutzer dazu.',
  ],
  [/^There is no session\. Sign in first\.$/, 'Sie sind nicht angemeldet. Melden Sie sich zuerst an.'],
  [/^The session is locked\. .+$/s, 'Die Sitzung ist gesperrt. Entsperren Sie sie mit dem Passwort.'],
  [
    /^The server could not answer\. Its log names the cause\.$/,
    'Der Server konnte nicht antworten. Sein Protokoll nennt die Ursache.',
  ],
  [/^The server cannot be reached\. .+$/s, 'Der Server ist nicht zu erreichen. Prüfen Sie, ob er läuft.'],
  [
    /^The audit trail is reviewed until (\S+)\. The next review was due on (\S+)\.$/,
    (_, until, day) =>
      `Der Audit-Trail ist bis ${until} durchgesehen. Die nächste Durchsicht war am ${day} fällig.`,
  ],
  [
    /^Nobody has reviewed the audit trail yet\. The first review was due on (\S+)\.$/,
    (_, day) => `Den Audit-Trail hat noch niemand durchgesehen. Die erste Durchsicht war am ${day} fällig.`,
  ],
];

const roles: Record<string, string> = {
  viewer: 'Betrachter',
  operator: 'Werker',
  inspector: 'Prüfer',
  quality: 'Qualität',
  administrator: 'Administrator',
};

/** Into which direction a value changes: `DIRECTIONS` of `shared/contract/may.ts`. */
const directions: Readonly<Record<Direction, string>> = {
  any: 'jede Änderung',
  first: 'der erste Wert',
  correction: 'ein gespeicherter Wert wird ersetzt oder geleert',
  more: 'er steigt',
  less: 'er sinkt',
  later: 'auf einen späteren Tag oder auf keinen',
  earlier: 'auf einen früheren Tag',
  toTrue: 'auf ja',
  toFalse: 'auf nein',
  fromTrue: 'von ja auf etwas anderes',
  fromFalse: 'von nein auf etwas anderes',
  leavesFailed: 'von nicht bestanden auf etwas anderes',
  becomesClosed: 'auf abgeschlossen',
  given: 'er wird angegeben',
  cleared: 'er wird geleert',
  leavesOpen: 'von offen auf etwas anderes',
  leavesClosed: 'von abgeschlossen auf etwas anderes',
};

/** Why a lot cannot be used, with what shipping adds to the locks. */
function obstacles(english: string): string {
  return english
    .split('; ')
    .map(each => {
      const [, lot, lock] = /^(lot .+) is locked: (.+)$/.exec(each) ?? [];
      if (lot && lock) return `${lotName(lot)} ist gesperrt: ${germanLotLock(lock)}`;
      const [, expired, day] = /^(lot .+) expired on (\S+)$/.exec(each) ?? [];
      if (expired) return `${lotName(expired)} ist am ${day} abgelaufen`;
      const [, received, came, shipped] = /^(lot .+) was received on (\S+), after (\S+)$/.exec(each) ?? [];
      if (received) return `${lotName(received)} kam am ${came}, nach dem ${shipped}`;
      const [, kept, unit, other] =
        /^(lot .+) is kept in (.+), which does not convert to (.+)$/.exec(each) ?? [];
      if (kept) return `${lotName(kept)} wird in ${unit} geführt, das sich nicht in ${other} umrechnen lässt`;
      return germanLotLock(each);
    })
    .join('; ');
}

/** The server names a kind of record in small letters: `non-conformance report`. */
function name(word: (english: string) => string, noun = ''): string {
  return word(noun.charAt(0).toUpperCase() + noun.slice(1));
}

function germanDirection(english = ''): string {
  const names = Object.keys(directions) as Direction[];
  const found = names.find(each => DIRECTIONS[each].words === english);
  return found ? directions[found] : english;
}

function roleName(role = ''): string {
  return roles[role] ?? role;
}

function lotName(lot = ''): string {
  return lot.replace(/^lot record /, 'Los (Datensatz) ').replace(/^lot /, 'Los ');
}

function itemName(item = ''): string {
  return item
    .replace(/^Item /, 'Position ')
    .replace(/^items\.(\d+)$/, (_, at) => `Position ${Number(at) + 1}`);
}
