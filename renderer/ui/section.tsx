import { Title, type TitleProps } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  title: string;
  /** As large as a heading of this level, where the page has smaller ones. */
  size?: TitleProps['size'];
  children: ReactNode;
}

/** A part of a page below its heading. */
export function Section({ title, size, children }: SectionProps) {
  return (
    <section>
      <Title order={2} {...(size !== undefined && { size })} mb="xs">
        {title}
      </Title>
      {children}
    </section>
  );
}
