import { SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { ReferenceInput } from '../../record/reference-input.tsx';

/** Which lot or part is called back: where a recall begins that nobody came to from a lot or a part. */
export function Component() {
  const { t } = useTranslation('quality');
  const navigate = useNavigate();
  return (
    <Stack>
      <Title order={1}>{t('recall')}</Title>
      <Text>{t('recall.start')}</Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {(['inventory', 'part'] as const).map(family => (
          <ReferenceInput
            key={family}
            family={family}
            label={t(family === 'part' ? 'part' : 'lot')}
            value={null}
            onChange={id => id !== null && void navigate(`/app/recall/${family}/${id}`)}
            isAutoFocused={family === 'inventory'}
            takesScans
          />
        ))}
      </SimpleGrid>
    </Stack>
  );
}
