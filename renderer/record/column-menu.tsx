import { Button, Menu } from '@mantine/core';
import { IconColumns } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Family } from '../../shared/contract/define-family.ts';
import { useFamilyTexts } from '../i18n/families/use-family-texts.ts';
import { columnFields } from './list/column-fields.ts';

/** At the dock a finger meets each row; at a desk more of them are seen at once. */
export type Density = 'dock' | 'desk';

/** Which columns a list shows, and how high its rows are: arrow keys and Enter, without closing in between. */
export function ColumnMenu(props: {
  family: Family;
  chosen: string[];
  onChange: (columns: string[]) => void;
  density: Density;
  onDensity: (density: Density) => void;
}) {
  const { family, chosen, onChange, density, onDensity } = props;
  const { t } = useTranslation('record');
  const texts = useFamilyTexts();
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconColumns aria-hidden />}>
          {t('columns')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
        <Menu.CheckboxItem
          mih={48}
          checked={density === 'desk'}
          onChange={isDesk => onDensity(isDesk ? 'desk' : 'dock')}
        >
          {t('density.desk')}
        </Menu.CheckboxItem>
        <Menu.Divider />
        <Menu.CheckboxGroup
          value={chosen}
          onChange={next => onChange(next.length > 0 ? next : [...family.columns])}
        >
          {columnFields(family).map(name => (
            <Menu.CheckboxItem key={name} value={name} mih={48}>
              {texts.label(family.fields[name] ?? { label: name })}
            </Menu.CheckboxItem>
          ))}
        </Menu.CheckboxGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
