import type { Saying } from './german-remedies.ts';

/** Of webhooks: `server/webhooks/webhooks.ts`, `shared/operations/webhook-operations.ts`. */
export const germanWebhooks: readonly Saying[] = [
  [
    /^Give the whole address of the receiver.*$/,
    'Geben Sie die ganze Adresse des Empfängers an, etwa https://example.com/hooks.',
  ],
  [/^Give the address of the receiver\.$/, 'Geben Sie die Adresse des Empfängers an.'],
  [/^A webhook needs a name\.$/, 'Ein Webhook braucht einen Namen.'],
  [
    /^The address must begin with https:\/\/ or http:\/\/\.$/,
    'Die Adresse muss mit https:// oder http:// beginnen.',
  ],
  [
    /^The address may hold no user and password: it is shown\. What is sent is signed instead\.$/,
    'Die Adresse darf weder Benutzer noch Passwort enthalten, denn sie wird angezeigt. Was gesendet wird, ist stattdessen signiert.',
  ],
  [
    /^Leave out what follows the #: no receiver sees it\.$/,
    'Lassen Sie weg, was auf das # folgt: Kein Empfänger sieht es.',
  ],
  [
    /^This machine may not send there: .*HOLDPOINT_WEBHOOK_TARGETS\.$/s,
    'Dieser Rechner darf dorthin nicht senden: Die Adresse führt zu ihm selbst, in ein internes Netz oder zu einem Dienst des Netzes. Wer den Rechner betreibt, kann sie in HOLDPOINT_WEBHOOK_TARGETS eintragen.',
  ],
  [
    /^Give an address with https:\/\/: .*$/,
    'Geben Sie eine Adresse mit https:// an: Was mit http:// über das Internet geht, ist unterwegs lesbar.',
  ],
  [
    /^There is a webhook "(.+)" already\. Choose another name\.$/s,
    (_, name) => `Einen Webhook „${name}“ gibt es schon. Wählen Sie einen anderen Namen.`,
  ],
  [
    /^Its secret cannot be read on this machine\. Give it a new one first\.$/,
    'Sein Geheimnis ist auf diesem Rechner nicht lesbar. Geben Sie ihm zuerst ein neues.',
  ],
  [
    /^A machine has at most (\d+) webhooks\. Remove one first\.$/,
    (_, most) => `Ein Rechner hat höchstens ${most} Webhooks. Entfernen Sie zuerst einen.`,
  ],
  [
    /^The webhook "(.+)" has given up messages: (\d+)\.$/s,
    (_, name, count) => `Der Webhook „${name}“ hat Nachrichten aufgegeben: ${count}.`,
  ],
  [
    /^The webhook "(.+)" sends nothing: its receiver answered that it is gone\.$/s,
    (_, name) => `Der Webhook „${name}“ sendet nichts: Den Empfänger gibt es nach eigener Angabe nicht mehr.`,
  ],
  [
    /^The webhook "(.+)" sends nothing: nothing has arrived for about three days\.$/s,
    (_, name) => `Der Webhook „${name}“ sendet nichts: Seit etwa drei Tagen kam nichts an.`,
  ],
  [
    /^The webhook "(.+)" sends nothing: too many messages were given up\.$/s,
    (_, name) => `Der Webhook „${name}“ sendet nichts: Zu viele Nachrichten wurden aufgegeben.`,
  ],
  [
    /^The webhook "(.+)" sends nothing: its secret cannot be read on this machine\.$/s,
    (_, name) => `Der Webhook „${name}“ sendet nichts: Sein Geheimnis ist auf diesem Rechner nicht lesbar.`,
  ],
  [
    /^The webhook "(.+)" sends nothing: this machine has joined a central\.$/s,
    (_, name) => `Der Webhook „${name}“ sendet nichts: Dieser Rechner ist einer Zentrale beigetreten.`,
  ],
];
