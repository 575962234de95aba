/** What the contract says to programs (`investigated_at`, null, false), as a person is told it below a field. */
export const hintTexts: Readonly<Record<string, string>> = {
  'Cost of one unit, from the receipt line; in answers and in an update, of one unit as the quantity is shown.':
    'Cost of one unit, as the quantity is shown.',
  'Numbered by the server when absent.': 'Left empty, it gets the next number.',
  'The family whose list it is of, as `part`.': 'The list that it is of.',
  'False: it is offered no more.': 'No: it is offered no more.',
  'Conditions, order and search, as a query: `sort=-name&filter[is_active]=true`.':
    'What the list shows: best saved from the list itself, at Views.',
  'Numbered by the server when absent, at `/x/ncrs`.': 'Left empty, it gets the next number.',
  'Numbered by the server when absent, at `/x/complaints`.': 'Left empty, it gets the next number.',
  'False for a part, true for an activity.': 'No for a part, yes for an activity.',
  'Inspection level of ISO 2859-1; II unless said.': 'Inspection level of ISO 2859-1. Left empty: II.',
  'Acceptance quality limit of ISO 2859-1, per cent nonconforming; 1 unless said.':
    'Acceptance quality limit of ISO 2859-1, per cent nonconforming. Left empty: 1.',
  'What `entity_id` names.': 'What is inspected.',
  'Stored; makes no stock.': 'A note; it makes no stock.',
  "Null: not finalised. Setting it is the inspector's word.":
    "Empty: not finalised. Yes or no is the inspector's word.",
  'Worked out from the limits; a verdict by hand where none parse.':
    'Worked out from the limits. A verdict by hand where they cannot be read.',
  'The caller unless given.': 'Left empty: you.',
  'Today unless given.': 'Left empty: today.',
  'An object of any members.': 'Free text, or a JSON object of any members.',
  'Setting it sets `investigated_at` and who did.': 'Yes notes the time and who did it.',
  'Setting it sets `closed_at` and who did.': 'Yes notes the time and who did it.',
  'False keeps the lot locked.': 'No keeps the lot locked.',
  'Absent: the place where all of it stands.': 'Left empty: the place where all of it stands.',
  'In the unit of the lot; absent: all that stands there.':
    'In the unit of the lot. Left empty: all that stands there.',
  'Absent: lots of the part from anybody.': 'Left empty: lots of the part from anybody.',
  'What "today" is: an IANA name such as Europe/Berlin. Default UTC.':
    'Decides what “today” is: a name such as Europe/Berlin. Left empty: UTC.',
  'Kinds of act of which the site asks something else than its policy: whether it is signed, with a reason, by a second person. What is given replaces all that was. Default none.':
    'Kinds of act of which the site asks something else than its policy.',
  'Which acts are signed with password and reason. none: only what is_esignature_required says; gxp: verdicts, dispositions, closings, approvals, releases, acceptances, shipments, decisions of conflicts and these settings. Default none.':
    'Which acts are signed with password and reason.',
  "Whether an NCR's update needs the signer's password. Default false.":
    "Whether a change of a non-conformance report needs the signer's password.",
  'Whether a signature needs a reason. Default false.': 'Whether a signature needs a reason.',
  "Of the screens; null: the browser's.": "Of the screens. Left empty: the browser's.",
  'False: cannot sign in.': 'No: cannot sign in.',
  "The order's day unless said.": 'Left empty: the day of the order.',
  "The part's own unit unless said.": 'Left empty: the unit of the part.',
  'Whether operations under /x/ refuse names that they do not know to programs that say nothing of it (Prefer: handling). Default false.':
    'Ob Operationen unter /x/ Namen ablehnen, die sie nicht kennen, wenn ein Programm nichts anderes sagt (Prefer: handling). Standard: nein.',
  'The dock is not told how much of an order is expected, so that everything is counted. Default false.':
    'The dock is not told how much of an order is expected, so that everything is counted.',
};

