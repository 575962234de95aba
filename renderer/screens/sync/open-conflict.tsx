import { Alert, Box, Button, Card, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Family } from '../../../shared/contract/define-family.ts';
import { invalid } from '../../../shared/contract/errors.ts';
import { familyOf } from '../../../shared/families/registry.ts';
import type { SignedChange } from '../../../shared/families/signatures-due.ts';
import { asTyped } from '../../../shared/operations/client.ts';
import type { ConflictAnswer } from '../../../shared/operations/exchange-operations.ts';
import { useWrite } from '../../api/calls.ts';
import { useMay } from '../../api/may.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import { useFieldErrors } from '../../i18n/use-server-message.ts';
import { type DescribedPath, describePath } from '../../record/described-path.ts';
import { Failure } from '../../ui/failure.tsx';
import { SigningField, useSigning } from '../../ui/signing/signing.tsx';
import {
  type Choice,
  chosenValue,
  useIsWithheld,
  useValueText,
  ValueChoice,
  ValueList,
} from './value-choice.tsx';

export interface ConflictProps {
  conflict: ConflictAnswer;
  /** Its place in the list and what its record is called: no two parts of the page have the same name. */
  of: string;
  here: string | undefined;
}

/** A field that two stations wrote without having seen each other's value: a person says which holds, and why. */
export function OpenConflict({ conflict, of, here }: ConflictProps) {
  const { t } = useTranslation('sync');
  const may = useMay();
  const described = useConflictPath(conflict);
  const isWithheld = useIsWithheld(conflict.family);
  const show = useValueText(
    described,
    conflict.values.map(({ value }) => value),
    isWithheld,
  );
  return (
    <Card withBorder component="section" aria-label={`${of}: ${described.label}`}>
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
        {conflict.state === 'resolved_here' && <Alert color="blue">{t('conflict.here')}</Alert>}
        {may('x.conflicts.resolve') && !isWithheld ? (
          <Decision conflict={conflict} of={of} here={here} />
        ) : (
          <>
            <ValueList described={described} values={conflict.values} here={here} isWithheld={isWithheld} />
            <Text>{t(isWithheld ? 'conflict.administrators' : 'conflict.others')}</Text>
          </>
        )}
      </Stack>
    </Card>
  );
}

/** Of a record whose changes are signed, the decision is signed as well. */
function Decision({ conflict, of, here }: ConflictProps) {
  const { t } = useTranslation('sync');
  const described = useConflictPath(conflict);
  const { mutateAsync, isPending } = useWrite('x.conflicts.resolve');
  const [choice, setChoice] = useState<Choice>(null);
  const [typed, setTyped] = useState<unknown>(null);
  const [reason, setReason] = useState('');
  const [failure, setFailure] = useState<unknown>(null);
  const known = familyOf(conflict.family);
  const value = chosenValue(conflict.values, choice, typed);
  const signing = useSigning(known ? decisionOn(known, conflict, value) : null);
  const errors = useFieldErrors(failure);

  const decide = async (event: FormEvent) => {
    event.preventDefault();
    setFailure(null);
    try {
      if (value === undefined) throw invalid({ value: [t('conflict.choose')] });
      await mutateAsync({
        params: { id: conflict.id },
        body: asTyped<'x.conflicts.resolve'>({
          ...{ value, reason },
          seen: conflict.values.map(({ commit }) => commit),
          ...signing.bodyOf(reason),
        }),
      });
    } catch (error) {
      setFailure(error);
    }
  };

  return (
    <form onSubmit={event => void decide(event)} noValidate aria-label={`${of}: ${described.label}`}>
      <Stack>
        <ValueChoice
          label={t('conflict.which')}
          described={described}
          values={conflict.values}
          choice={choice}
          onChoice={setChoice}
          typed={typed}
          onType={setTyped}
          here={here}
          error={errors('value')}
        />
        <Group align="start">
          <TextInput
            flex="1 1 20rem"
            label={t('reason:reason')}
            description={t('reason.needed')}
            value={reason}
            onChange={event => setReason(event.currentTarget.value)}
            error={errors('reason')}
            required
          />
          {signing.isNeeded && (
            <Box flex="1 1 20rem">
              <SigningField
                signing={signing}
                error={errors('esignature_password') ?? errors('esignature_reason')}
              />
            </Box>
          )}
        </Group>
        <Failure error={failure} />
        <Group>
          <Button type="submit" loading={isPending}>
            {t('conflict.decide')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** What the decision signs: the value that stands, and the one that will. */
export function decisionOn(family: Family, { path, values }: ConflictAnswer, value: unknown): SignedChange {
  const old = values.find(one => one.is_standing)?.value ?? null;
  const chosen = value === undefined ? old : value;
  return {
    family,
    changes: [{ path, old, new: chosen }],
    before: { [path]: old },
    after: { [path]: chosen },
    decides: path,
  };
}

/** The field in conflict, in the present language; by the server's words where this version does not know it. */
export function useConflictPath({ family, path, label }: ConflictAnswer): DescribedPath {
  const { word } = useFamilyTexts();
  const known = familyOf(family);
  return known ? describePath(known, path, word) : { label, field: undefined };
}
