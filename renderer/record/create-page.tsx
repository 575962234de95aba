import { Stack, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import type { Family } from '../../shared/define-family.ts';
import { familyOf } from '../../shared/families/registry.ts';
import { useWrite } from '../api/calls.ts';
import { operationOf } from '../api/operations.ts';
import { MissingPage } from '../app/missing-page.tsx';
import { recordPath } from '../app/record-path.ts';
import { useFamilyTexts } from '../families/family-texts.ts';
import { RecordForm, type Values } from './record-form.tsx';

/** A new record of any family. Parameters of the address fill fields in: `?part_id=12`. */
export function Component() {
  const family = familyOf(useParams().family ?? '');
  return family && operationOf(family, 'create') ? (
    <Create key={family.name} family={family} />
  ) : (
    <MissingPage />
  );
}

function Create({ family }: { family: Family }) {
  const { t } = useTranslation('record');
  const texts = useFamilyTexts();
  const navigate = useNavigate();
  const [address] = useSearchParams();
  const { mutateAsync } = useWrite<Values>(operationOf(family, 'create')?.id ?? '');
  const initial = { ...fallbacks(family), ...Object.fromEntries(address) };
  return (
    <Stack>
      <Title order={1}>{t('create', { family: texts.title(family) })}</Title>
      <RecordForm
        family={family}
        mode="create"
        initial={initial}
        draftKey={`new ${family.name}`}
        onCancel={() => void navigate(-1)}
        onSave={async body => {
          const { data, meta } = await mutateAsync({ body });
          await navigate(recordPath(family.name, String(data.id ?? meta.id)), { replace: true });
        }}
      />
    </Stack>
  );
}

function fallbacks(family: Family): Values {
  return Object.fromEntries(
    Object.entries(family.fields).flatMap(([name, field]) =>
      field.writable && field.fallback !== undefined ? [[name, field.fallback]] : [],
    ),
  );
}
