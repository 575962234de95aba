import { Group, Table, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconHistory, IconKey, IconKeyOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import type { signatureSchema } from '../../shared/operations/identity-operations.ts';
import { useCall } from '../api/calls.ts';
import { useFamilyTexts } from '../i18n/families/use-family-texts.ts';
import { useFormats } from '../i18n/formats.ts';
import { Section } from '../ui/section.tsx';
import { TitledTable } from '../ui/titled-table.tsx';
import { ClockNote } from './clock-note.tsx';

/** Who signed, with what meaning and when, and whether the record is still what was signed. Nothing where nobody did. */
export function SignatureList({ family, id }: { family: string; id: number }) {
  const { t } = useTranslation('quality');
  const formats = useFormats();
  const texts = useFamilyTexts();
  const { data } = useCall('x.signatures.list', {
    params: { family, id },
  });
  const signatures = data?.data ?? [];
  if (signatures.length === 0) return null;
  return (
    <Section title={t('signatures')}>
      <TitledTable
        minWidth={760}
        withTableBorder
        aria-label={t('signatures')}
        columns={['sign.who', 'sign.meaning', 'sign.at', 'reason:reason', 'sign.state', 'sign.proof'].map(
          key => t(key),
        )}
      >
        {signatures.map(one => (
          <Table.Tr key={one.id}>
            <Table.Td className="typed">{one.user_name}</Table.Td>
            <Table.Td>{texts.choice(one.meaning)}</Table.Td>
            <Table.Td>
              {formats.exactMoment(one.at)}
              <ClockNote at={one.at} offset={null} atLeast={one.clock_at_least} />
            </Table.Td>
            <Table.Td className="typed">{one.reason ?? '–'}</Table.Td>
            <Table.Td>
              <Group gap="xs" wrap="nowrap">
                {stateOf(one) === 'valid' ? <IconCircleCheck aria-hidden /> : <IconHistory aria-hidden />}
                <Text size="sm">{t(`sign.${stateOf(one)}`, { version: one.version })}</Text>
              </Group>
            </Table.Td>
            <Table.Td>
              <Group gap="xs" wrap="nowrap">
                {proofIcons[one.proof]}
                <Text size="sm">{t(`sign.proof.${one.proof}`)}</Text>
              </Group>
              {(one.key_from === 'other' || one.key_from === 'unknown') && (
                <Text size="sm">{t(`sign.key.${one.key_from}`, { name: one.key_given_by })}</Text>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </TitledTable>
    </Section>
  );
}

/** Never by colour alone. */
const proofIcons = {
  proved: <IconKey aria-hidden />,
  moved: <IconKey aria-hidden />,
  revoked: <IconAlertTriangle aria-hidden />,
  broken: <IconAlertTriangle aria-hidden />,
  brought: <IconKeyOff aria-hidden />,
  before: <IconKeyOff aria-hidden />,
  none: <IconKeyOff aria-hidden />,
};

/** What a signature says of the record as it is. */
function stateOf(
  one: Pick<z.infer<typeof signatureSchema>, 'is_imported' | 'is_superseded' | 'proof'>,
): 'imported' | 'superseded' | 'unproved' | 'valid' {
  if (one.is_imported) return 'imported';
  if (one.proof === 'broken') return 'unproved';
  return one.is_superseded ? 'superseded' : 'valid';
}
