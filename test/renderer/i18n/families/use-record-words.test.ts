import { describe, expect, it } from 'vitest';
import { texts } from '../../../../renderer/i18n/families/texts.ts';
import { recordWords } from '../../../../renderer/i18n/families/use-record-words.ts';

const german = recordWords({
  word: english => texts.de[english] ?? english,
  day: day => `am ${day}`,
  author: user => (user === 'HOLDPOINT_TOKEN' ? 'die Integration' : user),
});

describe('what the server calls records, in German', () => {
  it('says the kind of what has no name, and leaves names as they are', () => {
    expect(german.title('inspection', 46, 'Inspection 46')).toBe('Prüfung 46');
    expect(german.title('inspection', 47, 'Inspection 46')).toBe('Inspection 46');
    expect(german.title('part', 46, 'Inspection 46')).toBe('Inspection 46');
    expect(german.title('supplier', 2, 'Supplier')).toBe('Supplier');
    expect(german.title('no such family', 2, 'Supplier 2')).toBe('Supplier 2');
  });

  it('says why a lot is locked, beside names of people', () => {
    expect(german.subtitle('inventory', null)).toBeNull();
    expect(
      german.subtitle(
        'inventory',
        'Linseed oil · Receipt 3 · an inspection of it failed; its receipt is quarantined',
      ),
    ).toBe(
      'Linseed oil · Wareneingang 3 · eine Prüfung ist nicht bestanden; sein Wareneingang ist in Quarantäne',
    );
    expect(german.subtitle('part', 'Part · Supplier; Customer')).toBe('Part · Supplier; Customer');
    expect(german.reason('a person locked it')).toBe('es wurde von Hand gesperrt');
    expect(german.reason('because')).toBe('because');
  });

  it('writes days as days, and lot numbers that look like days as they are', () => {
    expect(german.subtitle('inventory', '2026-11-27 · 2026-11-28')).toBe('2026-11-27 · am 2026-11-28');
    expect(german.subtitle('inventory', '2026-11-27 · 2026-11-28 · because')).toBe(
      '2026-11-27 · am 2026-11-28 · because',
    );
    expect(german.subtitle('purchase-order', 'Acme · 2026-11-28')).toBe('Acme · am 2026-11-28');
    expect(german.subtitle('ncr', 'Linseed oil · 2026-11-27')).toBe('Linseed oil · 2026-11-27');
    expect(german.subtitle('lab-result', '2026-11-27')).toBe('2026-11-27');
  });

  it('names another record and the integration by no word of the program', () => {
    expect(german.subtitle('correction', 'inspection:51 · HOLDPOINT_TOKEN')).toBe(
      'Prüfung 51 · die Integration',
    );
    expect(german.subtitle('correction', 'no-such:51 · ada')).toBe('no-such:51 · ada');
  });
});
