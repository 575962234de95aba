import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** What a page is about: the kind of record, what people call this one, and what stands below that. */
export function RecordHeading(props: { kind: string; title: string; children?: ReactNode }) {
  const { kind, title, children } = props;
  return (
    <div>
      <Text c="dimmed">{kind}</Text>
      <Title order={1} className="typed">
        {title}
      </Title>
      {children}
    </div>
  );
}
