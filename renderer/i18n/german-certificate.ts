import type { Saying } from './german-remedies.ts';

const REMEDIES = {
  own: 'Erneuern Sie es: Einrichtung, Stationen.',
  given:
    'Es wurde der Zentrale gegeben (HOLDPOINT_CERTIFICATE): Legen Sie dort ein neues ab und starten Sie die Zentrale neu.',
};

const UNITS: Readonly<Record<string, string>> = {
  minute: 'Minute',
  minutes: 'Minuten',
  hour: 'Stunde',
  hours: 'Stunden',
  day: 'Tag',
  days: 'Tage',
  year: 'Jahr',
  years: 'Jahre',
};

/** What is said of central's certificate and of clocks: `server/enrolment/renewal.ts`, `server/sync/`, `server/store/clock-watch.ts`. */
export const germanCertificate: readonly Saying[] = [
  [
    /^Central's certificate (ended|ends) at (\d{4}-\d\d-\d\d)T\S+ (Renew it)?/,
    (_word, verb, day, own) =>
      `Das Zertifikat der Zentrale ${verb === 'ends' ? 'endet' : 'endete'} am ${day}. ${own ? REMEDIES.own : REMEDIES.given}`,
  ],
  [
    /^(This installation|Central) signs with another key than before: SHA-256 (\w+) in the place of (\w+)\..* Certified by (\d) of (\d)( \(.*\))?\.$/,
    (_word, who, key, former, count, due, by = '') =>
      who === 'Central'
        ? `Die Zentrale unterschreibt mit einem anderen Schlüssel als bisher: SHA-256 ${key} anstelle von ${former}. Entweder ging dort authority.key verloren und zwei Administratoren haben den neuen noch nicht beglaubigt, oder jemand anderes antwortet an ihrer Stelle. Fragen Sie dort nach. Beglaubigt von ${count} der ${due} Nötigen${by}.`
        : `Diese Installation unterschreibt mit einem anderen Schlüssel als bisher: SHA-256 ${key} anstelle von ${former}. Legen Sie die frühere authority.key zurück, oder lassen Sie den neuen von zwei Administratoren beglaubigen: holdpoint authority certify. Beglaubigt von ${count} der ${due} Nötigen${by}.`,
  ],
  [
    /^The clock needs no confirmation: /,
    'Die Uhr braucht keine Bestätigung: Sie geht wieder richtig, oder jemand hat sie bestätigt.',
  ],
  [
    /^The machine's clock was set while this was being saved/,
    'Die Uhr des Rechners wurde während des Speicherns gestellt, und nichts wurde gespeichert. Speichern Sie noch einmal.',
  ],
  [
    /^The clock was changed again meanwhile\./,
    'Die Uhr wurde inzwischen noch einmal verstellt. Sehen Sie nach, was sie jetzt zeigt, und bestätigen Sie das.',
  ],
  [
    /^This machine's clock is ([\d.]+) (\w+) (behind|ahead of) central's\./,
    (_word, count = '', unit = '', side) =>
      `Die Uhr dieses Rechners geht gegenüber der Zentrale ${count.replace('.', ',')} ${UNITS[unit] ?? unit} ${side === 'behind' ? 'nach' : 'vor'}. Stellen Sie sie richtig, oder die der Zentrale, wenn jene falsch geht. Was hier inzwischen geschrieben wird, trägt den Unterschied.`,
  ],
  [
    /^(\S+): central shows a certificate that it had before it was renewed\./,
    (_word, host) =>
      `${host}: Die Zentrale zeigt ein Zertifikat, das sie vor der Erneuerung hatte. Ihr Ordner oder Rechner wurde auf einen früheren Stand zurückgesetzt, oder jemand hat ihren früheren Schlüssel. Legen Sie an der Zentrale central.crt, central.key und central.certificates.json aus der neuesten Kopie zurück und starten Sie sie neu; gibt es keine, machen Sie dort einen neuen Code und schließen Sie diese Station neu an. Gesendet wurde nichts.`,
  ],
  [
    /^(\S+): its certificate is not central's, and none that follows it\./,
    (_word, host) =>
      `${host}: Das Zertifikat ist nicht das der Zentrale und folgt auch keinem von ihr. Vielleicht steht jemand dazwischen. Wurde das Zertifikat der Zentrale neu gemacht, machen Sie dort einen neuen Code und schließen Sie diese Station neu an. Gesendet wurde nichts.`,
  ],
  [
    /^(\S+) is over at central\. Give a time to come\.$/,
    (_word, at) => `${at} ist an der Zentrale vorbei. Geben Sie eine Zeit an, die noch kommt.`,
  ],
  [
    /^The present certificate ends at (\d{4}-\d\d-\d\d)T\S+ Give a time before that\.$/,
    (_word, day) => `Das jetzige Zertifikat endet am ${day}. Geben Sie eine Zeit davor an.`,
  ],
  [
    /^(.+) cannot be used\. Give a time to come, such as /,
    (_word, value) => `${value} ist nicht zu gebrauchen. Geben Sie eine Zeit an, die noch kommt.`,
  ],
];
