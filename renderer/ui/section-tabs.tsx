import { Tabs, type TabsProps } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionTabsProps extends TabsProps {
  /** What the list of them is called. */
  label?: string;
  tabs: readonly { name: string; title: string; content: ReactNode }[];
}

/** Parts of a page of which one is drawn at a time. */
export function SectionTabs({ label, tabs, ...rest }: SectionTabsProps) {
  return (
    <Tabs keepMounted={false} {...rest}>
      <Tabs.List aria-label={label}>
        {tabs.map(({ name, title }) => (
          <Tabs.Tab key={name} value={name}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ name, content }) => (
        <Tabs.Panel key={name} value={name} pt="md">
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
