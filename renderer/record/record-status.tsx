import { IconCheck, IconHourglass, IconPencil } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Family } from '../../shared/contract/define-family.ts';
import { StatusBadge } from '../ui/status-badge.tsx';
import { isEmpty, type Values } from './form-values.ts';

const looks = {
  open: { color: 'gray.7', icon: IconHourglass },
  closed: { color: 'green.9', icon: IconCheck },
  draft: { color: 'yellow.9', icon: IconPencil },
  approved: { color: 'green.9', icon: IconCheck },
} as const;

/** Of what is open until it is closed, and a draft until it is approved; null: of other records no word says how they stand. */
export function recordStatus({ fields }: Pick<Family, 'fields'>, stored: Values): keyof typeof looks | null {
  if (fields.is_closed) return stored.is_closed === true ? 'closed' : 'open';
  if (fields.date_closed) return isEmpty(stored.date_closed) ? 'open' : 'closed';
  if (fields.is_approved) return stored.is_approved === true ? 'approved' : 'draft';
  return null;
}

/** How a record stands, by word, sign and colour. */
export function RecordStatus({ family, stored }: { family: Family; stored: Values }) {
  const { t } = useTranslation('record');
  const status = recordStatus(family, stored);
  return status && <StatusBadge look={looks[status]} word={t(`status.${status}`)} size="xl" />;
}
