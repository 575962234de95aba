import {
  IconChartLine,
  IconClipboardCheck,
  IconFlask,
  IconForklift,
  IconHome,
  IconListDetails,
  IconPackages,
  IconSettings,
  IconShieldCheck,
  IconTruckDelivery,
} from '@tabler/icons-react';

/** An area of work: its text is `app:area.<name>`. */
export interface Area {
  name: string;
  path: string;
  /** Further screens that belong to it. */
  also?: readonly string[];
  icon: typeof IconHome;
  /** A key that goes there from anywhere; shown beside the name. */
  key: string | null;
}

/** By work, in the order in which goods pass through the house. */
export const areas: readonly Area[] = [
  { name: 'home', path: '/app', icon: IconHome, key: null },
  { name: 'receiving', path: '/app/receiving', icon: IconForklift, key: 'F2' },
  { name: 'inspection', path: '/app/inspection', icon: IconClipboardCheck, key: 'F4' },
  { name: 'stock', path: '/app/stock', also: ['/app/counts'], icon: IconPackages, key: 'F6' },
  { name: 'shipping', path: '/app/shipping', icon: IconTruckDelivery, key: 'F7' },
  { name: 'lab', path: '/app/lab', icon: IconFlask, key: 'F8' },
  {
    name: 'quality',
    path: '/app/quality',
    also: ['/app/ncr', '/app/recall', '/app/conflicts'],
    icon: IconShieldCheck,
    key: 'F9',
  },
  { name: 'charts', path: '/app/charts', icon: IconChartLine, key: null },
  { name: 'records', path: '/app/records', icon: IconListDetails, key: null },
  { name: 'setup', path: '/app/setup', also: ['/app/sync'], icon: IconSettings, key: null },
];

/** Screens inside of an area that one can go to by name: their text is `app:screen.<name>`. */
export const innerScreens: readonly {
  name: string;
  path: string;
  /** Whom it is offered to: who may call this. */
  operation?: string;
}[] = [
  { name: 'putaway', path: '/app/stock/putaway' },
  { name: 'counts', path: '/app/counts' },
  { name: 'sampling', path: '/app/inspection/sampling' },
  { name: 'recall', path: '/app/recall', operation: 'x.trace.inventory' },
  { name: 'conflicts', path: '/app/conflicts' },
  { name: 'sync', path: '/app/sync' },
];
