import type { Texts } from '../i18n/i18n.ts';

/** Joining a central, and a central's stations. */
export const stationTexts = {
  en: {
    'stations.joined': 'This is the station {{name}} of a central.',
    'stations.state': 'How sending stands',
    'stations.title': 'Stations',
    'stations.none': 'No station has joined yet.',
    'enrol.text':
      'This installation stands alone. As a station of a central it goes on working without the network, and sends and gets records whenever there is one.',
    'enrol.start': 'Join a central',
    'enrol.again': 'Join again or another central',
    'enrol.before.backup': 'A backup is made and verified first.',
    'enrol.before.ids':
      'The records that are here come along with all of their history. They get new ids; the old ones go on leading to them.',
    'enrol.before.users': "From then on the central's users sign in here.",
    'enrol.address': "Central's address",
    'enrol.address.hint': 'As shown with the code: https://central.example:4870',
    'enrol.code': 'Code',
    'enrol.code.hint':
      'An administrator makes it at the central: Setup, Stations. It works once.',
    'enrol.done': 'This is the station {{name}} now',
    'enrol.moved': '{{records}} records came along. The backup made before: {{backup}}',
    'enrol.fresh': 'It exchanges records with {{address}} from now on.',
    'enrol.users': "Sign in with one of the central's users when you are asked.",
    'central.text':
      'Make a code for each station that is to join. Give it there with the address of this central.',
    'code.new': 'Code for a station',
    'code.make': 'Make the code',
    'code.made': 'The code for {{name}}',
    'code.once':
      'It is shown this once and works once, until {{at}}. At the station: Setup, Stations, Join a central, with the address {{address}}.',
    'code.open': 'Codes that wait for their station',
    'code.expires': 'Valid until',
    'code.hours': 'Valid for so many hours',
    'station.name': 'Name of the station',
    'station.name.hint': 'The place where it stands, such as "Dock 2".',
    'station.enrolled': 'Joined',
    'station.seen': 'Last heard of',
    'station.never': 'Not yet',
    'station.version': 'Version',
    'station.revoke.sure': 'Yes, it is refused from now on',
  },
  de: {
    'stations.joined': 'Das ist die Station {{name}} einer Zentrale.',
    'stations.state': 'Stand der Übertragung',
    'stations.title': 'Stationen',
    'stations.none': 'Noch ist keine Station beigetreten.',
    'enrol.text':
      'Diese Installation steht für sich. Als Station einer Zentrale arbeitet sie ohne Netz weiter und tauscht Datensätze aus, sobald es eines gibt.',
    'enrol.start': 'Einer Zentrale beitreten',
    'enrol.again': 'Erneut oder einer anderen Zentrale beitreten',
    'enrol.before.backup': 'Vorher wird eine Sicherung erstellt und geprüft.',
    'enrol.before.ids':
      'Die Datensätze kommen mit ihrer ganzen Historie mit. Sie bekommen neue Ids; die alten führen weiterhin zu ihnen.',
    'enrol.before.users': 'Danach melden sich hier die Benutzer der Zentrale an.',
    'enrol.address': 'Adresse der Zentrale',
    'enrol.address.hint': 'Wie beim Code gezeigt: https://central.example:4870',
    'enrol.code': 'Code',
    'enrol.code.hint':
      'Ein Administrator macht ihn an der Zentrale: Einrichtung, Stationen. Er gilt einmal.',
    'enrol.done': 'Das ist jetzt die Station {{name}}',
    'enrol.moved': '{{records}} Datensätze kamen mit. Die Sicherung davor: {{backup}}',
    'enrol.fresh': 'Sie tauscht von nun an Datensätze mit {{address}} aus.',
    'enrol.users': 'Melden Sie sich mit einem Benutzer der Zentrale an, wenn Sie gefragt werden.',
    'central.text':
      'Machen Sie für jede Station, die beitreten soll, einen Code. Geben Sie ihn dort mit der Adresse dieser Zentrale ein.',
    'code.new': 'Code für eine Station',
    'code.make': 'Code machen',
    'code.made': 'Der Code für {{name}}',
    'code.once':
      'Er wird nur dieses eine Mal gezeigt und gilt einmal, bis {{at}}. An der Station: Einrichtung, Stationen, Einer Zentrale beitreten, mit der Adresse {{address}}.',
    'code.open': 'Codes, die auf ihre Station warten',
    'code.expires': 'Gültig bis',
    'code.hours': 'Gültig für so viele Stunden',
    'station.name': 'Name der Station',
    'station.name.hint': 'Wo sie steht, etwa „Rampe 2“.',
    'station.enrolled': 'Beigetreten',
    'station.seen': 'Zuletzt gehört',
    'station.never': 'Noch nie',
    'station.version': 'Version',
    'station.revoke.sure': 'Ja, ab jetzt abweisen',
  },
} satisfies Texts;
