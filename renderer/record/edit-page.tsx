import { Alert, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import type { Family } from '../../shared/contract/define-family.ts';
import { AppError } from '../../shared/contract/errors.ts';
import { recordTitle } from '../../shared/families/record-title.ts';
import { familyOf } from '../../shared/families/registry.ts';
import { canBeSigned } from '../../shared/families/signature-acts.ts';
import { useWriteOf } from '../api/calls.ts';
import { client } from '../api/client.ts';
import { operationOf } from '../api/operations.ts';
import { useFamilyTexts } from '../i18n/families/use-family-texts.ts';
import { useRecordWords } from '../i18n/families/use-record-words.ts';
import { Failure } from '../ui/failure.tsx';
import { MissingPage } from '../ui/missing-page.tsx';
import { RecordHeading } from '../ui/record-heading.tsx';
import { recordPath } from '../ui/record-path.ts';
import { useSigner } from '../ui/signing/signing.tsx';
import { type Draft, useDraft } from './draft.ts';
import type { Values } from './form-values.ts';
import { type Meanwhile, MeanwhileNotice } from './meanwhile-notice.tsx';
import { RecordForm } from './record-form.tsx';
import { signedChange, signingExtra } from './signing-extra.tsx';
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
  const texts = useFamilyTexts();
  const words = useRecordWords();
  const { data, error, refetch } = useWholeRecord(family.name, id);
  const draft = useDraft<EditDraft>(`${family.name}:${id}`);
  // The form stays what it was when it was opened, whatever others change meanwhile: nothing moves under what is typed.
  // What was typed into an earlier version goes on over that version, so that a change in between is not written over.
  const [opened, setOpened] = useState<WholeRecord>();
  if (!opened && data && draft.found !== undefined) setOpened(draft.found?.base ?? data.data);
  const title = words.title(family.name, id, recordTitle(family, opened ?? { id, fields: {} }));
  return (
    <Stack>
      <RecordHeading kind={texts.title(family)} title={t('edit', { title })} />
      {opened ? (
        <EditForm family={family} opened={opened} present={data?.data ?? opened} draft={draft} />
      ) : error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <Text role="status">{t('app:reading')}</Text>
      )}
    </Stack>
  );
}

/** What is typed, and the record that was on screen when it was. */
interface EditDraft {
  base: WholeRecord;
  changes: Values;
}

interface EditFormProps {
  family: Family;
  opened: WholeRecord;
  /** As it is now: changes of others arrive by themselves. */
  present: WholeRecord;
  draft: Draft<EditDraft>;
}

function EditForm({ family, opened, present, draft }: EditFormProps) {
  const { t } = useTranslation('record');
  const navigate = useNavigate();
  const typed = useMemo(
    (): Draft<Values> => ({
      ...draft,
      found: draft.found === null ? null : draft.found?.changes,
      keep: changes => draft.keep({ base: opened, changes }),
    }),
    [draft, opened],
  );
  const [meanwhile, setMeanwhile] = useState<Meanwhile | null>(null);
  const signer = useSigner(canBeSigned(family));
  const initial = editableValues(family, opened);
  const { mutateAsync } = useWriteOf({ id: `${operationOf(family, 'update')?.id}.patch` });
  const path = recordPath(family.name, opened.id);

  /** What is written stands over `base`; when somebody was faster, both versions are shown and nothing is written. */
  const write = async (body: Values, base: WholeRecord) => {
    const reason = typeof body.reason === 'string' ? body.reason : '';
    const signing = signer.of(signedChange(family, initial, { ...initial, ...body }));
    try {
      await mutateAsync({
        params: { id: opened.id },
        body: { ...body, ...signing.bodyOf(reason) },
        headers: { 'If-Match': wholeEtag(base) },
      });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'stale') throw error;
      const { data: theirs } = await client.call('x.records.read', {
        params: { family: family.name, id: opened.id },
      });
      setMeanwhile({ base: opened, theirs, mine: body });
      return;
    }
    await draft.discard().catch(() => {});
    await navigate(path, { replace: true });
  };

  return (
    <>
      {meanwhile && (
        <MeanwhileNotice
          key={meanwhile.theirs.state}
          family={family}
          meanwhile={meanwhile}
          onDecide={body => write(body, meanwhile.theirs)}
          onBack={() => setMeanwhile(null)}
        />
      )}
      {!meanwhile && present.state !== opened.state && (
        <Alert
          color="yellow"
          variant="outline"
          role="status"
          title={t('meanwhile.early', { user: present.user })}
        >
          {t('meanwhile.early.text')}
        </Alert>
      )}
      <div hidden={meanwhile !== null}>
        <RecordForm
          family={family}
          mode="patch"
          initial={initial}
          draft={typed}
          onCancel={() => void navigate(path)}
          onSave={async body => {
            if (Object.keys(body).length > 0) return write(body, opened);
            await navigate(path, { replace: true });
          }}
          extra={signingExtra(signer, values => signedChange(family, initial, values))}
        />
      </div>
    </>
  );
}
