import { textTable } from '../i18n/text-table.ts';

/** What only the desktop app has: printing without a dialog, and updates. */
export const texts = textTable({
  title: ['This machine', 'Dieser Rechner'],
  printer: ['Label printer', 'Etikettendrucker'],
  'printer.about': [
    'Labels go there at once, without a dialog. The choice belongs to this machine.',
    'Etiketten gehen sofort dorthin, ohne Dialog. Die Wahl gehört zu diesem Rechner.',
  ],
  'printer.about.locked': [
    'Labels go there at once, without a dialog.',
    'Etiketten gehen sofort dorthin, ohne Dialog.',
  ],
  to: ['Labels go to', 'Etiketten gehen an'],
  'to.view': ['a window, as PDF', 'ein Fenster, als PDF'],
  'to.missing': ['{{name}} (not there now)', '{{name}} (zurzeit nicht da)'],
  'to.network': ['label printer {{address}}', 'Etikettendrucker {{address}}'],
  'to.set': ['Label printer in the network …', 'Etikettendrucker im Netz …'],
  network: ['Label printer in the network', 'Etikettendrucker im Netz'],
  'network.about': [
    'A printer that takes ZPL over the network.',
    'Ein Drucker, der ZPL über das Netz annimmt.',
  ],
  'network.host': ['Name or address', 'Name oder Adresse'],
  'network.host.wrong': [
    'Give a name or an address, such as printer.example or 192.0.2.7.',
    'Geben Sie einen Namen oder eine Adresse an, etwa drucker.example oder 192.0.2.7.',
  ],
  'network.port': ['Port', 'Port'],
  'network.dpi': ['Dots per inch', 'Punkte je Zoll'],
  'network.use': ['Print there', 'Dort drucken'],
  'network.used': ['Labels go there from now on.', 'Etiketten gehen ab jetzt dorthin.'],
  jobs: ['Labels that wait', 'Wartende Etiketten'],
  'jobs.none': ['No label waits.', 'Kein Etikett wartet.'],
  'jobs.go': [
    'Labels that wait: print again or discard',
    'Wartende Etiketten: nochmals drucken oder verwerfen',
  ],
  'state.queued': ['Waits for {{to}}', 'Wartet auf {{to}}'],
  'state.handed_over': ['On its way to {{to}}', 'Unterwegs zu {{to}}'],
  'state.asking': [
    'Perhaps printed at {{to}}: look there first',
    'Vielleicht gedruckt an {{to}}: zuerst dort nachsehen',
  ],
  'state.failed': ['Not printed at {{to}}', 'Nicht gedruckt an {{to}}'],
  'fault.interrupted': [
    'The app ended while the printer was getting it.',
    'Die App endete, während der Drucker es erhielt.',
  ],
  'fault.no_printer': ['This machine has no printer {{to}}.', 'Dieser Rechner hat keinen Drucker {{to}}.'],
  'fault.late': ['The system did not take it in time.', 'Das System hat es nicht rechtzeitig angenommen.'],
  'fault.refused': ['The system did not take it.', 'Das System hat es nicht angenommen.'],
  'fault.unreadable': ['The label could not be read.', 'Das Etikett war nicht lesbar.'],
  'fault.silent': [
    '{{to}} does not answer. Is the printer on?',
    '{{to}} antwortet nicht. Ist der Drucker eingeschaltet?',
  ],
  'fault.unreachable': [
    '{{to}} cannot be reached. Is the address right, and the printer on?',
    '{{to}} ist nicht erreichbar. Stimmt die Adresse, ist der Drucker eingeschaltet?',
  ],
  'fault.broke_off': ['{{to}} broke off the connection.', '{{to}} hat die Verbindung abgebrochen.'],
  'fault.unknown': ['What happened is not known.', 'Was geschah, ist nicht bekannt.'],
  again: ['Print again', 'Nochmals drucken'],
  'again.named': ['Print again: {{title}}', 'Nochmals drucken: {{title}}'],
  'again.sure': ['No label came out: print', 'Es kam keines heraus: drucken'],
  drop: ['Discard', 'Verwerfen'],
  'drop.named': ['Discard: {{title}}', 'Verwerfen: {{title}}'],
  'sent.under_way': ['On its way to {{to}} …', 'Unterwegs zu {{to}} …'],
  'sent.printed': ['Handed to {{to}}.', 'An {{to}} übergeben.'],
  'sent.refused': [
    'The desktop app did not take the label: {{detail}}',
    'Die Desktop-App hat das Etikett nicht angenommen: {{detail}}',
  ],
  'badge.labels_one': ['{{count}} label not printed', '{{count}} Etikett nicht gedruckt'],
  'badge.labels_other': ['{{count}} labels not printed', '{{count}} Etiketten nicht gedruckt'],
  'badge.update': ['Update ready', 'Aktualisierung bereit'],
  updates: ['Updates', 'Aktualisierung'],
  'updates.version': ['Version', 'Version'],
  'updates.looked': ['Last look', 'Zuletzt nachgesehen'],
  'updates.never': ['not yet', 'noch nicht'],
  'updates.look': ['Look now', 'Jetzt nachsehen'],
  'update.off': [
    'This installation is updated by the system or by the administrators of the machine, or was started from source.',
    'Diese Installation aktualisieren das System oder die Administratoren des Rechners, oder sie wurde aus dem Quelltext gestartet.',
  ],
  'update.closed': [
    'Updates are offered and installed at these hours only, by the policy of this machine: {{window}}.',
    'Updates werden nur zu diesen Stunden angeboten und eingerichtet, laut der Richtlinie dieses Rechners: {{window}}.',
  ],
  'update.looking': ['Looking for a newer version …', 'Suche nach einer neueren Version …'],
  'update.latest': ['There is no newer version.', 'Es gibt keine neuere Version.'],
  'update.arriving': [
    'Version {{version}} is on its way: {{percent}} %.',
    'Version {{version}} wird geladen: {{percent}} %.',
  ],
  'update.ready': [
    'Version {{version}} is ready. It is installed when the app is closed.',
    'Version {{version}} ist bereit. Sie wird eingerichtet, wenn die App geschlossen wird.',
  ],
  'update.ready.administrator': [
    'Version {{version}} is ready. An administrator installs it: menu Help, Install version {{version}}.',
    'Version {{version}} ist bereit. Eingerichtet wird sie von einem Administrator: Menü Hilfe, Version {{version}} einrichten.',
  ],
  'update.failed.not_genuine': [
    'What came is not what central offers. It was thrown away; nothing was installed.',
    'Was ankam, ist nicht, was die Zentrale anbietet. Es wurde verworfen; nichts wurde eingerichtet.',
  ],
  'update.failed.not_fetched': [
    'The update could not be fetched. The next look goes on from there.',
    'Die Aktualisierung konnte nicht geladen werden. Das nächste Nachsehen macht dort weiter.',
  ],
  'update.failed.not_signed': [
    'What central offers is not signed by the publisher of Holdpoint. Nothing was fetched or installed. Tell whoever looks after the central.',
    'Was die Zentrale anbietet, ist nicht vom Herausgeber von Holdpoint signiert. Nichts wurde geladen oder eingerichtet. Sagen Sie es dem, der die Zentrale betreut.',
  ],
  'update.failed.misdated': [
    'What central offers is out of date, or the clock of this computer is wrong. Nothing was fetched or installed. Tell whoever looks after the central.',
    'Was die Zentrale anbietet, ist überholt, oder die Uhr dieses Computers geht falsch. Nichts wurde geladen oder eingerichtet. Sagen Sie es dem, der die Zentrale betreut.',
  ],
  kiosk: ['Full screen', 'Vollbild'],
  'kiosk.about': [
    'The administrators of this machine have it show Holdpoint alone. With their PIN the window becomes an ordinary one, until the app starts again. Each try stands in the log.',
    'Die Administratoren dieses Rechners lassen ihn nur Holdpoint zeigen. Mit ihrer PIN wird das Fenster ein gewöhnliches, bis die App neu startet. Jeder Versuch steht im Protokoll.',
  ],
  'kiosk.pin': ['PIN', 'PIN'],
  'kiosk.leave': ['Leave the full screen', 'Vollbild verlassen'],
  'kiosk.left': ['The full screen is left.', 'Das Vollbild ist verlassen.'],
  'kiosk.wrong': ['This is not the PIN.', 'Das ist nicht die PIN.'],
  'kiosk.resting': [
    'Too many were wrong. None is tried for a quarter of an hour.',
    'Zu viele waren falsch. Eine Viertelstunde lang wird keine geprüft.',
  ],
  'kiosk.no_pin': [
    'The policy of this machine sets no PIN. Sign out of the machine, or ask its administrators.',
    'Die Richtlinie dieses Rechners setzt keine PIN. Melden Sie sich vom Rechner ab, oder fragen Sie dessen Administratoren.',
  ],
  'kiosk.printer.none': [
    'It is shown, not printed: the policy of this machine names no printer. Its administrators set kiosk_printer.',
    'Es wird gezeigt, nicht gedruckt: Die Richtlinie dieses Rechners nennt keinen Drucker. Seine Administratoren setzen kiosk_printer.',
  ],
  log: ['Log', 'Protokoll'],
  'log.about': [
    'What the app and its server did on this machine.',
    'Was die App und ihr Server auf diesem Rechner getan haben.',
  ],
  'log.open': ['Show the log', 'Protokoll zeigen'],
});
