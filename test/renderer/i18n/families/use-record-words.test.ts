import { describe, expect, it } from 'vitest';
import { texts } from '../../../../renderer/i18n/families/texts.ts';
import { recordWords } from '../../../../renderer/i18n/families/use-record-words.ts';

const german = recordWords(english => texts.de[english] ?? english);

describe('what the server calls records, in German', () => {
  it('says the kind of what has no name, and leaves names as they are', () => {
    expect(german.title('inspection', 46, 'Inspection 46')).toBe('Prüfung 46');
    expect(german.title('inspection', 47, 'Inspection 46')).toBe('Inspection 46');
    expect(german.title('part', 46, 'Inspection 46')).toBe('Inspection 46');
    expect(german.title('supplier', 2, 'Supplier')).toBe('Supplier');
    expect(german.title('no such family', 2, 'Supplier 2')).toBe('Supplier 2');
  });

  it('says why a lot is locked, beside names of people', () => {
    expect(german.subtitle(null)).toBeNull();
    expect(
      german.subtitle('Linseed oil · Receipt 3 · an inspection of it failed; its receipt is quarantined'),
    ).toBe(
      'Linseed oil · Wareneingang 3 · eine Prüfung ist nicht bestanden; sein Wareneingang ist in Quarantäne',
    );
    expect(german.subtitle('Part · Supplier; Customer')).toBe('Part · Supplier; Customer');
    expect(german.reason('a person locked it')).toBe('es wurde von Hand gesperrt');
    expect(german.reason('because')).toBe('because');
  });
});
