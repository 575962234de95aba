import { Button, Card, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { invalid } from '../../../shared/contract/errors.ts';
import { familyOf } from '../../../shared/families/registry.ts';
import { useWriteOf } from '../../api/calls.ts';
import { client } from '../../api/client.ts';
import { useMay } from '../../api/may.ts';
import { operationOf } from '../../api/operations.ts';
import { useFormats } from '../../i18n/formats.ts';
import { useWholeRecord, wholeEtag } from '../../record/whole-record.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { changeOf, SigningField, useSigning } from '../../ui/signing/signing.tsx';
import { bodyAt, valueAt } from './conflict-body.ts';
import { type ConflictProps, useConflictPath } from './open-conflict.tsx';
import { type Choice, chosenValue, useIsWithheld, useValueText, ValueChoice } from './value-choice.tsx';

/** A decided conflict: what was decided, by whom and why. It is decided anew by a change of the record, with a reason. */
export function ClosedConflict({ conflict, of, here }: ConflictProps) {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const may = useMay();
  const [isAnew, setIsAnew] = useState(false);
  const described = useConflictPath(conflict);
  const { outcome, values, family: name, record_id: id, path } = conflict;
  const family = familyOf(name);
  const update = family && operationOf(family, 'update');
  const { data } = useWholeRecord(name, id);
  const present = data && valueAt(data.data.fields, path);
  const all = [outcome?.value, present, ...values.map(({ value }) => value)];
  const show = useValueText(described, all, useIsWithheld(name));
  return (
    <Card withBorder component="section" aria-label={`${of}: ${described.label}`}>
      <Stack gap="xs">
        <Title order={3} className="typed">
          {described.label}
        </Title>
        <Text>
          {t('closed.outcome')} <strong>{show(outcome?.value)}</strong>
        </Text>
        <Text size="sm" className="typed">
          {[outcome?.user, formats.moment(outcome?.at)].filter(Boolean).join(' · ')}
        </Text>
        {outcome?.reason && (
          <Text size="sm" fs="italic" className="typed">
            {t('value.reason', { reason: outcome.reason })}
          </Text>
        )}
        <Text size="sm">
          {t('closed.values')}{' '}
          {values.map((one, index) => (
            <span key={one.commit}>
              {index > 0 && ', '}
              {show(one.value)} ({[one.station_name, one.user].filter(Boolean).join(', ')})
            </span>
          ))}
        </Text>
        {data && (
          <Text size="sm">
            {t('closed.now')} <strong>{show(present)}</strong>
          </Text>
        )}
        {update && may(update.id) && !isAnew && described.field?.writable && (
          <Group>
            <Button
              variant="default"
              leftSection={<IconArrowBackUp aria-hidden />}
              aria-label={t('closed.anew.of', { label: described.label })}
              onClick={() => setIsAnew(true)}
            >
              {t('closed.anew')}
            </Button>
          </Group>
        )}
        {isAnew && <DecideAnew conflict={conflict} here={here} onClose={() => setIsAnew(false)} />}
      </Stack>
    </Card>
  );
}

/** A new decision is a change of the record like any other: with its reason it stands in the record's history. */
function DecideAnew({ conflict, here, onClose }: Omit<ConflictProps, 'of'> & { onClose: () => void }) {
  const { t } = useTranslation('sync');
  const { family: name, record_id: id, path } = conflict;
  const family = familyOf(name);
  const described = useConflictPath(conflict);
  const { mutateAsync } = useWriteOf({ id: `${family && operationOf(family, 'update')?.id}.patch` });
  const [choice, setChoice] = useState<Choice>(null);
  const [typed, setTyped] = useState<unknown>(null);
  const [reason, setReason] = useState('');
  const values = conflict.values.map(one => ({ ...one, is_standing: false }));
  const [outcome, chosen] = [conflict.outcome?.value ?? null, chosenValue(values, choice, typed)];
  const signing = useSigning(
    family ? changeOf(family, { [path]: outcome }, chosen === undefined ? {} : { [path]: chosen }) : null,
  );
  return (
    <ActionForm
      title={t('closed.anew')}
      submit={t('conflict.decide')}
      onClose={onClose}
      onSubmit={async () => {
        const value = chosenValue(values, choice, typed);
        if (value === undefined) throw invalid({ value: [t('conflict.choose')] });
        if (reason.trim() === '') throw invalid({ reason: [t('reason.needed')] });
        if (!family) throw invalid({ value: [t('closed.unknown')] });
        // As it stands at this moment: central may have confirmed the decision since the page was read.
        const params = { family: name, id };
        const { data: present } = await client.call('x.records.read', { params });
        await mutateAsync({
          params: { id },
          headers: { 'If-Match': wholeEtag(present) },
          body: { ...bodyAt(family, path, value, present.fields), reason, ...signing.bodyOf(reason) },
        });
      }}
    >
      {errors => (
        <>
          <div style={{ gridColumn: '1 / -1' }}>
            <ValueChoice
              label={t('conflict.which')}
              described={described}
              values={values}
              choice={choice}
              onChoice={setChoice}
              typed={typed}
              onType={setTyped}
              here={here}
              error={errors('value') ?? errors(path)}
            />
          </div>
          <TextInput
            label={t('reason:reason')}
            description={t('reason.needed')}
            value={reason}
            onChange={event => setReason(event.currentTarget.value)}
            error={errors('reason')}
            required
          />
          <SigningField
            signing={signing}
            error={errors('esignature_password') ?? errors('esignature_reason')}
          />
        </>
      )}
    </ActionForm>
  );
}
