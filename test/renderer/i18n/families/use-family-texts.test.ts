import { describe, expect, it } from 'vitest';
import { texts } from '../../../../renderer/i18n/families/texts.ts';
import type { Collection, Family } from '../../../../shared/contract/define-family.ts';
import type { Field } from '../../../../shared/contract/fields.ts';
import { lotLocks } from '../../../../shared/families/lot-locks.ts';
import { families } from '../../../../shared/families/registry.ts';
import { machineSetting } from '../../../../shared/families/setting.ts';

type Described = Pick<Collection, 'fields' | 'collections'>;

/** Units, levels and limits are written alike in both languages, unless a catalogue says otherwise. */
const SYMBOLS = new Set(
  fieldsOf(Object.values<Family>(families))
    .filter(([name]) => /unit|sampling/.test(name) && name !== 'unit_type')
    .flatMap(([, field]) => field.choices ?? []),
);

const names = new Set<string>();
const choices = new Set<string>();
const hints = new Set<string>();
for (const family of Object.values<Family>(families)) {
  names.add(family.title).add(family.plural);
  for (const title of titlesOf(family)) names.add(title);
}
for (const reason of Object.values(lotLocks)) names.add(reason);
for (const [, field] of fieldsOf([...Object.values<Family>(families), machineSetting])) {
  names.add(field.label);
  for (const choice of field.choices ?? []) choices.add(choice);
  if (field.writable && field.description !== '') hints.add(field.description);
}

describe('the German names of families and fields', () => {
  it('says every title, label, choice and hint that a screen shows', () => {
    const needed = [...names, ...hints, ...[...choices].filter(choice => !SYMBOLS.has(choice))];
    expect(needed.length).toBeGreaterThan(200);
    expect(needed.filter(english => !texts.de[english])).toEqual([]);
  });

  it('has nothing that the contract does not name', () => {
    const known = new Set([...names, ...choices, ...hints]);
    const written = [...Object.keys(texts.de), ...Object.keys(texts.en)];
    expect(written.filter(english => !known.has(english))).toEqual([]);
  });

  it('gives English words for choices that are words for programs', () => {
    const codes = [...choices].filter(choice => !SYMBOLS.has(choice) && !/^[A-Z][a-z]+$/.test(choice));
    expect(codes.length).toBeGreaterThan(10);
    expect(codes.filter(code => !texts.en[code])).toEqual([]);
  });

  it('tells a person nothing about names of fields, null or false', () => {
    const shown = [...hints]
      .map(hint => texts.en[hint] ?? hint)
      .concat([...hints].map(hint => texts.de[hint] ?? ''));
    expect(shown.filter(hint => /`|\bnull\b|\bfalse\b|_/i.test(hint.replace('. _ @ -', '')))).toEqual([]);
  });
});

function fieldsOf(described: readonly Described[]): [string, Field][] {
  return described.flatMap(({ fields, collections }) => [
    ...Object.entries(fields),
    ...fieldsOf(Object.values(collections)),
  ]);
}

function titlesOf({ collections }: Described): string[] {
  return Object.values(collections).flatMap(inner => [inner.title, inner.plural, ...titlesOf(inner)]);
}
