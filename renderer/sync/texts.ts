import type { Texts } from '../i18n/i18n.ts';

/** The exchange with central. */
export const texts = {
  en: {
    'badge.alone': 'Saved here',
    'badge.in_step': 'Saved and sent',
    'badge.exchanging': 'Saved here, sending',
    'badge.behind': 'Saved here, catching up',
    'badge.offline': 'Saved here, central is away',
    'badge.refused': 'Central refuses this station',
    'badge.outdated': 'Update needed to send',
    'badge.differs': 'Differs from central',
    'badge.stuck': 'Sending is stuck',
    'badge.unsent_one': 'Saved here, {{count}} not sent',
    'badge.unsent_other': 'Saved here, {{count}} not sent',
  },
  de: {
    'badge.alone': 'Hier gespeichert',
    'badge.in_step': 'Gespeichert und gesendet',
    'badge.exchanging': 'Hier gespeichert, wird gesendet',
    'badge.behind': 'Hier gespeichert, holt auf',
    'badge.offline': 'Hier gespeichert, Zentrale fehlt',
    'badge.refused': 'Zentrale weist die Station ab',
    'badge.outdated': 'Zum Senden Update nötig',
    'badge.differs': 'Weicht von der Zentrale ab',
    'badge.stuck': 'Senden steckt fest',
    'badge.unsent_one': 'Hier gespeichert, {{count}} ungesendet',
    'badge.unsent_other': 'Hier gespeichert, {{count}} ungesendet',
  },
} satisfies Texts;
