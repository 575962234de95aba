import { Text } from '@mantine/core';
import { RecordLink } from '../../ui/links.tsx';

/** An order's number at the dock; blind, it does not lead to where the quantities stand. */
export function OrderNumber({ id, number, isBlind }: { id: number; number: string; isBlind: boolean }) {
  if (isBlind) return <Text className="typed">{number}</Text>;
  return (
    <RecordLink family="purchase-order" id={id}>
      {number}
    </RecordLink>
  );
}
