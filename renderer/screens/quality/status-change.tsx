import { Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { invalid } from '../../../shared/contract/errors.ts';
import { families } from '../../../shared/families/registry.ts';
import { type BoardFamily, boardColumns } from '../../../shared/operations/board-operations.ts';
import { useWrite } from '../../api/calls.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { ReasonInput, useRememberReason } from '../../ui/reason/reason-input.tsx';
import { changeOf, SigningField, useSigning } from '../../ui/signing/signing.tsx';
import { today } from '../../ui/today.ts';

export interface StatusChangeProps {
  family: BoardFamily;
  id: number;
  number: string;
  from: string;
  /** The status that is proposed. */
  to: string;
  onClose: () => void;
}

/** A report, request or complaint goes on, or back: with a reason where it goes back, signed where the site asks for it. */
export function StatusChange({ family, id, number, from, to, onClose }: StatusChangeProps) {
  const { t } = useTranslation('quality');
  const { mutateAsync } = useWrite(`${family}s.update.patch`);
  const [status, setStatus] = useState(to);
  const [reason, setReason] = useState('');
  const [before, after] = [fieldsOf(family, from), fieldsOf(family, status)];
  const signing = useSigning(changeOf(families[family], before, after));
  const columns: readonly string[] = boardColumns[family];
  const isBack = columns.indexOf(status) < columns.indexOf(from);
  const remember = useRememberReason();
  const needsReason = isBack || signing.needsReason;
  return (
    <ActionForm
      title={t('status.change', { number, status: t(`status.${from}`) })}
      submit={t('status.submit', { status: t(`status.${status}`) })}
      onClose={onClose}
      onSubmit={async () => {
        if (isBack && reason.trim() === '') throw invalid({ reason: [t('status.back')] });
        const body = {
          ...after,
          ...(reason !== '' && { reason }),
          ...signing.bodyOf(reason),
        };
        await mutateAsync({ params: { id }, body });
        remember('own', reason);
      }}
    >
      {errors => (
        <>
          <Select
            label={t('status.to')}
            data={columns
              .filter(each => each !== from)
              .map(each => ({ value: each, label: t(`status.${each}`) }))}
            value={status}
            onChange={next => next && setStatus(next)}
            allowDeselect={false}
            error={errors('status') ?? errors('date_closed') ?? errors('is_closed')}
          />
          <ReasonInput
            kind="own"
            description={needsReason ? t('reason.needed') : t('reason.kept')}
            value={reason}
            onChange={setReason}
            error={errors('reason') ?? errors('esignature_reason')}
            isDue={needsReason}
            isAutoFocused
          />
          <SigningField signing={signing} error={errors('esignature_password')} />
        </>
      )}
    </ActionForm>
  );
}

function fieldsOf(family: BoardFamily, status: string): Record<string, unknown> {
  if (family === 'ncr') return { status };
  const isClosed = status === 'closed';
  if (family === 'car') return { date_closed: isClosed ? today() : null };
  return { is_investigated: status !== 'open', is_closed: isClosed };
}
