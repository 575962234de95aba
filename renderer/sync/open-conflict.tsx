import { Alert, Button, Card, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppError, invalid } from '../../shared/errors.ts';
import type { ConflictAnswer } from '../../shared/exchange-operations.ts';
import { familyOf } from '../../shared/families/registry.ts';
import { useWrite } from '../api/calls.ts';
import { useMay } from '../api/may.ts';
import { Failure } from '../app/failure.tsx';
import { useFamilyTexts } from '../families/family-texts.ts';
import { type DescribedPath, describePath } from '../record/described-path.ts';
import { type Choice, chosenValue, useValueText, ValueChoice } from './value-choice.tsx';

export interface ConflictProps {
  conflict: ConflictAnswer;
  here: string | undefined;
}

/** A field that two stations wrote without having seen each other's value: a person says which holds, and why. */
export function OpenConflict({ conflict, here }: ConflictProps) {
  const { t } = useTranslation('sync');
  const may = useMay();
  const described = useConflictPath(conflict);
  const { mutateAsync, isPending } = useWrite('x.conflicts.resolve');
  const [choice, setChoice] = useState<Choice>(null);
  const [typed, setTyped] = useState<unknown>(null);
  const [reason, setReason] = useState('');
  const [failure, setFailure] = useState<unknown>(null);
  const show = useValueText(
    described,
    conflict.values.map(({ value }) => value),
  );
  const errors = failure instanceof AppError ? failure.errors : undefined;
  const isDecidedHere = conflict.state === 'resolved_here';

  const decide = async (event: FormEvent) => {
    event.preventDefault();
    setFailure(null);
    const value = chosenValue(conflict.values, choice, typed);
    try {
      if (value === undefined) throw invalid({ value: [t('conflict.choose')] });
      await mutateAsync({ params: { id: conflict.id }, body: { value, reason } });
    } catch (error) {
      setFailure(error);
    }
  };

  return (
    <Card withBorder component="section" aria-label={described.label}>
      <form onSubmit={event => void decide(event)} noValidate aria-label={described.label}>
        <Stack>
          <div>
            <Title order={3} className="typed">
              {described.label}
            </Title>
            <Text size="sm">
              {t(`rule.${conflict.rule}`)} {t('conflict.stands')}{' '}
              <strong>{show(conflict.values.find(one => one.is_standing)?.value)}</strong>
            </Text>
          </div>
          {isDecidedHere && <Alert color="blue">{t('conflict.here')}</Alert>}
          <ValueChoice
            label={t('conflict.which')}
            described={described}
            values={conflict.values}
            choice={choice}
            onChoice={setChoice}
            typed={typed}
            onType={setTyped}
            here={here}
            error={errors?.value?.join(' ')}
          />
          {may('x.conflicts.resolve') ? (
            <Group align="end">
              <TextInput
                flex="1 1 20rem"
                label={t('reason')}
                description={t('reason.needed')}
                value={reason}
                onChange={event => setReason(event.currentTarget.value)}
                error={errors?.reason?.join(' ')}
                required
              />
              <Button type="submit" loading={isPending}>
                {t('conflict.decide')}
              </Button>
            </Group>
          ) : (
            <Text>{t('conflict.others')}</Text>
          )}
          <Failure error={failure} />
        </Stack>
      </form>
    </Card>
  );
}

/** The field in conflict, in the present language; by the server's words where this version does not know it. */
export function useConflictPath({ family, path, label }: ConflictAnswer): DescribedPath {
  const { word } = useFamilyTexts();
  const known = familyOf(family);
  return known ? describePath(known, path, word) : { label, field: undefined };
}
