import type { TextTable } from '../../i18n/text-table.ts';

/** Joining a central, and a central's stations. */
export const stationTexts = {
  'stations.joined': [
    'This is the station {{name}} of a central.',
    'Das ist die Station {{name}} einer Zentrale.',
  ],
  'stations.state': ['How sending stands', 'Stand der Übertragung'],
  'stations.title': ['Stations', 'Stationen'],
  'stations.none': ['No station has joined yet.', 'Noch ist keine Station beigetreten.'],
  'enrol.text': [
    'This installation stands alone. As a station of a central it goes on working without the network, and sends and gets records whenever there is one.',
    'Diese Installation steht für sich. Als Station einer Zentrale arbeitet sie ohne Netz weiter und tauscht Datensätze aus, sobald es eines gibt.',
  ],
  'enrol.start': ['Join a central', 'Einer Zentrale beitreten'],
  'enrol.again': ['Join again or another central', 'Erneut oder einer anderen Zentrale beitreten'],
  'enrol.before.backup': [
    'A backup is made and verified first.',
    'Vorher wird eine Sicherung erstellt und geprüft.',
  ],
  'enrol.before.ids': [
    'The records that are here come along with all of their history. They get new ids; the old ones go on leading to them.',
    'Die Datensätze kommen mit ihrer ganzen Historie mit. Sie bekommen neue Ids; die alten führen weiterhin zu ihnen.',
  ],
  'enrol.before.users': [
    "From then on the central's users sign in here.",
    'Danach melden sich hier die Benutzer der Zentrale an.',
  ],
  'enrol.address': ["Central's address", 'Adresse der Zentrale'],
  'enrol.address.hint': [
    'As shown with the code: https://central.example:4870',
    'Wie beim Code gezeigt: https://central.example:4870',
  ],
  'enrol.code': ['Code', 'Code'],
  'enrol.code.hint': [
    'An administrator makes it at the central: Setup, Stations. It works once.',
    'Ein Administrator macht ihn an der Zentrale: Einrichtung, Stationen. Er gilt einmal.',
  ],
  'enrol.done': ['This is the station {{name}} now', 'Das ist jetzt die Station {{name}}'],
  'enrol.moved': [
    '{{records}} records came along. The backup made before: {{backup}}',
    '{{records}} Datensätze kamen mit. Die Sicherung davor: {{backup}}',
  ],
  'enrol.fresh': [
    'It exchanges records with {{address}} from now on.',
    'Sie tauscht von nun an Datensätze mit {{address}} aus.',
  ],
  'enrol.users': [
    "Sign in with one of the central's users when you are asked.",
    'Melden Sie sich mit einem Benutzer der Zentrale an, wenn Sie gefragt werden.',
  ],
  'separate.text': [
    'Central goes on with another machine that has the data of this station. This one can become a station of its own, with a new code from central.',
    'Die Zentrale macht mit einem anderen Rechner weiter, der die Daten dieser Station hat. Dieser kann eine eigene Station werden, mit einem neuen Code von der Zentrale.',
  ],
  'separate.start': ['Make it a station of its own', 'Zu einer eigenen Station machen'],
  'separate.before.records': [
    'All records stay. What central has not yet is sent as this station: new records get other ids, and the former ones go on leading to them here.',
    'Alle Datensätze bleiben. Was die Zentrale noch nicht hat, wird als diese Station gesendet: Neue Datensätze bekommen andere Ids, und die alten führen hier weiterhin zu ihnen.',
  ],
  'separate.before.numbers': [
    'Numbers on paper stay. Those that both machines gave are shown afterwards at the exchange with central.',
    'Nummern auf Papier bleiben. Die, die beide Rechner vergeben haben, zeigt danach der Austausch mit der Zentrale.',
  ],
  'separate.done': [
    'It keeps all its records, and sends what central has not yet.',
    'Sie behält alle ihre Datensätze und sendet, was die Zentrale noch nicht hat.',
  ],
  'central.text': [
    'Make a code for each station that is to join. Give it there with the address of this central.',
    'Machen Sie für jede Station, die beitreten soll, einen Code. Geben Sie ihn dort mit der Adresse dieser Zentrale ein.',
  ],
  'code.new': ['Code for a station', 'Code für eine Station'],
  'code.make': ['Make the code', 'Code machen'],
  'code.made': ['The code for {{name}}', 'Der Code für {{name}}'],
  'code.once': [
    'It is shown this once and works once, until {{at}}. At the station: Setup, Stations, Join a central, with the address {{address}}.',
    'Er wird nur dieses eine Mal gezeigt und gilt einmal, bis {{at}}. An der Station: Einrichtung, Stationen, Einer Zentrale beitreten, mit der Adresse {{address}}.',
  ],
  'code.open': ['Codes that wait for their station', 'Codes, die auf ihre Station warten'],
  'code.expires': ['Valid until', 'Gültig bis'],
  'code.hours': ['Valid for so many hours', 'Gültig für so viele Stunden'],
  'code.brings': [
    'It may bring along what it recorded so far',
    'Sie darf mitbringen, was sie bisher erfasst hat',
  ],
  'code.brings.hint': [
    'For an installation with records of its own. For a week they are taken as they are, whoever may write such things here. Leave it off for a fresh one.',
    'Für eine Installation mit eigenen Datensätzen. Eine Woche lang werden sie übernommen, wie sie sind, wer immer so etwas hier schreiben darf. Für eine neue Station aus lassen.',
  ],
  'code.brings.short': ['Brings records', 'Bringt Datensätze mit'],
  'certificate.title': ["Central's certificate", 'Zertifikat der Zentrale'],
  'certificate.until': ['It is valid until {{at}}', 'Es gilt bis {{at}}'],
  'certificate.ending': [
    'Browsers refuse it after that. Renew it now: stations hear of the next one beforehand and go over by themselves.',
    'Danach weisen Browser es ab. Erneuern Sie es jetzt: Die Stationen hören vorher vom nächsten und gehen von selbst über.',
  ],
  'certificate.fingerprint': ['Fingerprint (SHA-256)', 'Fingerabdruck (SHA-256)'],
  'certificate.next': ['Fingerprint of the next one', 'Fingerabdruck des nächsten'],
  'certificate.given': [
    'It was given to this central (HOLDPOINT_CERTIFICATE). Put a new one there and start central again.',
    'Es wurde dieser Zentrale gegeben (HOLDPOINT_CERTIFICATE). Legen Sie dort ein neues ab und starten Sie die Zentrale neu.',
  ],
  'certificate.announced': ['The next certificate is announced', 'Das nächste Zertifikat ist angekündigt'],
  'certificate.once-heard': [
    'Central goes over to it as soon as every station has heard of it, on {{at}} at the latest. Until then both hold.',
    'Die Zentrale geht zu ihm über, sobald jede Station davon gehört hat, spätestens am {{at}}. Bis dahin gelten beide.',
  ],
  'certificate.at': [
    'Central goes over to it on {{at}}. Until then both hold.',
    'Die Zentrale geht am {{at}} zu ihm über. Bis dahin gelten beide.',
  ],
  'certificate.all-heard': ['Every station has heard of it.', 'Jede Station hat davon gehört.'],
  'certificate.not-heard': ['Not heard of it yet: {{names}}', 'Noch nicht davon gehört: {{names}}'],
  'certificate.later': [
    'A station that comes later follows by itself, after years as well.',
    'Eine Station, die später kommt, folgt von selbst, auch nach Jahren.',
  ],
  'certificate.renew': ['Renew the certificate', 'Zertifikat erneuern'],
  'certificate.change': ['Go over at another time', 'Zu anderer Zeit übergehen'],
  'certificate.keep': ['Keep this time', 'Diese Zeit übernehmen'],
  'certificate.break': ['Break the chain', 'Kette abbrechen'],
  'certificate.when': ['When central goes over to the next one', 'Wann die Zentrale zum nächsten übergeht'],
  'certificate.when.heard': ['Once every station has heard of it', 'Sobald jede Station davon gehört hat'],
  'certificate.when.heard.hint': ['After 30 days at the latest.', 'Spätestens nach 30 Tagen.'],
  'certificate.when.at': ['At a time', 'Zu einer Zeit'],
  'certificate.when.at.hint': [
    'Such as at night, when nobody works in a browser.',
    'Etwa nachts, wenn niemand im Browser arbeitet.',
  ],
  'certificate.when.now': ['At once', 'Sofort'],
  'certificate.when.now.hint': [
    'Stations that have not heard of it follow by themselves.',
    'Stationen, die nicht davon gehört haben, folgen von selbst.',
  ],
  'certificate.when.compromised': [
    'At once, because others may know the key',
    'Sofort, weil andere den Schlüssel kennen könnten',
  ],
  'certificate.when.compromised.hint': [
    'No former certificate vouches for the new one. Every station stops exchanging until it joins again with a new code.',
    'Kein früheres Zertifikat bürgt für das neue. Jede Station überträgt nichts mehr, bis sie mit einem neuen Code wieder beitritt.',
  ],
  'certificate.time': ['When', 'Wann'],
  'station.name': ['Name of the station', 'Name der Station'],
  'station.name.hint': ['The place where it stands, such as "Dock 2".', 'Wo sie steht, etwa „Rampe 2“.'],
  'station.enrolled': ['Joined', 'Beigetreten'],
  'station.seen': ['Last heard of', 'Zuletzt gehört'],
  'station.never': ['Not yet', 'Noch nie'],
  'station.version': ['Version', 'Version'],
  'station.revoke.text': [
    'Its key is refused from now on. Whoever has had the machine may know the passwords that were typed there: all who signed in there choose another one, here, and get another key with it. What comes later of their keys of until now is held.',
    'Ihr Schlüssel wird ab jetzt abgewiesen. Wer den Rechner hatte, kann die Passwörter kennen, die dort eingegeben wurden: Alle, die sich dort angemeldet haben, wählen hier ein anderes und erhalten damit einen neuen Schlüssel. Was mit ihren bisherigen Schlüsseln noch kommt, wird zurückgehalten.',
  ],
  'station.revoke.keeps': [
    'Nobody else has had the machine: passwords and keys stay',
    'Niemand sonst hatte den Rechner: Passwörter und Schlüssel bleiben',
  ],
  'station.revoke.keeps.hint': [
    'As when it is retired and its disk was erased.',
    'Etwa wenn er ausgemustert und seine Platte gelöscht ist.',
  ],
  people: ['People', 'Personen'],
  'people.show': ['Show', 'Zeigen'],
  'people.show.named': ['Show who signs in at {{name}}', 'Zeigen, wer sich an {{name}} anmeldet'],
  'people.of': ['Who signs in at {{name}}', 'Wer sich an {{name}} anmeldet'],
  'people.text': [
    'Passwords lie, stretched, at the stations where people sign in, and nowhere else. Whoever has signed in there once with central in reach can do so without it. Assign people beforehand who sign in there for the first time while central is away.',
    'Passwörter liegen, gestreckt, an den Stationen, an denen sich Personen anmelden, und sonst nirgends. Wer sich dort einmal angemeldet hat, während die Zentrale erreichbar war, kann es auch ohne sie. Ordnen Sie vorher zu, wer sich dort zum ersten Mal anmeldet, während die Zentrale nicht erreichbar ist.',
  ],
  'people.none': ['Nobody yet.', 'Noch niemand.'],
  'people.person': ['Person', 'Person'],
  'people.why': ['Why', 'Warum'],
  'people.why.signed_in': ['has signed in there', 'hat sich dort angemeldet'],
  'people.why.assigned': ['assigned', 'zugeordnet'],
  'people.why.before': ['signed in there earlier', 'hat sich dort früher angemeldet'],
  'people.remove': ['Remove', 'Entfernen'],
  'people.remove.named': ['Remove {{name}} from the station', '{{name}} von der Station entfernen'],
  'people.remove.sure': ['Really remove?', 'Wirklich entfernen?'],
  'people.assign.who': ['Person', 'Person'],
  'people.assign': ['Assign', 'Zuordnen'],
  'people.close': ['Close', 'Schließen'],
  'station.revoked': ['{{name}} is revoked', '{{name}} ist widerrufen'],
  'station.revoked.nobody': [
    'Nobody’s password was revoked with it.',
    'Niemandes Passwort wurde damit widerrufen.',
  ],
  'station.revoked.people': [
    'They choose another password here, at their next sign-in: {{people}}',
    'Ein anderes Passwort wählen hier bei der nächsten Anmeldung: {{people}}',
  ],
  'station.revoke.sure': ['Yes, it is refused from now on', 'Ja, ab jetzt abweisen'],
} satisfies TextTable;
