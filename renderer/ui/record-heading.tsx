import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface RecordHeadingProps {
  kind: string;
  title: string;
  /** How it stands, in a word: at the end of the line, on every page in the same place. */
  status?: ReactNode;
  /** What stands below the title. */
  children?: ReactNode;
}

/** What a page is about: the kind of record, what people call this one, and how it stands. What can be done stands below. */
export function RecordHeading({ kind, title, status, children }: RecordHeadingProps) {
  return (
    <Group justify="space-between" align="start" style={{ flexGrow: 1 }}>
      <div>
        <Text c="dimmed">{kind}</Text>
        <Title order={1} className="typed">
          {title}
        </Title>
        {children}
      </div>
      {status}
    </Group>
  );
}
