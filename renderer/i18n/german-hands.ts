import type { Saying } from './german-remedies.ts';

/** PINs, badges and sessions: `server/identity/hands.ts`, `server/http/handlers/hands.ts`. */
export const germanHands: readonly Saying[] = [
  [
    /^The PIN or badge is wrong\. One try is left, then the password is needed\.$/,
    'PIN oder Ausweis ist falsch. Noch ein Versuch, dann brauchen Sie Ihr Passwort.',
  ],
  [
    /^The PIN or badge is wrong\. (\d+) tries are left, then the password is needed\.$/,
    (_, left) => `PIN oder Ausweis ist falsch. Noch ${left} Versuche, dann brauchen Sie Ihr Passwort.`,
  ],
  [
    /^Five wrong ones: the session is over\. Sign in with your password\.$/,
    'Fünfmal falsch: Die Sitzung ist beendet. Melden Sie sich mit Ihrem Passwort an.',
  ],
  [
    /^Give your password this time: a PIN or badge is not enough here\.$/,
    'Geben Sie diesmal Ihr Passwort ein: PIN oder Ausweis genügt hier nicht.',
  ],
  [
    /^There is no PIN and no badge here\. Give your password\.$/,
    'Hier gibt es keine PIN und keinen Ausweis. Geben Sie Ihr Passwort ein.',
  ],
  [
    /^Choose your name first, then scan your badge\.$/,
    'Wählen Sie erst Ihren Namen, und scannen Sie dann Ihren Ausweis.',
  ],
  [
    /^This is nobody's badge here\. Choose your name, or sign in with your password\.$/,
    'Dieser Ausweis gehört hier niemandem. Wählen Sie Ihren Namen, oder melden Sie sich mit Ihrem Passwort an.',
  ],
  [
    /^The session is over\. Sign in with your password\.$/,
    'Die Sitzung ist beendet. Melden Sie sich mit Ihrem Passwort an.',
  ],
  [
    /^This badge is that of (.+) here\. Give another one\.$/s,
    (_, name) => `Dieser Ausweis ist hier der von ${name}. Nehmen Sie einen anderen.`,
  ],
  [
    /^This PIN is tried first\. Give digits that do not follow each other\.$/,
    'Diese PIN wird zuerst probiert. Nehmen Sie Ziffern, die nicht aufeinander folgen.',
  ],
  [/^A PIN has 4 to 8 digits\.$/, 'Eine PIN hat 4 bis 8 Ziffern.'],
  [/^A badge has 6 characters at least\.$/, 'Ein Ausweis hat mindestens 6 Zeichen.'],
  [/^There is no such session any more\.$/, 'Diese Sitzung gibt es nicht mehr.'],
];
