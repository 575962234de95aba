import { useTranslation } from 'react-i18next';
import type { Collection, Family } from '../../../shared/contract/define-family.ts';
import type { Field } from '../../../shared/contract/fields.ts';
import { pathLabel } from './path-label.ts';

/** Names of families, fields and choices in the present language. Their keys are the English names of the contract. */
export function useFamilyTexts() {
  const { t } = useTranslation('families');
  const word = (english: string) => t(english, { defaultValue: english, nsSeparator: false });
  return {
    title: (family: Pick<Family, 'title'>) => word(family.title),
    plural: (family: Pick<Family | Collection, 'plural'>) => word(family.plural),
    label: (field: Pick<Field, 'label'>) => word(field.label),
    hint: (field: Pick<Field, 'description'>) => word(field.description),
    choice: (value: string) => word(value),
    /** What an error's path names: `items.0.part_id` is the part of entry 1. */
    path: (path: string) => {
      const { label, place } = pathLabel(path);
      return place === null ? word(label) : `${place}. ${word(label)}`;
    },
    word,
  };
}
