import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MACHINE_POLICY_NAMES, type MachinePolicy } from '../shared/contract/machine-policy.ts';

const FOLDER = join(import.meta.dirname, 'policy');
const KEY = 'SOFTWARE\\Policies\\Holdpoint';
const NAMESPACE = 'Holdpoint.Policies.Holdpoint';
const LANGUAGES = ['en-US', 'de-DE'] as const;

/** A value, and what the editor of group policies calls it in English and German. */
interface Choice {
  value: string;
  title: readonly [string, string];
}

interface Setting {
  kind: 'text' | 'flag' | 'port' | readonly Choice[];
  /** Title and explanation, in English and German. */
  title: readonly [string, string];
  help: readonly [string, string];
  example: string | number | boolean;
}

const settings: Readonly<Record<keyof MachinePolicy, Setting>> = {
  central: {
    kind: 'text',
    title: ["Central's address", 'Adresse der Zentrale'],
    help: [
      'Such as https://central.example:4870. Nobody joins the machine to another central.',
      'Etwa https://central.example:4870. Niemand lässt den Rechner einer anderen Zentrale beitreten.',
    ],
    example: 'https://central.example:4870',
  },
  enrolment_code: {
    kind: 'text',
    title: ['Code for enrolment', 'Code zum Beitritt'],
    help: [
      'A code of the central for several stations, with which the machine joins by itself. Everybody who signs in at the machine can read it: give it a count and an end.',
      'Ein Code der Zentrale für mehrere Stationen, mit dem der Rechner von selbst beitritt. Wer sich am Rechner anmeldet, kann ihn lesen: Geben Sie ihm eine Anzahl und ein Ende.',
    ],
    example: 'HP1-…',
  },
  station_name: {
    kind: 'text',
    title: ['Name of the station', 'Name der Station'],
    help: [
      "The machine's own name where it is not set. One that is taken gets a number.",
      'Der Name des Rechners, wenn nichts gesetzt ist. Ein vergebener bekommt eine Nummer.',
    ],
    example: 'Dock 2',
  },
  authority_file: {
    kind: 'text',
    title: ['Authorities of the central', 'Zertifizierungsstellen der Zentrale'],
    help: [
      "A PEM file with the authorities by which central is known; the system's where it is not set.",
      'Eine PEM-Datei mit den Stellen, an denen die Zentrale erkannt wird; die des Systems, wenn nichts gesetzt ist.',
    ],
    example: '/etc/holdpoint/authority.pem',
  },
  port: {
    kind: 'port',
    title: ['Port', 'Port'],
    help: [
      "Where the machine's server listens, for its own programs; 4870 where it is not set.",
      'Wo der Server des Rechners für dessen Programme erreichbar ist; 4870, wenn nichts gesetzt ist.',
    ],
    example: 4870,
  },
  sends_backups: {
    kind: 'flag',
    title: ['Backups to the central', 'Sicherungen an die Zentrale'],
    help: [
      'Encrypted backups of the machine go to its central too, which cannot read them. A recovery key has to be made at the machine, once.',
      'Verschlüsselte Sicherungen des Rechners gehen auch an seine Zentrale, die sie nicht lesen kann. Am Rechner ist einmal ein Schlüssel zur Wiederherstellung zu machen.',
    ],
    example: true,
  },
  updates: {
    kind: [
      { value: 'on', title: ['On', 'Ein'] },
      { value: 'off', title: ['Off', 'Aus'] },
    ],
    title: ['Updates by the central', 'Updates über die Zentrale'],
    help: [
      'Off: the administrators of the machine update the app by other means.',
      'Aus: Die Administratoren des Rechners aktualisieren die App auf anderem Weg.',
    ],
    example: 'off',
  },
  update_ring: {
    kind: 'text',
    title: ['Ring of the updates', 'Ring der Updates'],
    help: [
      'Such as pilot: the machine gets the versions that lie in that folder of the central. The stable ones where it is not set.',
      'Etwa pilot: Der Rechner bekommt die Versionen, die in diesem Ordner der Zentrale liegen. Ist nichts gesetzt, die stabilen.',
    ],
    example: 'stable',
  },
  update_window: {
    kind: 'text',
    title: ['Hours of the updates', 'Stunden der Updates'],
    help: [
      'Such as 22:00-05:00, by the clock of the machine: the app is offered and installs updates then, at no other time. Always where it is not set.',
      'Etwa 22:00-05:00, nach der Uhr des Rechners: Dann werden der App Updates angeboten und eingerichtet, sonst nie. Ist nichts gesetzt, immer.',
    ],
    example: '22:00-05:00',
  },
  language: {
    kind: [
      { value: 'en', title: ['English', 'Englisch'] },
      { value: 'de', title: ['German', 'Deutsch'] },
    ],
    title: ['Language', 'Sprache'],
    help: [
      'Of the sign-in, and of the screens of who has chosen none.',
      'Der Anmeldung, und der Bildschirme aller, die keine gewählt haben.',
    ],
    example: 'en',
  },
  printer: {
    kind: 'text',
    title: ['Printer of labels', 'Etikettendrucker'],
    help: [
      'The name of a printer of the machine, or of a label printer in the network socket://printer.example:9100, with ?dpi=300 where it has not 203 dots per inch.',
      'Der Name eines Druckers des Rechners, oder eines Etikettendruckers im Netz socket://printer.example:9100, mit ?dpi=300, wenn er nicht 203 Punkte je Zoll hat.',
    ],
    example: 'socket://printer.example:9100',
  },
  starts_at_login: {
    kind: 'flag',
    title: ['Start when a user signs in', 'Bei der Anmeldung starten'],
    help: ['The app starts without a window.', 'Die App startet ohne Fenster.'],
    example: true,
  },
  keeps_running: {
    kind: 'flag',
    title: ['Go on with the window closed', 'Bei geschlossenem Fenster weiterlaufen'],
    help: [
      'For scales, instruments and the exchange with central.',
      'Für Waagen, Messgeräte und den Austausch mit der Zentrale.',
    ],
    example: true,
  },
  kiosk: {
    kind: 'flag',
    title: ['Fill the screen', 'Den Bildschirm füllen'],
    help: [
      'A machine that shows Holdpoint alone: one window, no menu, no way out but signing out of the machine. Set "Start when a user signs in" as well.',
      'Ein Rechner, der nur Holdpoint zeigt: ein Fenster, kein Menü, kein Ausweg als die Abmeldung vom Rechner. Setzen Sie auch „Bei der Anmeldung starten“.',
    ],
    example: false,
  },
  kiosk_pin: {
    kind: 'text',
    title: ['PIN to leave the full screen', 'PIN zum Verlassen des Vollbilds'],
    help: [
      'What the command "holdpoint policy pin" writes: not the PIN itself. Nobody leaves where it is not set.',
      'Was der Befehl „holdpoint policy pin“ schreibt: nicht die PIN selbst. Ist nichts gesetzt, verlässt es niemand.',
    ],
    example: 'scrypt$17$8$1$…',
  },
  kiosk_printer: {
    kind: 'text',
    title: ['Printer of the full screen', 'Drucker des Vollbilds'],
    help: [
      'The name of a printer of the system, to which documents go without a dialog. Where it is not set, the full screen prints none.',
      'Der Name eines Druckers des Systems, an den Dokumente ohne Dialog gehen. Ist nichts gesetzt, druckt das Vollbild keine.',
    ],
    example: 'Office',
  },
};

