import { Button, Group, List, Stack, Text, Title } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Sampling } from '../../../shared/operations/sampling-operations.ts';
import { useMay } from '../../api/may.ts';
import type { Decision } from './sampling-decision.tsx';
import { SamplingDecision } from './sampling-decision.tsx';
import { SamplingNotice } from './sampling-notice.tsx';
import { SeverityMark } from './severity-mark.tsx';

/** How strictly the next lot is sampled, how far it is to the next switch, and what a person can decide about it. */
export function SamplingNow({ sampling, hasLotSize }: { sampling: Sampling; hasLotSize: boolean }) {
  const { t } = useTranslation('inspection');
  const may = useMay();
  const [decision, setDecision] = useState<Decision | null>(null);
  const title = useRef<HTMLHeadingElement>(null);
  const { state } = sampling;
  const decisions = may('x.sampling-rulings.create') ? decisionsFor(state) : [];
  return (
    <Stack gap="sm">
      <Group>
        <Title order={2} size="h3" ref={title} tabIndex={-1}>
          {t('now.title', { severity: t(`severity.${state.severity}`) })}
        </Title>
        <SeverityMark severity={state.severity} isDiscontinued={state.is_discontinued} />
      </Group>
      <div role="status">
        <List>
          {state.is_discontinued && (
            <List.Item>
              <strong>{t('plan.discontinued')}</strong>
            </List.Item>
          )}
          {state.is_reduced_possible && (
            <List.Item>
              <strong>{t('now.reduced')}</strong>
            </List.Item>
          )}
          {state.severity === 'normal' && (
            <List.Item>{t('rule.score', { score: state.switching_score })}</List.Item>
          )}
          {state.severity === 'tightened' && (
            <>
              <List.Item>{t('now.accepted', { count: state.accepted_on_tightened })}</List.Item>
              <List.Item>{t('now.rejected', { count: state.rejected_on_tightened })}</List.Item>
            </>
          )}
          <List.Item>{t(state.is_production_steady ? 'now.steady' : 'now.irregular')}</List.Item>
        </List>
      </div>
      {decisions.length > 0 && (
        <Group>
          {decisions.map((each, index) => (
            <Button
              key={each}
              variant={index === 0 && isDue(state) ? 'filled' : 'default'}
              aria-expanded={decision === each}
              onClick={() => setDecision(decision === each ? null : each)}
            >
              {t(`decide.${each}`)}
            </Button>
          ))}
        </Group>
      )}
      {decision && (
        <SamplingDecision
          key={decision}
          decision={decision}
          sampling={sampling}
          onClose={() => {
            setDecision(null);
            // The button may be gone: what was decided changes what can be decided.
            requestAnimationFrame(() => title.current?.focus());
          }}
        />
      )}
      {hasLotSize ? <SamplingNotice sampling={sampling} leadsOn={false} /> : <Text>{t('plan.give')}</Text>}
    </Stack>
  );
}

type State = Sampling['state'];

function decisionsFor({ severity, ...state }: State): Decision[] {
  if (state.is_discontinued) return ['resumed'];
  const production = state.is_production_steady ? 'productionIrregular' : 'productionSteady';
  if (severity === 'reduced') return ['normalReinstated', 'reducedWithdrawn', production];
  return state.is_reduced_possible ? ['reducedApproved', 'reducedRefused', production] : [production];
}

/** Something waits for a person. */
function isDue({ is_discontinued, is_reduced_possible }: State): boolean {
  return is_discontinued || is_reduced_possible;
}
