import { useTranslation } from 'react-i18next';
import type { Family } from '../../shared/define-family.ts';
import type { Field } from '../../shared/fields.ts';

/** Names of families, fields and choices in the present language. Their keys are the English names of the contract. */
export function useFamilyTexts() {
  const { t } = useTranslation('families');
  const word = (english: string) => t(english, { defaultValue: english, nsSeparator: false });
  return {
    title: (family: Pick<Family, 'title'>) => word(family.title),
    plural: (family: Pick<Family, 'plural'>) => word(family.plural),
    label: (field: Pick<Field, 'label'>) => word(field.label),
    hint: (field: Pick<Field, 'description'>) => word(field.description),
    choice: (value: string) => word(value),
    word,
  };
}
