import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconBarcode } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/formats.ts';
import { ReferenceInput } from '../../record/reference-input.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useFirstFocus } from '../../ui/first-focus.ts';
import type { Question, useReceiving } from './use-receiving.ts';

interface QuestionNoticeProps {
  receiving: ReturnType<typeof useReceiving>;
  question: Question | null;
}

/** What a scan leaves open: said at once, where the line stands, and answered there. */
export function QuestionNotice({ receiving, question }: QuestionNoticeProps) {
  return question && <Notice key={question.kind} receiving={receiving} question={question} />;
}

function Notice({ receiving, question }: { receiving: ReturnType<typeof useReceiving>; question: Question }) {
  const { t } = useTranslation('receiving');
  const notice = useRef<HTMLDivElement>(null);
  useFirstFocus(notice);
  const formats = useFormats();
  const [failure, setFailure] = useState<unknown>(null);
  const day = (text: string) => (text === '' ? t('expiry.none') : formats.day(text));
  return (
    <Alert
      ref={notice}
      color={question.kind === 'unreadable' ? 'red' : 'yellow'}
      variant="outline"
      icon={<IconBarcode aria-hidden />}
      title={t(`question.${question.kind}`)}
      role="alert"
    >
      <Stack>
        {question.kind === 'unreadable' && (
          <>
            <Text>{question.message}</Text>
            <Text className="typed">{question.text}</Text>
          </>
        )}
        {question.kind === 'unknown' && (
          <>
            <Text className="typed">{t('learn.text', { code: question.code })}</Text>
            <ReferenceInput
              family="part"
              label={t('learn.part')}
              value={null}
              onChange={part => {
                if (part === null) return;
                setFailure(null);
                receiving.learn(part).catch(setFailure);
              }}
              isAutoFocused
            />
          </>
        )}
        {question.kind === 'expiry' && (
          <Text>
            {t('expiry.text', {
              lot: question.lot,
              known: formats.list(question.known.map(day)),
              given: day(question.given),
            })}
          </Text>
        )}
        <Failure error={failure} />
        <Group>
          {question.kind === 'expiry' && (
            <Button onClick={() => void receiving.confirmExpiry()}>{t('expiry.confirm')}</Button>
          )}
          <Button variant="default" onClick={receiving.dismiss}>
            {t(question.kind === 'expiry' ? 'expiry.correct' : 'dismiss')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
