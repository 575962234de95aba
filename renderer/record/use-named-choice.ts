import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { invalid } from '../../shared/contract/errors.ts';

/** A record that a form asks for by its name, or nobody: what was typed and is nobody's name is not dropped in silence. */
export function useNamedChoice() {
  const { t } = useTranslation('record');
  const [id, setId] = useState<number | null>(null);
  const [unknown, setUnknown] = useState<string | null>(null);
  return {
    id,
    /** For `ReferenceInput`. */
    input: { value: id, onChange: setId, onTyped: setUnknown },
    /** @throws AppError `validation_failed` at the field, where something was typed that nothing is called */
    refuseUnknown(field: string): void {
      if (id === null && unknown !== null)
        throw invalid({ [field]: [t('reference.unknown', { text: unknown })] });
    },
  };
}
