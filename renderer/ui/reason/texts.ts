import { textTable } from '../../i18n/text-table.ts';

/** Why a saved value changes. */
export const texts = textTable({
  reason: ['Reason', 'Grund'],
  keys_one: ['Key 1 chooses, or type your own.', 'Taste 1 wählt, oder tippen Sie einen eigenen.'],
  keys_other: [
    'Keys 1 to {{count}} choose, or type your own.',
    'Tasten 1 bis {{count}} wählen, oder tippen Sie einen eigenen.',
  ],
  choose: ['To choose from', 'Zur Auswahl'],
  say: ['Say why. It is kept in history.', 'Sagen Sie, warum. Es steht in der Historie.'],
  due: [
    'Say why: choose a reason, or type one. It is kept.',
    'Sagen Sie, warum: Wählen Sie einen Grund, oder tippen Sie einen. Er bleibt festgehalten.',
  ],
  'given.mistyped': ['Mistyped', 'Vertippt'],
  'given.misread': ['Misread', 'Falsch abgelesen'],
  'given.label': ['Label wrong', 'Etikett falsch'],
  'given.counted-again': ['Counted again', 'Neu gezählt'],
  'given.measured-again': ['Measured again', 'Neu gemessen'],
  'given.supplier': ['Supplier told us', 'Auskunft des Lieferanten'],
  'given.wrong-lot': ['Wrong lot', 'Falsches Los'],
  'given.wrong-sample': ['Wrong sample', 'Falsche Probe'],
  'given.gauge': ['Gauge was off', 'Messmittel verstellt'],
  'given.limits': ['Limits misunderstood', 'Grenzen missverstanden'],
  'given.checked': ['Checked again: in order', 'Nachgeprüft: in Ordnung'],
  'given.certificate': ['Certificate came', 'Zeugnis ist da'],
  'given.measurements': ['By the measurements', 'Nach den Messwerten'],
  'given.ordered': ['As ordered', 'Wie bestellt'],
  'given.picked': ['Picked and checked', 'Kommissioniert und geprüft'],
  'given.not-collected': ['Not collected', 'Nicht abgeholt'],
  for: ['For {{role}}', 'Nur für {{role}}'],
  'role.viewer': ['viewers', 'Betrachter'],
  'role.operator': ['operators', 'Werker'],
  'role.inspector': ['inspectors', 'Prüfer'],
  'role.quality': ['quality', 'die Qualitätssicherung'],
  'role.administrator': ['administrators', 'Administratoren'],
});
