import type { Family } from '../../../shared/contract/define-family.ts';

/**
 * The fields that a list may show as columns, each thing once: an answer may have a reference beside the record that it
 * leads to, and a name beside its id, which people call alike.
 */
export function columnFields({ fields, columns }: Pick<Family, 'fields' | 'columns'>): string[] {
  const returned = Object.keys(fields).filter(name => fields[name]?.returned);
  const rankOf = (name: string) => (columns.includes(name) ? 0 : fields[name]?.reference ? 1 : 2);
  const isRepeated = (name: string) =>
    returned.some(
      (other, place) =>
        fields[other]?.label === fields[name]?.label &&
        (rankOf(other) < rankOf(name) || (rankOf(other) === rankOf(name) && place < returned.indexOf(name))),
    );
  const isIdBeside = (name: string) =>
    name.endsWith('_id') && !fields[name]?.reference && returned.includes(name.slice(0, -'_id'.length));
  return returned.filter(name => !isRepeated(name) && !isIdBeside(name));
}
