import { ActionIcon, Button, Group } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

interface ViewRowProps {
  name: string;
  /** It is what the list shows now. */
  isCurrent: boolean;
  onShow: () => void;
  /** Undefined: this user takes it away from nobody. */
  onRemove: (() => void) | undefined;
}

/** A view of a list, to be shown or taken away. */
export function ViewRow({ name, isCurrent, onShow, onRemove }: ViewRowProps) {
  const { t } = useTranslation('record');
  return (
    <Group gap="xs" wrap="nowrap" component="li">
      <Button variant="subtle" justify="start" flex={1} miw={0} aria-current={isCurrent} onClick={onShow}>
        {name}
      </Button>
      {onRemove && (
        <ActionIcon variant="default" aria-label={t('views.remove', { name })} onClick={onRemove}>
          <IconTrash aria-hidden />
        </ActionIcon>
      )}
    </Group>
  );
}
