import { Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import type { Family } from '../../shared/define-family.ts';
import { familyOf } from '../../shared/families/registry.ts';
import { useCall, useWrite } from '../api/calls.ts';
import { operationOf } from '../api/operations.ts';
import { Failure } from '../app/failure.tsx';
import { MissingPage } from '../app/missing-page.tsx';
import { recordPath } from '../app/record-path.ts';
import { useFamilyTexts } from '../families/family-texts.ts';
import { RecordForm, type Values } from './record-form.tsx';

/**
 * A new record of any family. Parameters of the address fill fields in: `?part_id=12`; `?from=inspection:5` takes what
 * that record proposes.
 */
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
  const [{ from, ...given }] = [Object.fromEntries(useSearchParams()[0])];
  const [source = '', sourceId = ''] = from?.split(':') ?? [];
  const proposal = useCall<Values[]>(
    'x.proposals.list',
    { params: { family: source, id: sourceId } },
    { isEnabled: from !== undefined },
  );
  const isReady = from === undefined || proposal.data !== undefined || proposal.isError;
  const proposed = proposal.data?.data[Number(given.pick ?? 0)] ?? {};
  return (
    <Stack>
      <Title order={1}>{t('create', { family: texts.title(family) })}</Title>
      <Failure error={proposal.error} />
      {isReady ? (
        <CreateForm family={family} initial={{ ...fallbacks(family), ...proposed, ...given }} origin={from} />
      ) : (
        <Text role="status">{t('reading')}</Text>
      )}
    </Stack>
  );
}

function CreateForm(props: { family: Family; initial: Values; origin: string | undefined }) {
  const { family, initial, origin } = props;
  const navigate = useNavigate();
  const { mutateAsync } = useWrite<Values>(operationOf(family, 'create')?.id ?? '');
  return (
    <RecordForm
      family={family}
      mode="create"
      initial={initial}
      draftKey={origin === undefined ? `new ${family.name}` : `new ${family.name} from ${origin}`}
      onCancel={() => void navigate(-1)}
      onSave={async body => {
        const { data, meta } = await mutateAsync({ body });
        await navigate(recordPath(family.name, String(data.id ?? meta.id)), { replace: true });
      }}
    />
  );
}

function fallbacks(family: Family): Values {
  return Object.fromEntries(
    Object.entries(family.fields).flatMap(([name, field]) =>
      field.writable && field.fallback !== undefined ? [[name, field.fallback]] : [],
    ),
  );
}
