import type { TextTable } from '../../i18n/text-table.ts';

/** The clock of this machine. */
export const clockTexts = {
  'clock.says': ['The clock of this computer says {{now}}.', 'Die Uhr dieses Rechners zeigt {{now}}.'],
  'clock.believed': ['It is taken for right.', 'Sie gilt als richtig.'],
  'clock.unconfirmed': [
    'It is not confirmed. It should say {{least}} at least.',
    'Sie ist nicht bestätigt. Sie müsste mindestens {{least}} zeigen.',
  ],
  'clock.set': [
    'If it is wrong, set it right on the computer: that ends this by itself. If it is right, confirm it.',
    'Geht sie falsch, stellen Sie sie am Rechner richtig: Dann endet dies von selbst. Geht sie richtig, bestätigen Sie sie.',
  ],
  'clock.ask': [
    'If it is right, ask somebody of quality or an administrator to confirm it.',
    'Geht sie richtig, bitten Sie jemanden von der Qualität oder einen Administrator, sie zu bestätigen.',
  ],
  'clock.confirm': ['Confirm the clock', 'Uhr bestätigen'],
  'clock.is-right': [
    '{{now}} is right: compare it with another clock before you confirm',
    '{{now}} ist richtig: Vergleichen Sie vor dem Bestätigen mit einer anderen Uhr',
  ],
  'clock.facts': ['What was noticed', 'Was bemerkt wurde'],
  'clock.none': ['Nothing was noticed.', 'Es wurde nichts bemerkt.'],
  'clock.kind': ['What', 'Was'],
  'clock.clock': ['The clock said', 'Die Uhr zeigte'],
  'clock.least': ['At least', 'Mindestens'],
  'clock.user': ['Who', 'Wer'],
  'clock.reason': ['Why', 'Warum'],
  'clock.kind.step_at_start': [
    'At a start it stood before what was written last',
    'Beim Start stand sie vor dem zuletzt Geschriebenen',
  ],
  'clock.kind.step': ['It was changed', 'Sie wurde verstellt'],
  'clock.kind.confirmed': ['It was confirmed', 'Sie wurde bestätigt'],
  'clock.kind.set_right': ['It was right again', 'Sie ging wieder richtig'],
  'clock.kind.as_central': ['It is as central’s', 'Sie geht wie die der Zentrale'],
} satisfies TextTable;
