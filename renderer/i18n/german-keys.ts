import type { Saying } from './german-remedies.ts';

/** What is said of keys: `server/http/handlers/authority.ts`, `server/identity/identity.ts`, `server/http/signing.ts`. */
export const germanKeys: readonly Saying[] = [
  [
    /^This installation signs with another key\. Look again at the machine\.$/,
    'Diese Installation unterschreibt mit einem anderen Schlüssel. Sehen Sie am Rechner noch einmal nach.',
  ],
  [
    /^Give the SHA-256 of the key, 64 digits of hex\.$/,
    'Geben Sie die SHA-256 des Schlüssels an, 64 Hexadezimalziffern.',
  ],
  [/^Say why the key is another one\.$/, 'Sagen Sie, warum der Schlüssel ein anderer ist.'],
  [
    /^Give your password: it opens the key that you sign with\.$/,
    'Geben Sie Ihr Passwort an: Es öffnet den Schlüssel, mit dem Sie unterschreiben.',
  ],
  [
    /^(\S+) has certified it\. It takes another administrator\.$/,
    (_word, who) => `${who} hat ihn schon beglaubigt. Es braucht einen weiteren Administrator.`,
  ],
  [
    /^(\S+) became an administrator, or got a key, after this installation had begun to sign with another one\./,
    (_word, who) =>
      `${who} wurde erst Administrator oder bekam erst einen Schlüssel, als diese Installation schon mit einem anderen unterschrieb. Es braucht Administratoren von zuvor.`,
  ],
  [
    /^(\S+) has no key on this machine\. Sign in here once, and try again\.$/,
    (_word, who) =>
      `${who} hat an diesem Rechner keinen Schlüssel. Melden Sie sich hier einmal an und versuchen Sie es noch einmal.`,
  ],
  [
    /^The key of this installation counts: there is nothing to certify\.$/,
    'Der Schlüssel dieser Installation gilt: Es gibt nichts zu beglaubigen.',
  ],
  [
    /^Your password was revoked, because somebody else may know it\. Choose another one first\.$/,
    'Ihr Passwort wurde widerrufen, weil jemand anderes es kennen kann. Wählen Sie zuerst ein anderes.',
  ],
  [
    /^Your password was revoked, so it signs nothing\. Choose another one at central first\.$/,
    'Ihr Passwort wurde widerrufen und unterschreibt deshalb nichts. Wählen Sie zuerst an der Zentrale ein anderes.',
  ],
];
