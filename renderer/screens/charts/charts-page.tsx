import { Stack, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SectionTabs } from '../../ui/section-tabs.tsx';
import { CharacteristicView } from './characteristic-view.tsx';
import { useChartAddress } from './chart-address.ts';
import './charts.css';
import { NcrView } from './ncr-view.tsx';
import { StockView } from './stock-view.tsx';
import { SupplierView } from './supplier-view.tsx';

const views = {
  characteristic: CharacteristicView,
  stock: StockView,
  ncrs: NcrView,
  suppliers: SupplierView,
};

/** `/app/charts?view=…`: characteristics over time, stock, non-conformances, suppliers. */
export function Component() {
  const { t } = useTranslation('charts');
  const address = useChartAddress();
  const view = Object.keys(views).find(each => each === address.text('view')) ?? 'characteristic';
  return (
    <Stack>
      <Title order={1}>{t('title')}</Title>
      <SectionTabs
        label={t('views')}
        value={view}
        onChange={next => address.set({ view: next })}
        tabs={Object.entries(views).map(([name, View]) => ({
          name,
          title: t(`view.${name}`),
          content: <View address={address} />,
        }))}
      />
    </Stack>
  );
}