/** By their paths: group policies for Windows, a profile for macOS, an example of the file for Linux. */
export function policyTemplates(): Record<string, string> {
  return {
    'windows/Holdpoint.admx': admx(),
    'windows/en-US/Holdpoint.adml': adml(0),
    'windows/de-DE/Holdpoint.adml': adml(1),
    'macos/holdpoint.mobileconfig': profile(),
    'linux/policy.json': `${JSON.stringify(Object.fromEntries(examples()), null, 2)}\n`,
  };
}

function examples(): [string, Setting['example']][] {
  return MACHINE_POLICY_NAMES.map(name => [name, settings[name].example]);
}

function admx(): string {
  const policies = MACHINE_POLICY_NAMES.map(name => {
    const { kind } = settings[name];
    const shows = kind === 'flag' ? `valueName="${name}"` : `presentation="$(presentation.${name})"`;
    return [
      `    <policy name="${name}" class="Machine" displayName="$(string.${name})" explainText="$(string.${name}_help)" key="${KEY}" ${shows}>`,
      '      <parentCategory ref="Holdpoint" />',
      '      <supportedOn ref="Supported" />',
      ...elementsOf(name, kind).map(line => `      ${line}`),
      '    </policy>',
    ].join('\n');
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<policyDefinitions xmlns="http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions" revision="1.0" schemaVersion="1.0">
  <policyNamespaces>
    <target prefix="holdpoint" namespace="${NAMESPACE}" />
  </policyNamespaces>
  <resources minRequiredRevision="1.0" fallbackCulture="en-US" />
  <supportedOn>
    <definitions>
      <definition name="Supported" displayName="$(string.supported)" />
    </definitions>
  </supportedOn>
  <categories>
    <category name="Holdpoint" displayName="$(string.category)" />
  </categories>
  <policies>
${policies.join('\n')}
  </policies>
</policyDefinitions>
`;
}

function elementsOf(name: string, kind: Setting['kind']): string[] {
  switch (kind) {
    case 'flag':
      return [
        '<enabledValue><decimal value="1" /></enabledValue>',
        '<disabledValue><decimal value="0" /></disabledValue>',
      ];
    case 'text':
      return [`<elements><text id="${name}" valueName="${name}" required="true" /></elements>`];
    case 'port':
      return [
        `<elements><decimal id="${name}" valueName="${name}" required="true" minValue="1" maxValue="65535" /></elements>`,
      ];
    default:
      return [
        `<elements><enum id="${name}" valueName="${name}" required="true">`,
        ...kind.map(
          ({ value }) =>
            `  <item displayName="$(string.${name}_${value})"><value><string>${value}</string></value></item>`,
        ),
        '</enum></elements>',
      ];
  }
}

function adml(language: 0 | 1): string {
  const strings: [string, string][] = [
    ['category', 'Holdpoint'],
    ['supported', language === 0 ? 'Holdpoint 0.2.0 or later' : 'Holdpoint 0.2.0 oder neuer'],
    ...MACHINE_POLICY_NAMES.flatMap((name): [string, string][] => {
      const { kind, title, help } = settings[name];
      const choices = typeof kind === 'string' ? [] : kind;
      return [
        [name, title[language]],
        [`${name}_help`, help[language]],
        ...choices.map((choice): [string, string] => [`${name}_${choice.value}`, choice.title[language]]),
      ];
    }),
  ];
  const presentations = MACHINE_POLICY_NAMES.flatMap(name => {
    const { kind, title } = settings[name];
    const label = escaped(title[language]);
    const control = {
      flag: undefined,
      text: `<textBox refId="${name}"><label>${label}</label></textBox>`,
      port: `<decimalTextBox refId="${name}" defaultValue="4870">${label}</decimalTextBox>`,
      choice: `<dropdownList refId="${name}">${label}</dropdownList>`,
    }[typeof kind === 'string' ? kind : 'choice'];
    return control === undefined ? [] : [`      <presentation id="${name}">${control}</presentation>`];
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<policyDefinitionResources xmlns="http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions" revision="1.0" schemaVersion="1.0">
  <displayName>Holdpoint</displayName>
  <description>Holdpoint (${LANGUAGES[language]})</description>
  <resources>
    <stringTable>
${strings.map(([id, text]) => `      <string id="${id}">${escaped(text)}</string>`).join('\n')}
    </stringTable>
    <presentationTable>
${presentations.join('\n')}
    </presentationTable>
  </resources>
</policyDefinitionResources>
`;
}

/** A configuration profile for an MDM: the domain is the app's, so the system keeps it as managed preferences. */
function profile(): string {
  const values = examples().map(([name, value]) => {
    const text =
      typeof value === 'boolean'
        ? `<${value} />`
        : typeof value === 'number'
          ? `<integer>${value}</integer>`
          : `<string>${escaped(value)}</string>`;
    return `      <key>${name}</key>\n      ${text}`;
  });
  const payload = (type: string, identifier: string, uuid: string, indent: string) =>
    [
      `<key>PayloadType</key><string>${type}</string>`,
      `<key>PayloadIdentifier</key><string>${identifier}</string>`,
      `<key>PayloadUUID</key><string>${uuid}</string>`,
      '<key>PayloadVersion</key><integer>1</integer>',
    ]
      .map(line => `${indent}${line}`)
      .join('\n');
  const inner = [
    'io.holdpoint.station',
    'io.holdpoint.station.policy',
    '5B7E5B1E-4D0B-4E44-9B1C-6E4E0B7A3C01',
  ] as const;
  const outer = [
    'Configuration',
    'io.holdpoint.station.profile',
    '0C6D3C52-5C3B-4C6E-8F0D-2B8A1D9E7F02',
  ] as const;
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
${payload(...outer, '  ')}
  <key>PayloadDisplayName</key><string>Holdpoint</string>
  <key>PayloadScope</key><string>System</string>
  <key>PayloadContent</key>
  <array>
    <dict>
${payload(...inner, '      ')}
${values.join('\n')}
    </dict>
  </array>
</dict>
</plist>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

if (import.meta.main) {
  for (const [name, text] of Object.entries(policyTemplates())) {
    const path = join(FOLDER, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
