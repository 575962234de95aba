import { Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import type { Family } from '../../shared/define-family.ts';
import { AppError } from '../../shared/errors.ts';
import { familyOf } from '../../shared/families/registry.ts';
import { recordTitle } from '../../shared/record-title.ts';
import { useWrite } from '../api/calls.ts';
import { client } from '../api/client.ts';
import { operationOf } from '../api/operations.ts';
import { Failure } from '../app/failure.tsx';
import { MissingPage } from '../app/missing-page.tsx';
import { recordPath } from '../app/record-path.ts';
import { useFamilyTexts } from '../families/family-texts.ts';
import { type Meanwhile, MeanwhileNotice } from './meanwhile-notice.tsx';
import { RecordForm, type Values } from './record-form.tsx';
import { editableValues, useWholeRecord, type WholeRecord, wholeEtag } from './whole-record.ts';

/** Changing a record of any family. */
export function Component() {
  const params = useParams();
  const family = familyOf(params.family ?? '');
  const id = Number(params.id);
  return family && operationOf(family, 'update') ? (
    <Edit key={`${family.name}:${id}`} family={family} id={id} />
  ) : (
    <MissingPage />
  );
}

function Edit({ family, id }: { family: Family; id: number }) {
  const { t } = useTranslation('record');
  const { data, error } = useWholeRecord(family.name, id);
  // What the person sees changing while typing is this first reading; what others change meanwhile is told when saving.
  const [opened, setOpened] = useState<WholeRecord>();
  if (!opened && data) setOpened(data.data);
  if (!opened) return error ? <Failure error={error} /> : <Text role="status">{t('reading')}</Text>;
  return <EditForm family={family} opened={opened} />;
}

function EditForm({ family, opened }: { family: Family; opened: WholeRecord }) {
  const { t } = useTranslation('record');
  const texts = useFamilyTexts();
  const navigate = useNavigate();
  const [base, setBase] = useState(opened);
  const [meanwhile, setMeanwhile] = useState<Meanwhile | null>(null);
  const { mutateAsync } = useWrite(`${operationOf(family, 'update')?.id}.patch`);
  const path = recordPath(family.name, opened.id);

  const write = async (body: Values, over: WholeRecord) => {
    try {
      await mutateAsync({ params: { id: opened.id }, body, headers: { 'If-Match': wholeEtag(over) } });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'stale') throw error;
      const { data: theirs } = await client.call<WholeRecord>('x.records.read', {
        params: { family: family.name, id: opened.id },
      });
      setMeanwhile({ base: over, theirs, mine: body });
      throw error;
    }
    await navigate(path, { replace: true });
  };

  return (
    <Stack>
      <Title order={1} className="typed">
        {t('edit', { title: recordTitle(family, opened) })}
      </Title>
      <Text c="dimmed">{texts.title(family)}</Text>
      {meanwhile && (
        <MeanwhileNotice
          family={family}
          meanwhile={meanwhile}
          onDecide={async body => {
            setBase(meanwhile.theirs);
            setMeanwhile(null);
            await write(body, meanwhile.theirs);
          }}
        />
      )}
      <RecordForm
        family={family}
        mode="patch"
        initial={editableValues(family, opened)}
        draftKey={`${family.name}:${opened.id}`}
        onCancel={() => void navigate(path)}
        onSave={async body => {
          if (Object.keys(body).length === 0) return void (await navigate(path));
          await write(body, base);
        }}
      />
    </Stack>
  );
}
