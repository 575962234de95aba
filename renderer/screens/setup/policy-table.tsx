import { Badge, Button, Checkbox, Group, Stack, Table, Text } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import {
  ACT_KINDS,
  type ActPolicy,
  type Deviations,
  deviate,
  isSamePolicy,
  type PolicySettings,
  policyOf,
  presetOf,
} from '../../../shared/families/signature-policy.ts';
import { useFamilyTexts } from '../../i18n/families/use-family-texts.ts';
import { usePolicyWords } from '../../ui/signing/policy-words.ts';
import { TitledTable } from '../../ui/titled-table.tsx';

const ASKED = ['is_signed', 'needs_reason', 'needs_second_person'] as const satisfies (keyof ActPolicy)[];

export interface PolicyTableProps {
  settings: PolicySettings;
  isDisabled: boolean;
  onChange: (deviations: Deviations) => void;
  error: string | undefined;
}

/** What is asked of each kind of act: what the policy says, and what the site says otherwise. */
export function PolicyTable({ settings, isDisabled, onChange, error }: PolicyTableProps) {
  const { t } = useTranslation('setup');
  const texts = useFamilyTexts();
  const words = usePolicyWords();
  const isDeviating = ACT_KINDS.some(kind => differs(settings, kind));
  return (
    <Stack gap="xs" my="md" maw="62rem">
      <Text fw={500}>{t('kinds')}</Text>
      <Text size="sm">{t('kinds.hint')}</Text>
      <TitledTable
        minWidth={760}
        withTableBorder
        verticalSpacing={4}
        aria-label={t('kinds')}
        columns={[t('kind'), ...ASKED.map(asked => t(`kind.${asked}`)), t('kind.preset')]}
      >
        {ACT_KINDS.map(kind => {
          const policy = policyOf(settings, kind);
          const preset = presetOf(settings.esignature_policy, kind);
          const tick = (asked: keyof ActPolicy, isTicked: boolean) => {
            // What is signed again is signed as the policy says.
            const before = asked === 'is_signed' && isTicked ? preset : policy;
            onChange(deviate(settings, kind, { ...before, [asked]: isTicked }));
          };
          return (
            <Table.Tr key={kind}>
              <Table.Th scope="row">
                {texts.choice(kind)}
                <Text size="sm" fw={400} c="dimmed">
                  {t(`kind.of.${kind}`)}
                </Text>
              </Table.Th>
              {ASKED.map(asked => (
                <Table.Td key={asked} h={56} px="md">
                  <Checkbox
                    aria-label={`${texts.choice(kind)}: ${t(`kind.${asked}`)}`}
                    checked={policy[asked]}
                    disabled={isDisabled || (asked !== 'is_signed' && !policy.is_signed)}
                    onChange={event => tick(asked, event.currentTarget.checked)}
                  />
                </Table.Td>
              ))}
              <Table.Td>
                <Group gap="xs">
                  {words(preset)}
                  {!isSamePolicy(policy, preset) && (
                    <Badge color="orange.9" size="lg">
                      {t('kind.differs')}
                    </Badge>
                  )}
                </Group>
              </Table.Td>
            </Table.Tr>
          );
        })}
      </TitledTable>
      {error !== undefined && (
        <Text role="alert" c="var(--mantine-color-error)">
          {error}
        </Text>
      )}
      {isDeviating && !isDisabled && (
        <Group>
          <Button
            variant="default"
            leftSection={<IconArrowBackUp aria-hidden />}
            onClick={() => onChange({})}
          >
            {t('kinds.reset')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function differs(settings: PolicySettings, kind: (typeof ACT_KINDS)[number]): boolean {
  return !isSamePolicy(policyOf(settings, kind), presetOf(settings.esignature_policy, kind));
}
