import { useCall } from '../../api/calls.ts';

/** How many items a lot had when it came, which is what its sample was taken from; null while it is not known. */
export function useLotSize(lot: number | null): number | null {
  const { data } = useCall('x.inventory.facts', { params: { id: lot ?? 0 } }, { isEnabled: lot !== null });
  if (lot === null || !data) return null;
  const received = data.data.facts
    .filter(({ family }) => family === 'receiving-inspection')
    .reduce((sum, { quantity }) => sum + quantity, 0);
  const size = Math.ceil(received || data.data.quantity);
  return size >= 1 ? size : null;
}

/** The sampling plan for a lot of a part (ISO 2859-1), as it stands now; of the part's supplier unless one is given. */
export function usePlan(part: number | null, lotSize: number | null, supplier: number | null = null) {
  const query = {
    part_id: part ?? 0,
    lot_size: lotSize ?? 0,
    ...(supplier !== null && { supplier_id: supplier }),
  };
  const answer = useCall(
    'x.sampling.read',
    { query },
    {
      isEnabled: part !== null && lotSize !== null && Number.isInteger(lotSize) && lotSize >= 1,
    },
  );
  return {
    sampling: answer.data?.data ?? null,
    error: answer.error,
    isWaiting: answer.isLoading,
    retry: () => void answer.refetch(),
  };
}
