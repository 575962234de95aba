import { Button, Group, Text, Textarea, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWrite } from '../../api/calls.ts';
import { useSettings } from '../../api/settings.ts';
import { ActionForm } from '../../ui/action-form.tsx';

/** The servers whose pages may call this machine from the browser of who works there. */
export function WebOrigins() {
  const { t } = useTranslation('setup');
  const { data } = useSettings();
  const [isChanging, changing] = useDisclosure(false);
  if (!data) return null;
  const origins = data.data.web_origins;
  return (
    <>
      <Title order={2}>{t('origins')}</Title>
      <Text>{t('origins.text')}</Text>
      <Text className="typed">{origins.length > 0 ? origins.join(', ') : t('origins.none')}</Text>
      {isChanging ? (
        <Change origins={origins} onClose={changing.close} />
      ) : (
        <Group>
          <Button variant="default" onClick={changing.open}>
            {t('origins.change')}
          </Button>
        </Group>
      )}
    </>
  );
}

function Change({ origins, onClose }: { origins: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation('setup');
  const { mutateAsync } = useWrite('x.settings.update');
  const [typed, setTyped] = useState(origins.join('\n'));
  const given = typed.split(/[\s,]+/).filter(origin => origin !== '');
  return (
    <ActionForm
      title={t('origins.change')}
      submit={t('app:save')}
      onClose={onClose}
      onSubmit={() => mutateAsync({ body: { web_origins: given } })}
    >
      {errors => (
        <Textarea
          label={t('origins')}
          description={t('origins.hint')}
          value={typed}
          onChange={event => setTyped(event.currentTarget.value)}
          error={errors('web_origins')}
          autosize
          minRows={2}
          autoComplete="off"
          spellCheck={false}
          style={{ gridColumn: '1 / -1' }}
        />
      )}
    </ActionForm>
  );
}
