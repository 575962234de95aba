import { Alert, Button, Group, List, Text } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Pasted } from './paste.ts';

/** What could not be read is named up to so many times. */
const NAMED = 8;

/** What came of a paste: how much is in the grid, what is not and why. */
export function PasteNotice(props: { pasted: Pasted; onUndo: () => void; onClose: () => void }) {
  const { pasted, onUndo, onClose } = props;
  const { t } = useTranslation('inspection');
  const { filled, unread, beyond } = pasted;
  const isWhole = unread.length === 0 && beyond === 0;
  return (
    <Alert
      color={isWhole ? 'blue' : 'orange'}
      variant="light"
      role="status"
      title={t('pasted', { count: filled })}
    >
      {unread.length > 0 && (
        <>
          <Text>{t('pasted.unread', { count: unread.length })}</Text>
          <List>
            {unread.slice(0, NAMED).map(({ sample, characteristic, text }) => (
              <List.Item key={`${sample} ${characteristic}`} className="typed">
                {t('cell', { number: sample, name: characteristic })}: “{text}”
              </List.Item>
            ))}
          </List>
        </>
      )}
      {beyond > 0 && <Text>{t('pasted.beyond', { count: beyond })}</Text>}
      <Group mt="xs">
        <Button variant="default" leftSection={<IconArrowBackUp aria-hidden />} onClick={onUndo}>
          {t('pasted.undo')}
        </Button>
        <Button variant="subtle" onClick={onClose}>
          {t('close')}
        </Button>
      </Group>
    </Alert>
  );
}
