import { Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconHourglass, IconKey, IconKeyOff, IconRobot } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import type { historyEntrySchema } from '../../shared/operations/extension-schemas.ts';

export type AuthorProofName = z.infer<typeof historyEntrySchema>['author_proof'];

/** Never by colour alone. */
const icons = {
  proved: IconKey,
  moved: IconKey,
  revoked: IconAlertTriangle,
  pending: IconHourglass,
  broken: IconAlertTriangle,
  unsigned: IconKeyOff,
  without: IconKeyOff,
  brought: IconKeyOff,
  program: IconRobot,
};

/** What proves that the named author wrote it. */
export function AuthorProof({ proof }: { proof: AuthorProofName }) {
  const { t } = useTranslation('record');
  const Icon = icons[proof];
  const isBroken = proof === 'broken' || proof === 'revoked';
  return (
    <Group gap="xs" wrap="nowrap">
      <Icon size={16} aria-hidden />
      <Text size="sm" {...(isBroken ? { fw: 700 } : { c: 'dimmed' })}>
        {t(`author.${proof}`)}
      </Text>
    </Group>
  );
}
