import { Alert, Button, List, Stack, Text, TextInput } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { z } from 'zod';
import type { enrolAnswerSchema } from '../../../shared/operations/sync-operations.ts';
import { useCall } from '../../api/calls.ts';
import { client } from '../../api/client.ts';
import { useFormats } from '../../i18n/formats.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { leaveWord } from '../session/word-left.ts';
import { EnrolmentStanding } from './machine-policy-page.tsx';

const STARTS = { join: 'enrol.start', again: 'enrol.again', separate: 'separate.start' } as const;

type Enrolled = z.infer<typeof enrolAnswerSchema>;

export interface EnrolProps {
  /** `again`: it is a station already. `separate`: it is a copy of one that becomes a station of its own. */
  kind: 'join' | 'again' | 'separate';
  /** The address of its central, where it is known. */
  central?: string;
}

/** Makes this installation a station of a central, and says before what becomes of the records that are here. */
export function Enrol({ kind, central: known = '' }: EnrolProps) {
  const { t } = useTranslation('setup');
  const formats = useFormats();
  const [isOpen, setIsOpen] = useState(false);
  const [enrolled, setEnrolled] = useState<Enrolled | null>(null);
  const [typed, setAddress] = useState(known);
  const policy = useCall('x.machine-policy.read').data?.data;
  // Its administrators have said which central this machine is of.
  const isSet = policy?.central != null;
  const address = policy?.central ?? typed;
  const [code, setCode] = useState('');
  const isSeparate = kind === 'separate';
  const textOf = ({ moved, address: central }: Enrolled) =>
    isSeparate
      ? t('separate.done')
      : moved
        ? t('enrol.moved', { records: formats.number(moved.records), backup: moved.backup })
        : t('enrol.fresh', { address: central });
  if (enrolled) {
    return (
      <Alert
        color="green"
        variant="light"
        icon={<IconCircleCheck aria-hidden />}
        title={t('enrol.done', { name: enrolled.name })}
        role="status"
      >
        <Stack gap="sm" align="start">
          <Text className="typed">{textOf(enrolled)}</Text>
          {!isSeparate && <Text>{t('enrol.users')}</Text>}
          <Button component={Link} to="/app/sync">
            {t('stations.state')}
          </Button>
        </Stack>
      </Alert>
    );
  }
  if (!isOpen) {
    return (
      <Stack align="start">
        {policy && <EnrolmentStanding policy={policy} />}
        {kind !== 'again' && <Text maw="45rem">{t(isSeparate ? 'separate.text' : 'enrol.text')}</Text>}
        <Button variant={kind === 'again' ? 'default' : 'filled'} onClick={() => setIsOpen(true)}>
          {t(STARTS[kind])}
        </Button>
      </Stack>
    );
  }
  return (
    <Stack>
      <List maw="45rem">
        <List.Item>{t('enrol.before.backup')}</List.Item>
        <List.Item>{t(isSeparate ? 'separate.before.records' : 'enrol.before.ids')}</List.Item>
        <List.Item>{t(isSeparate ? 'separate.before.numbers' : 'enrol.before.users')}</List.Item>
      </List>
      <ActionForm
        title={t(STARTS[isSeparate ? kind : 'join'])}
        submit={t(STARTS[isSeparate ? kind : 'join'])}
        onClose={() => setIsOpen(false)}
        onSubmit={async () => {
          const body = {
            address: address.trim(),
            code: code.trim(),
            ...(isSeparate && { separate: true }),
          };
          const { data } = await client.call('x.sync.enrol', { body });
          setEnrolled(data);
          // The sessions that were here may end with it, and this screen too.
          leaveWord({ title: t('enrol.done', { name: data.name }), text: textOf(data) });
        }}
      >
        {errors => (
          <>
            <TextInput
              label={t('enrol.address')}
              description={t(isSet ? 'policy.locked' : 'enrol.address.hint')}
              readOnly={isSet}
              required
              value={address}
              onChange={event => setAddress(event.currentTarget.value)}
              error={errors('address')}
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
            />
            <TextInput
              label={t('enrol.code')}
              description={t('enrol.code.hint')}
              required
              value={code}
              onChange={event => setCode(event.currentTarget.value)}
              error={errors('code')}
              autoComplete="off"
              spellCheck={false}
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            />
          </>
        )}
      </ActionForm>
    </Stack>
  );
}
