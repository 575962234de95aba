import { Button, Fieldset, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { labelResolutions, RAW_PORTS, rawHostSchema } from '../../shared/contract/label-printers.ts';
import { useLabelPrinter } from './label-printer.ts';

/** Names a label printer that is reached by the network, and sends this machine's labels there. */
export function NetworkPrinterForm() {
  const { t } = useTranslation('desktop');
  const { printer, choose } = useLabelPrinter();
  const [host, setHost] = useState(printer.network?.host ?? '');
  const [port, setPort] = useState(printer.network?.port ?? RAW_PORTS[0]);
  const [dpi, setDpi] = useState(printer.network?.dpi ?? labelResolutions[0]);
  const [state, setState] = useState<'open' | 'wrong' | 'saved'>('open');

  const save = (event: FormEvent) => {
    event.preventDefault();
    const { success } = rawHostSchema.safeParse(host.trim());
    setState(success ? 'saved' : 'wrong');
    if (success) choose({ to: 'network', network: { host: host.trim(), port, dpi } });
  };
  return (
    <form onSubmit={save} noValidate>
      <Fieldset legend={t('network')}>
        <Stack>
          <Text>{t('network.about')}</Text>
          <SimpleGrid cols={{ base: 1, sm: 3 }} className="form-grid">
            <TextInput
              label={t('network.host')}
              value={host}
              onChange={event => {
                setHost(event.currentTarget.value);
                setState('open');
              }}
              error={state === 'wrong' && t('network.host.wrong')}
              autoComplete="off"
              spellCheck={false}
              required
            />
            <Select
              label={t('network.port')}
              data={RAW_PORTS.map(String)}
              value={String(port)}
              allowDeselect={false}
              onChange={next => setPort(RAW_PORTS.find(each => String(each) === next) ?? port)}
            />
            <Select
              label={t('network.dpi')}
              data={labelResolutions.map(String)}
              value={String(dpi)}
              allowDeselect={false}
              onChange={next => setDpi(labelResolutions.find(each => String(each) === next) ?? dpi)}
            />
          </SimpleGrid>
          <Group>
            <Button type="submit" variant="default">
              {t('network.use')}
            </Button>
            <Text role="status">{state === 'saved' && t('network.used')}</Text>
          </Group>
        </Stack>
      </Fieldset>
    </form>
  );
}
