import { Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { families } from '../../../shared/families/registry.ts';
import { languages } from '../../../shared/operations/paper-operations.ts';
import { useWrite } from '../../api/calls.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { changeOf } from '../../ui/signing/signing.tsx';

/** Issues a certificate of a lot in a language, signed where the site's settings want it. */
export function IssueCertificate({ lot, onClose }: { lot: number; onClose: () => void }) {
  const { t, i18n } = useTranslation('certificates');
  const texts = useFamilyTexts();
  const { mutateAsync } = useWrite('x.certificates.issue');
  const own = languages.find(each => each === i18n.language) ?? 'en';
  const [language, setLanguage] = useState(own);
  return (
    <ActionForm
      title={t('issue')}
      submit={t('issue')}
      onClose={onClose}
      reason={{ kind: 'own' }}
      signs={changeOf(families.certificate, undefined, { inventory_id: lot, language })}
      onSubmit={(_reason, signature) =>
        mutateAsync({ params: { id: lot }, body: { language, ...signature } })
      }
    >
      {errors => (
        <Select
          label={t('language')}
          description={t('issue.hint')}
          value={language}
          onChange={next => setLanguage(languages.find(each => each === next) ?? own)}
          data={languages.map(value => ({ value, label: texts.choice(value) }))}
          allowDeselect={false}
          error={errors('language')}
          data-autofocus
        />
      )}
    </ActionForm>
  );
}
