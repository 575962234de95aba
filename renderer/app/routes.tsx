import { createBrowserRouter, Navigate } from 'react-router';
import { FirstAdministrator } from '../session/first-administrator.tsx';
import { CrashPage } from './crash-page.tsx';
import { MissingPage } from './missing-page.tsx';
import { Shell } from './shell.tsx';

type Module = { Component: React.ComponentType };
type Screen = () => Promise<Module>;

/** Below `/app`, each loaded when it is first opened. */
const screens: Record<string, Screen> = {
  '': () => import('../home/home-page.tsx'),
  receiving: () => import('../receiving/receiving-page.tsx'),
  'receiving/:id': () => import('../receiving/receipt-page.tsx'),
  stock: () => import('../stock/stock-page.tsx'),
  'stock/:id': () => import('../stock/lot-page.tsx'),
  shipping: () => import('../shipping/shipping-page.tsx'),
  'shipping/:id': () => import('../shipping/shipment-page.tsx'),
  inspection: () => import('../inspection/inspections-page.tsx'),
  'inspection/sampling': () => import('../inspection/sampling-page.tsx'),
  'inspection/:id': () => import('../inspection/inspection-page.tsx'),
  lab: () => import('../lab/lab-page.tsx'),
  'lab/:id': () => import('../lab/lab-result-page.tsx'),
  quality: () => import('../quality/quality-page.tsx'),
  'ncr/:id': () => import('../quality/ncr-page.tsx'),
  'recall/:family/:id': () => import('../quality/recall-page.tsx'),
  charts: () => import('../charts/charts-page.tsx'),
  conflicts: () => import('../sync/conflicts-page.tsx'),
  sync: () => import('../sync/sync-page.tsx'),
  'setup/*': () => import('../setup/setup-page.tsx'),
  records: () => import('../record/families-page.tsx'),
  'records/:family': () => import('../record/list-page.tsx'),
  'records/:family/new': () => import('../record/create-page.tsx'),
  'records/:family/:id': () => import('../record/record-page.tsx'),
  'records/:family/:id/edit': () => import('../record/edit-page.tsx'),
};

/** Nothing is there yet to say anything in words with; it is over in a blink. */
function Opening() {
  return null;
}

export function createRoutes() {
  return createBrowserRouter([
    { path: '/', element: <Navigate to="/app" replace /> },
    { path: '/first', Component: FirstAdministrator, ErrorBoundary: CrashPage },
    {
      path: '/app',
      Component: Shell,
      ErrorBoundary: CrashPage,
      HydrateFallback: Opening,
      children: [
        ...Object.entries(screens).map(([path, load]) => ({ path, lazy: load, ErrorBoundary: CrashPage })),
        { path: '*', Component: MissingPage },
      ],
    },
    { path: '*', Component: MissingPage },
  ]);
}
