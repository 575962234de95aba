import { Card, SimpleGrid, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Command, commands } from '../../ui/scan/commands.ts';

/** The codes by which a scanner alone saves, rejects, undoes and reports: scanned from the screen or from a printed sheet. */
export function CommandCodes() {
  const { t } = useTranslation('receiving');
  return (
    <Stack>
      <Text>{t('commands.text')}</Text>
      <SimpleGrid cols={{ base: 1, sm: 2, xl: 4 }}>
        {(Object.keys(commands) as Command[]).map(command => (
          <Card key={command} withBorder bg="white" c="black">
            <Text fw={700}>{t(`command.${command}`)}</Text>
            <Code text={commands[command]} />
          </Card>
        ))}
      </SimpleGrid>
    </Stack>
  );
}

function Code({ text }: { text: string }) {
  const [source, setSource] = useState<string>();
  useEffect(() => {
    let isShown = true;
    // Drawing codes is a large library, and few open this.
    void import('bwip-js/browser').then(({ default: bwip }) => {
      const svg = bwip.toSVG({ bcid: 'code128', text, height: 14, includetext: true, textxalign: 'center' });
      if (isShown) setSource(`data:image/svg+xml,${encodeURIComponent(svg)}`);
    });
    return () => {
      isShown = false;
    };
  }, [text]);
  return source ? <img src={source} alt={text} height={110} /> : <Text>{text}</Text>;
}
