import { Stack, Tabs, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CharacteristicView } from './characteristic-view.tsx';
import { useChartAddress } from './chart-address.ts';
import './charts.css';
import { NcrView } from './ncr-view.tsx';
import { StockView } from './stock-view.tsx';
import { SupplierView } from './supplier-view.tsx';

const views = ['characteristic', 'stock', 'ncrs', 'suppliers'] as const;

/** `/app/charts?view=…`: characteristics over time, stock, non-conformances, suppliers. */
export function Component() {
  const { t } = useTranslation('charts');
  const address = useChartAddress();
  const view = views.find(each => each === address.text('view')) ?? 'characteristic';
  return (
    <Stack>
      <Title order={1}>{t('title')}</Title>
      <Tabs value={view} onChange={next => address.set({ view: next })} keepMounted={false}>
        <Tabs.List aria-label={t('views')}>
          {views.map(each => (
            <Tabs.Tab key={each} value={each}>
              {t(`view.${each}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="characteristic" pt="md">
          <CharacteristicView address={address} />
        </Tabs.Panel>
        <Tabs.Panel value="stock" pt="md">
          <StockView address={address} />
        </Tabs.Panel>
        <Tabs.Panel value="ncrs" pt="md">
          <NcrView />
        </Tabs.Panel>
        <Tabs.Panel value="suppliers" pt="md">
          <SupplierView address={address} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
