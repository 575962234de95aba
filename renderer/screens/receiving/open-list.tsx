import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconAlertOctagon, IconHelpCircle } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/formats.ts';
import { ReferenceInput } from '../../record/reference-input.tsx';
import { Failure } from '../../ui/failure.tsx';
import { type Command, commands } from '../../ui/scan/commands.ts';
import { useTask } from '../../ui/use-task.ts';
import { isSameQuestion } from './desk.ts';
import { answersOf, rejectionOf } from './desk-terms.ts';
import type { OpenScan } from './entries.ts';
import { amount, OBJECTIONS } from './line.ts';
import { useScanWords } from './scan-words.ts';
import type { Answers, Why } from './take.ts';
import type { Receiving } from './use-receiving.ts';
import { machineOf } from './window-slot.ts';

const REASONS = ['again', 'damaged', 'foreign'] as const;
/** Questions whose yes has words of its own. */
const ANSWERED: readonly Why[] = ['count', 'expired', 'again', ...OBJECTIONS];

interface Action {
  label: string;
  act: () => Promise<unknown>;
  /** What a scanner says in place of the button. */
  codes?: readonly string[];
}

/** What is not in a line yet: it stands here until somebody settles it, and the receipt is not closed over it. */
export function OpenList({ receiving, isClosed }: { receiving: Receiving; isClosed: boolean }) {
  const { t } = useTranslation('receiving');
  const { open, others, left, question } = receiving;
  // What is read at this machine is settled in a moment, by its window or by another one.
  const shown = open.filter(({ data }) => data.why !== 'waiting' || data.machine !== machineOf(localStorage));
  const words = useScanWords([
    ...open.map(({ data }) => data.details.part),
    ...others.map(({ data }) => data.line.part),
    ...left.map(({ data }) => data.details.part),
    receiving.line.part,
  ]);
  const count = shown.length + others.length + (question ? 1 : 0);
  return (
    <section aria-label={t('open')} className="scan-open">
      <Title order={2} size="h3">
        {t('open.count', { count })}
      </Title>
      {count === 0 && <Text>{t('open.none')}</Text>}
      <Stack gap="xs" component="ul" className="plain-list" role="list">
        {question && <LineQuestion receiving={receiving} words={words} />}
        {shown.map(scan => (
          <OpenItem key={scan.key} scan={scan} receiving={receiving} words={words} isClosed={isClosed} />
        ))}
        {others.map(other => (
          <Item key={other.key} title={t('other')} outcome="question">
            <Text className="typed">
              {words.goods({
                part: other.data.line.part,
                lot: other.data.line.lot,
                quantity: amount(other.data.line.accepted) + amount(other.data.line.rejected),
              })}
              {other.by && ` · ${other.by}`}
            </Text>
            <Settle
              actions={[{ label: t('other.take'), act: () => receiving.acts.takeOver(other, receiving.me) }]}
              onLeave={reason => receiving.acts.dropLine(other, reason)}
            />
          </Item>
        ))}
      </Stack>
      {left.length > 0 && (
        <details>
          <summary className="unfold">{t('left.count', { count: left.length })}</summary>
          <ul>
            {left.map(({ key, by, data }) => (
              <li key={key} className="typed">
                {words.told(data.text, data.details)}: {data.reason}
                {by && ` (${by})`}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

interface OpenItemProps {
  scan: OpenScan;
  receiving: Receiving;
  words: ReturnType<typeof useScanWords>;
  isClosed: boolean;
}

function OpenItem({ scan, receiving, words, isClosed }: OpenItemProps) {
  const { t } = useTranslation('receiving');
  const { acts, desk } = receiving;
  const { why, outcome, details, text, slot } = scan.data;
  /** Those of the codes that do this to this scan. */
  const codesFor = (does: 'answer' | 'leave', ...codes: Command[]) =>
    codes.flatMap(command => {
      const act = desk.actNow(command);
      return act.does === does && act.open.key === scan.key ? commands[command] : [];
    });
  const answer = (label: string, said: Answers, ...codes: Command[]): Action => ({
    label,
    act: () => acts.answer(scan, said),
    codes: codesFor('answer', ...codes),
  });
  const yes = answersOf(why, true, scan.data.answers);
  const no = answersOf(why, false);
  const rejection = rejectionOf(why, scan.data.answers);
  const same = receiving.open.filter(each => isSameQuestion(each, scan) && each.data.slot === slot).length;
  const isAnswered = ANSWERED.some(each => each === why);
  const actions = [
    ...(yes ? [answer(t(isAnswered ? `answer.${why}.yes` : 'answer.take'), yes, 'yes')] : []),
    ...(rejection ? [answer(t('answer.expired.reject'), rejection, 'reject')] : []),
    ...(why === 'count' && no ? [answer(t('answer.count.no'), no, 'no')] : []),
    // What was refused for the receipt's sake is taken once it is open again.
    ...(why === 'closed' && !isClosed ? [answer(t('answer.take'), {})] : []),
  ];
  return (
    <Item title={t(`title.${why}`)} outcome={outcome}>
      <Text className="typed">{words.told(text, details)}</Text>
      <Text size="sm">{words.why(why, details)}</Text>
      {same > 1 && <Text size="sm">{t('open.same', { count: same })}</Text>}
      <Settle
        actions={actions}
        onLeave={reason => acts.leaveOut(scan, reason)}
        leaveCodes={codesFor('leave', 'no', 'leave')}
      >
        {why === 'unknown' && (
          <Pick label={t('learn.part')} family="part" onPick={part => acts.learn(scan, part)} />
        )}
        {why === 'part' && (
          <Pick label={t('answer.part')} family="part" onPick={part => acts.answer(scan, { part })} />
        )}
        {why === 'closed' && (
          <Pick
            label={t('answer.move')}
            family="receiving-inspection"
            onPick={receipt => acts.moveTo(scan, receipt)}
          />
        )}
      </Settle>
    </Item>
  );
}

function LineQuestion({ receiving, words }: Pick<OpenItemProps, 'receiving' | 'words'>) {
  const { t } = useTranslation('receiving');
  const formats = useFormats();
  const { question, acts } = receiving;
  if (!question) return null;
  const day = (text: string) => (text === '' ? t('expiry.none') : formats.day(text));
  if ('why' in question) {
    const { why } = question;
    return (
      <Item title={t(`title.${why}`)} outcome="question">
        <Text className="typed">{words.goods(question)}</Text>
        <Text size="sm">{words.why(why, { ...question, lot: receiving.line.lot })}</Text>
        <Settle
          actions={[
            { label: t(`answer.${why}.yes`), act: () => acts.confirmLine(true), codes: [commands.yes] },
            { label: t('expiry.correct'), act: () => acts.confirmLine(false), codes: [commands.no] },
          ]}
        />
      </Item>
    );
  }
  const { lot, known, given } = question;
  return (
    <Item title={t('title.lot')} outcome="question">
      <Text size="sm">
        {t('expiry.text', { lot, known: formats.list(known.map(day)), given: day(given) })}
      </Text>
      <Settle
        actions={[
          { label: t('expiry.confirm'), act: () => acts.confirmLine(true), codes: [commands.yes] },
          { label: t('expiry.correct'), act: () => acts.confirmLine(false), codes: [commands.no] },
        ]}
      />
    </Item>
  );
}

function Item(props: { title: string; outcome: 'question' | 'refused'; children: ReactNode }) {
  const { title, outcome, children } = props;
  const Icon = outcome === 'refused' ? IconAlertOctagon : IconHelpCircle;
  return (
    <li className="open-scan" data-outcome={outcome}>
      <Group gap="xs" wrap="nowrap">
        <Icon aria-hidden size={22} />
        <Text fw={700}>{title}</Text>
      </Group>
      {children}
    </li>
  );
}

/** Answers, and leaving it out with a reason: by one press where the reason is a usual one. */
function Settle(props: {
  actions: Action[];
  onLeave?: (reason: string) => Promise<unknown>;
  leaveCodes?: readonly string[];
  children?: ReactNode;
}) {
  const { actions, onLeave, leaveCodes, children } = props;
  const { t } = useTranslation('receiving');
  const task = useTask();
  const [isLeaving, setIsLeaving] = useState(false);
  const [reason, setReason] = useState('');
  const run = (act: () => Promise<unknown>) => void task.run(async () => void (await act()));
  return (
    <>
      <Failure error={task.failure} />
      {children}
      <Group gap="xs">
        {actions.map(({ label, act, codes }) => (
          <Button key={label} size="sm" disabled={task.isBusy} onClick={() => run(act)} {...saidBy(codes)}>
            {label}
          </Button>
        ))}
        {onLeave && !isLeaving && (
          <Button size="sm" variant="default" onClick={() => setIsLeaving(true)} {...saidBy(leaveCodes)}>
            {t('leave')}
          </Button>
        )}
      </Group>
      {onLeave && isLeaving && (
        <form
          aria-label={t('leave')}
          onKeyDown={event => event.key === 'Escape' && setIsLeaving(false)}
          onSubmit={event => {
            event.preventDefault();
            if (reason.trim() !== '') run(() => onLeave(reason.trim()));
          }}
        >
          <Group gap="xs" align="end">
            {REASONS.map(name => (
              <Button
                key={name}
                size="sm"
                variant="default"
                onClick={() => run(() => onLeave(t(`leave.${name}`)))}
              >
                {t(`leave.${name}`)}
              </Button>
            ))}
            <TextInput
              label={t('leave.reason')}
              value={reason}
              onChange={event => setReason(event.currentTarget.value)}
              autoComplete="off"
            />
            <Button size="sm" type="submit" disabled={reason.trim() === ''}>
              {t('leave')}
            </Button>
          </Group>
        </form>
      )}
    </>
  );
}

/** A button says itself which codes do the same: none is taken for its neighbour's. */
function saidBy(codes: readonly string[] = []) {
  return codes.length === 0 ? {} : { rightSection: <span className="answer-code">{codes.join(' · ')}</span> };
}

function Pick(props: {
  label: string;
  family: 'part' | 'receiving-inspection';
  onPick: (id: number) => Promise<unknown>;
}) {
  const { label, family, onPick } = props;
  const task = useTask();
  return (
    <>
      <ReferenceInput
        family={family}
        label={label}
        value={null}
        takesScans={false}
        onChange={id => {
          if (id !== null) void task.run(async () => void (await onPick(id)));
        }}
      />
      <Failure error={task.failure} />
    </>
  );
}
