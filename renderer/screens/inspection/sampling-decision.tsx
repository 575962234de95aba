import { useTranslation } from 'react-i18next';
import { invalid } from '../../../shared/contract/errors.ts';
import type { Sampling } from '../../../shared/operations/sampling-operations.ts';
import { useWrite } from '../../api/calls.ts';
import { ReasonForm } from '../../ui/reason-form.tsx';

export interface SamplingDecisionProps {
  decision: Decision;
  sampling: Sampling;
  onClose: () => void;
}

/** A person's decision about how the next lots are sampled, with its reason. Never changed: to undo it, decide again. */
export function SamplingDecision({ decision, sampling, onClose }: SamplingDecisionProps) {
  const { t } = useTranslation('inspection');
  const { mutateAsync } = useWrite('x.sampling-rulings.create');
  return (
    <ReasonForm
      title={t(`decide.${decision}`)}
      label={t('reason:reason')}
      description={t('decide.reason')}
      onClose={onClose}
      onSubmit={async reason => {
        if (reason.trim() === '') throw invalid({ reason: [t('decide.needed')] });
        const ruling = decision === 'reducedRefused' ? 'reducedWithdrawn' : decision;
        const { part_id, supplier_id } = sampling;
        await mutateAsync({ body: { part_id, supplier_id, ruling, reason } });
      }}
    />
  );
}

/** What a person can decide; a refusal is stored as the approval's withdrawal. */
export type Decision =
  | 'reducedApproved'
  | 'reducedRefused'
  | 'reducedWithdrawn'
  | 'normalReinstated'
  | 'productionIrregular'
  | 'productionSteady'
  | 'resumed';