export const germanHints: Readonly<Record<string, string>> = {
  'Cost of one unit, from the receipt line; in answers and in an update, of one unit as the quantity is shown.':
    'Kosten je Einheit, in der die Menge gezeigt wird.',
  'Opening stock needs one.': 'Ein Anfangsbestand braucht eine.',
  'Opening stock from before this system.': 'Anfangsbestand aus der Zeit vor diesem System.',
  'The id of the lot in the system before this one.': 'Id des Loses im Altsystem.',
  'The last usable day.': 'Der letzte Tag der Verwendbarkeit.',
  'The unit that the lot is kept in.': 'Die Einheit, in der das Los geführt wird.',
  'Opening balance, in the unit of the lot.': 'Anfangsbestand in der Einheit des Loses.',
  'What becomes of the goods. Each change of it takes effect on the stock and needs a reason.':
    'Was mit der Ware geschieht. Jede Änderung wirkt auf den Bestand und braucht einen Grund.',
  'What return or scrap takes out of the lot, in the unit of the lot; 0 where it never came into stock.':
    'Was Rückgabe oder Verschrottung dem Los entnimmt, in der Einheit des Loses; 0, wenn es nie in den Bestand kam.',
  'Where it is taken from; needed where the lot stands in several places.':
    'Woher es entnommen wird; nötig, wenn das Los an mehreren Plätzen liegt.',
  'Numbered by the server when absent.': 'Leer: die nächste Nummer wird vergeben.',
  'Numbered by the server when absent, at `/x/ncrs`.': 'Leer: die nächste Nummer wird vergeben.',
  'Numbered by the server when absent, at `/x/complaints`.': 'Leer: die nächste Nummer wird vergeben.',
  'False for a part, true for an activity.': 'Nein für ein Teil, ja für eine Tätigkeit.',
  'Free text; what it names is not checked.': 'Freier Text; er wird nicht geprüft.',
  'Mass per volume; converts between the two.': 'Masse je Volumen; damit wird umgerechnet.',
  'Stock below it is to be ordered again.': 'Liegt der Bestand darunter, ist nachzubestellen.',
  'Inspection level of ISO 2859-1; II unless said.': 'Prüfniveau nach ISO 2859-1. Leer: II.',
  'Acceptance quality limit of ISO 2859-1, per cent nonconforming; 1 unless said.':
    'Annehmbare Qualitätsgrenzlage nach ISO 2859-1, Prozent fehlerhaft. Leer: 1.',
  'The inspected part or equipment.': 'Das geprüfte Teil oder Betriebsmittel.',
  'What `entity_id` names.': 'Was geprüft wird.',
  'How many samples are made from the template.': 'So viele Proben werden nach dem Prüfplan angelegt.',
  'Stored; makes no stock.': 'Ein Vermerk; er erzeugt keinen Bestand.',
  "Null: not finalised. Setting it is the inspector's word.":
    'Leer: nicht abgeschlossen. Ja oder nein ist das Urteil des Prüfers.',
  'The lot that the inspection judges.': 'Das Los, über das die Prüfung urteilt.',
  'The lot failed before and was submitted again: sampling does not count it.':
    'Das Los war durchgefallen und wurde wieder vorgestellt: Die Stichprobenprüfung zählt es nicht.',
  'Place among the samples, from 1.': 'Platz unter den Proben, ab 1.',
  'What was measured.': 'Was gemessen wurde.',
  'Worked out from the limits; a verdict by hand where none parse.':
    'Ergibt sich aus den Grenzen; ein Urteil von Hand, wo sie nicht lesbar sind.',
  'The caller unless given.': 'Leer: Sie selbst.',
  'Today unless given.': 'Leer: heute.',
  'An object of any members.': 'Freier Text oder ein JSON-Objekt mit beliebigen Angaben.',
  'The report that raised the request.': 'Der Bericht, der die Maßnahme ausgelöst hat.',
  'Giving it closes the shipment and takes the stock.':
    'Die Angabe schließt die Sendung und entnimmt den Bestand.',
  'Links the shipment to the order.': 'Verknüpft die Sendung mit dem Auftrag.',
  'All items ship at the same date and time.': 'Alle Positionen gehen zur selben Zeit hinaus.',
  'The step of the work that makes it.': 'Der Arbeitsgang, in dem es entsteht.',
  'The nominal value, as free text: 12.5 mm.': 'Der Nennwert als freier Text: 12.5 mm.',
  'Relative to the nominal (±0.1, +0.2/-0.1, ±5%) or absolute (min 5, 5-10, <=10).':
    'Bezogen auf den Nennwert (±0.1, +0.2/-0.1, ±5%) oder absolut (min 5, 5-10, <=10).',
  'JSON object text: measurement names and numbers as text. Kept as written.':
    'Text eines JSON-Objekts: Namen der Messwerte und Zahlen als Text. Bleibt wie geschrieben.',
  'The inspection that the result belongs to.': 'Die Prüfung, zu der das Ergebnis gehört.',
  'The lot that was measured.': 'Das gemessene Los.',
  'Setting it sets `investigated_at` and who did.': 'Ja hält fest, wann und durch wen.',
  'Setting it sets `closed_at` and who did.': 'Ja hält fest, wann und durch wen.',
  'A mark; it forbids nothing.': 'Ein Vermerk; er verbietet nichts.',
  'Locks every lot of the receipt.': 'Sperrt jedes Los des Wareneingangs.',
  'All items arrived at the same date and time.': 'Alle Positionen kamen zur selben Zeit an.',
  'Goes into the lot.': 'Geht in das Los.',
  'Never becomes available.': 'Wird nie verfügbar.',
  'False keeps the lot locked.': 'Nein hält das Los gesperrt.',
  'Cost of one unit.': 'Kosten je Einheit.',
  'Opens an inspection of the lot.': 'Eröffnet eine Prüfung des Loses.',
  'Added to the lot; negative takes away. In the unit of the lot.':
    'Kommt zum Los hinzu; negativ nimmt weg. In der Einheit des Loses.',
  'Needed where the lot stands in several places.': 'Nötig, wenn das Los an mehreren Plätzen liegt.',
  'Absent: the place where all of it stands.': 'Leer: der Platz, an dem alles liegt.',
  'In the unit of the lot; absent: all that stands there.':
    'In der Einheit des Loses. Leer: alles, was dort liegt.',
  'Absent: lots of the part from anybody.': 'Leer: Lose des Teils von jedem Lieferanten.',
  'What is decided, by ISO 2859-1:1999, 9.3 and 9.4.':
    'Was entschieden wird, nach ISO 2859-1:1999, 9.3 und 9.4.',
  'What "today" is: an IANA name such as Europe/Berlin. Default UTC.':
    'Bestimmt, was „heute“ ist: ein Name wie Europe/Berlin. Leer: UTC.',
  'A lot expires soon within these days. Default 30.':
    'Innerhalb so vieler Tage läuft ein Los bald ab. Leer: 30.',
  'Where backups of this machine go: the whole path of a folder on another disk or machine. Default: the data folder, with a warning.':
    'Wohin Sicherungen dieser Maschine gehen: der ganze Pfad eines Ordners auf einer anderen Platte oder Maschine. Leer: der Datenordner, mit einer Warnung.',
  'So many days after a restore was practised it is due again: plain backups are practised by themselves, encrypted ones by somebody with the key; 0: never. Default 31.':
    'So viele Tage nach einer geübten Wiederherstellung ist sie wieder fällig: Unverschlüsselte Sicherungen werden von selbst geübt, verschlüsselte von jemandem mit dem Schlüssel; 0: nie. Vorgabe 31.',
  'Encrypted backups of this station are sent to its central too, which cannot read them. Default: no.':
    'Verschlüsselte Sicherungen dieser Station gehen auch an ihre Zentrale, die sie nicht lesen kann. Vorgabe: nein.',
  'At central: how many backups of each station that sends them stay; the oldest beyond these are removed; 0: none is taken. Default 3.':
    'In der Zentrale: wie viele Sicherungen jeder Station, die sie sendet, bleiben; die ältesten darüber hinaus werden entfernt; 0: Es werden keine angenommen. Vorgabe 3.',
  "At central: so many days after it was made a station's backup is removed, but the last one of a station whose key is valid stays; 0: never. Default 90.":
    'In der Zentrale: So viele Tage nach ihrem Entstehen wird die Sicherung einer Station entfernt; die letzte einer Station mit gültigem Zugang bleibt; 0: nie. Vorgabe 90.',
  'Origins such as https://mes.example:8443, whose pages may call this machine with a token (CORS), at most 20; never with the cookie of who is signed in. Default none.':
    'Ursprünge wie https://mes.example:8443, deren Seiten diesen Rechner mit einem Token aufrufen dürfen (CORS), höchstens 20; nie mit dem Cookie dessen, der angemeldet ist. Voreinstellung: keine.',
  'Backups of this machine stay plain on purpose, and nobody is reminded of it.':
    'Die Sicherungen dieses Rechners bleiben mit Absicht unverschlüsselt, und niemand wird daran erinnert.',
  'How many backups of this machine stay; each day one is made and the oldest beyond these is removed. Default 14.':
    'So viele Sicherungen dieser Maschine bleiben; täglich entsteht eine, und die älteste darüber hinaus wird entfernt. Leer: 14.',
  'A signed-in session locks after so many minutes without use; 0: never. Default 15.':
    'Nach so vielen Minuten ohne Bedienung wird gesperrt; 0: nie. Leer: 15.',
  'Kinds of act of which the site asks something else than its policy: whether it is signed, with a reason, by a second person. What is given replaces all that was. Default none.':
    'Arten von Handlungen, bei denen die Firma etwas anderes verlangt als vorbelegt.',
  'Which acts are signed with password and reason. none: only what is_esignature_required says; gxp: verdicts, dispositions, closings, approvals, releases, acceptances, shipments, decisions of conflicts and these settings. Default none.':
    'Was mit Passwort und Grund unterschrieben wird.',
  "Whether an NCR's update needs the signer's password. Default false.":
    'Ob die Änderung eines Abweichungsberichts das Passwort des Unterzeichners braucht.',
  'Whether a signature needs a reason. Default false.': 'Ob eine Unterschrift einen Grund braucht.',
  'As people know the user.': 'Wie man die Person kennt.',
  'What the user signs in with and history names as the author: letters, digits and . _ @ -, in any case.':
    'Damit meldet man sich an, und so nennt die Historie den Urheber: Buchstaben, Ziffern und . _ @ -, groß oder klein.',
  'What the user may do; each role includes those before it. Without one: nothing':
    'Was der Benutzer darf; jede Rolle schließt die vor ihr ein. Ohne Rolle: nichts.',
  "Of the screens; null: the browser's.": 'Der Bildschirme. Leer: die des Browsers.',
  'The user chooses another password at the next sign-in: so it is once somebody else has set one, unless it is said of a new user that they chose it. Only another password of their own ends it.':
    'Der Benutzer wählt beim nächsten Anmelden ein anderes Passwort: so ist es, wenn jemand anderes eines gesetzt hat, außer wenn von einem neuen Benutzer gesagt wird, dass er es gewählt hat. Nur ein anderes eigenes Passwort beendet das.',
  'So many days after it was set a password is changed at the next sign-in; 0: never. Default 0.':
    'So viele Tage, nachdem es gesetzt wurde, wird ein Passwort beim nächsten Anmelden geändert; 0: nie. Voreinstellung 0.',
  'False: cannot sign in.': 'Nein: kann sich nicht anmelden.',
  'So many days after what was reviewed last the next review of the audit trail is due; 0: never. Default 0.':
    'So viele Tage nach dem zuletzt Durchgesehenen ist die nächste Durchsicht des Audit-Trails fällig; 0: nie. Voreinstellung 0.',
  "Number of the supplier's certificate that came with the goods.":
    'Nummer des Zeugnisses, das der Lieferant mitgeschickt hat.',
  'At least one of part, part type and supplier is given.':
    'Mindestens eines von Teil, Teileart und Lieferant wird angegeben.',
  'All parts of the type.': 'Alle Teile der Art.',
  'Absent: from anybody.': 'Leer: von allen.',
  'Each lot gets an inspection by it; absent: nothing is measured.':
    'Jedes Los bekommt eine Prüfung danach. Leer: Es wird nichts gemessen.',
  'Samples by the size of the lot (ISO 2859-1), or a fixed number.':
    'Proben nach der Größe des Loses (ISO 2859-1) oder eine feste Anzahl.',
  "Inspection level of ISO 2859-1; the part's unless said.":
    'Prüfniveau nach ISO 2859-1. Leer: das des Teils.',
  "Acceptance quality limit of ISO 2859-1, per cent nonconforming; the part's unless said.":
    'Annehmbare Qualitätsgrenzlage nach ISO 2859-1, Prozent fehlerhafte Einheiten. Leer: die des Teils.',
  'If fixed: so many, or the whole lot where it is smaller. All of them must conform.':
    'Bei fester Anzahl: so viele, oder das ganze Los, wenn es kleiner ist. Alle müssen in Ordnung sein.',
  'Of so many lots in a row one is inspected, as long as the last one inspected was accepted.':
    'Von so vielen Losen in Folge wird eines geprüft, solange das zuletzt geprüfte angenommen wurde.',
  "The lot is locked until the line names the supplier's certificate.":
    'Das Los ist gesperrt, bis die Position das Zeugnis des Lieferanten nennt.',
  'The lot is locked until quality frees its line.':
    'Das Los ist gesperrt, bis die Qualitätssicherung seine Position freigibt.',
  'What is received from now on follows it.': 'Danach richtet sich, was von jetzt an ankommt.',
  'The order that it counts against; the one with its number unless said. It is taken away together with that number.':
    'Die Bestellung, auf die er zählt. Leer: die mit seiner Nummer. Sie wird zusammen mit dieser Nummer weggenommen.',
  'Nothing more is expected, whatever is short.': 'Es wird nichts mehr erwartet, was auch fehlt.',
  "The part's own unit unless said.": 'Leer: die Einheit des Teils.',
  "The order's day unless said.": 'Leer: der Tag der Bestellung.',
  'The lot that the supplier announced.': 'Das Los, das der Lieferant angekündigt hat.',
  'Announced: the last usable day.': 'Angekündigt: der letzte brauchbare Tag.',
  'The family whose list it is of, as `part`.': 'Die Liste, zu der sie gehört.',
  'Conditions, order and search, as a query: `sort=-name&filter[is_active]=true`.':
    'Was die Liste zeigt: am besten aus der Liste selbst speichern, bei Ansichten.',
  'Fields, in their order; none: the usual ones.': 'Felder, in ihrer Reihenfolge; keine: die üblichen.',
  'False: it is offered no more.': 'Nein: Sie wird nicht mehr angeboten.',
  'Of the pieces, where each has its own (AI 21). A piece is received once.':
    'Der Stücke, wenn jedes eine eigene hat (AI 21). Ein Stück wird einmal angenommen.',
  'Number of the pallet on which the goods came (AI 00). They stand on it: it becomes a handling unit in that place, else in the first receiving place.':
    'Nummer der Palette, auf der die Ware kam (AI 00). Sie steht darauf: Die Palette wird ein Ladungsträger auf diesem Platz, sonst auf dem ersten Wareneingangsplatz.',
  'Number of the announced pallet or case, 18 digits: its label alone says what is on it.':
    'Nummer der angekündigten Palette oder Packung, 18 Ziffern: Ihr Etikett allein sagt, was darauf ist.',
  'How the supplier writes lot numbers: # is a digit, @ a letter, ? anything. A lot that is written otherwise is asked about.':
    'So schreibt der Lieferant Losnummern: # ist eine Ziffer, @ ein Buchstabe, ? irgendetwas. Nach einem anders geschriebenen Los wird gefragt.',
  'Whether operations under /x/ refuse names that they do not know to programs that say nothing of it (Prefer: handling). Default false.':
    'Ob Operationen unter /x/ Namen, die sie nicht kennen, ablehnen, wenn ein Programm dazu nichts sagt (Prefer: handling).',
  'The dock is not told how much of an order is expected, so that everything is counted. Default false.':
    'Am Wareneingang wird nicht gesagt, wie viel erwartet wird, damit alles gezählt wird.',
  'Nothing more of this line is expected: the supplier or the buyer gave it up.':
    'Von dieser Position wird nichts mehr erwartet: Lieferant oder Einkauf haben sie aufgegeben.',
  'What it needs of the place that it is kept in; it is kept in no other.':
    'Was es von seinem Lagerplatz braucht; anderswo wird es nicht gelagert.',
  'Where it is put away where none of it lies.': 'Dorthin wird es eingelagert, wo noch nichts davon liegt.',
  'What it is for: goods are kept (storage, unless said), wait for their place (receiving), wait to go (shipping), or are kept apart (quarantine). A handling unit is a pallet or case, called by its SSCC.':
    'Wofür er da ist: Waren lagern (Lager, wenn nichts gesagt ist), warten auf ihren Platz (Wareneingang), warten auf den Versand oder liegen getrennt (Sperrlager). Ein Ladungsträger ist eine Palette oder Packung, benannt nach ihrer SSCC.',
  'What goods that need it find there. A part that needs one is kept nowhere else.':
    'Was Waren dort finden, die es brauchen. Ein Teil, das eine Lagerklasse braucht, lagert nirgends sonst.',
  'People go by it: pick lists and proposals begin with the lowest. By name unless said.':
    'Danach geht man: Entnahmelisten und Vorschläge beginnen mit der kleinsten Zahl. Leer: nach dem Namen.',
  'Of a handling unit: the place where it stands. It moves with all that is on it.':
    'Bei einem Ladungsträger: der Platz, auf dem er steht. Er zieht mit allem um, was darauf ist.',
  'Global location number on its label (AI 414), 13 digits.':
    'Globale Lokationsnummer auf dem Etikett (AI 414), 13 Ziffern.',
  'Tells places of one GLN apart (AI 254).': 'Unterscheidet Plätze mit derselben GLN (AI 254).',
  'A pick: goods go to the place (kind shipping) where they wait for this shipment, or from there back.':
    'Eine Entnahme: Waren gehen an den Versandplatz, wo sie auf diese Sendung warten, oder von dort zurück.',
  'The place and how many times it was counted, unless said.':
    'Leer: der Platz und die wievielte Zählung es ist.',
  'All that stands there is counted. It stays open while something is to be counted once more.':
    'Alles, was dort steht, ist gezählt. Sie bleibt offen, solange etwas noch einmal zu zählen ist.',
  'It does not count. Nothing is posted of it.': 'Sie gilt nicht. Nichts davon wird gebucht.',
  'What was counted, in the unit of the lot. 0: it is not there.':
    'Was gezählt wurde, in der Einheit des Loses. 0: es ist nicht da.',
  'What was counted once more, where the first count differed. It is the one that counts.':
    'Was noch einmal gezählt wurde, wo die erste Zählung abwich. Diese gilt.',
  'Given before the difference is posted.': 'Wird angegeben, bevor die Abweichung gebucht wird.',
};
