import { Anchor, type AnchorProps, Button } from '@mantine/core';
import type { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { recordPath } from './record-path.ts';

interface RecordLinkProps extends AnchorProps {
  family: string;
  id: number | string;
  children: ReactNode;
}

/** Leads to where a record is shown, under what people call it. */
export function RecordLink({ family, id, ...anchor }: RecordLinkProps) {
  return <Anchor component={Link} to={recordPath(family, id)} className="typed" {...anchor} />;
}

/** Leads to a page on which something is done, with a sign before its words. */
export function ButtonLink(props: { to: string; icon: typeof IconLock; children: ReactNode }) {
  const { to, icon: Icon, children } = props;
  return (
    <Button component={Link} to={to} variant="default" leftSection={<Icon aria-hidden />}>
      {children}
    </Button>
  );
}
