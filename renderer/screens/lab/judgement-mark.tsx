import { IconCheck, IconMinus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { LabValue } from '../../../shared/families/lab-data.ts';
import { type Limits, position } from '../../../shared/quantities/tolerance.ts';
import { verdictIcons } from '../inspection/measuring-cell.tsx';
import { PositionBar } from '../inspection/position-bar.tsx';
import { judgeLab } from './lab-measurement.ts';
import '../inspection/grid.css';

/** What a measurement says to its limits: by shape and text, and where it lies between them. */
export function JudgementMark({
  limits,
  value,
}: {
  limits: Limits | null;
  value: LabValue | null | undefined;
}) {
  const { t } = useTranslation('lab');
  const judgement = judgeLab(limits, value);
  const Icon =
    judgement === 'within' ? IconCheck : judgement === 'unjudged' ? IconMinus : verdictIcons[judgement];
  return (
    <span className="judgement" data-verdict={judgement === 'within' ? 'pass' : judgement}>
      <span className="measured-mark">
        {Icon && <Icon size={20} aria-hidden />}
        {t(`judgement.${judgement}`)}
      </span>
      {limits !== null && value?.kind === 'number' && <PositionBar at={position(limits, value.value)} />}
    </span>
  );
}
