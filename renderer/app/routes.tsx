import { createBrowserRouter, Navigate } from 'react-router';
import { FirstAdministrator } from '../screens/session/first-administrator.tsx';
import { MissingPage } from '../ui/missing-page.tsx';
import { CrashPage } from './crash-page.tsx';
import { Shell } from './shell.tsx';

type Module = { Component: React.ComponentType };
type Screen = () => Promise<Module>;

/** Below `/app`, each loaded when it is first opened. */
const screens: Record<string, Screen> = {
  '': () => import('../screens/home/home-page.tsx'),
  receiving: () => import('../screens/receiving/receiving-page.tsx'),
  'receiving/:id': () => import('../screens/receiving/receipt-page.tsx'),
  stock: () => import('../screens/stock/stock-page.tsx'),
  'stock/putaway': () => import('../screens/floor/putaway-page.tsx'),
  counts: () => import('../screens/floor/counts-page.tsx'),
  'counts/:id': () => import('../screens/floor/count-page.tsx'),
  'shipping/:id/pick': () => import('../screens/floor/pick-page.tsx'),
  'stock/:id': () => import('../screens/stock/lot-page.tsx'),
  shipping: () => import('../screens/shipping/shipping-page.tsx'),
  'shipping/:id': () => import('../screens/shipping/shipment-page.tsx'),
  inspection: () => import('../screens/inspection/inspections-page.tsx'),
  'inspection/sampling': () => import('../screens/inspection/sampling-page.tsx'),
  'inspection/:id': () => import('../screens/inspection/inspection-page.tsx'),
  lab: () => import('../screens/lab/lab-page.tsx'),
  'lab/:id': () => import('../screens/lab/lab-result-page.tsx'),
  quality: () => import('../screens/quality/quality-page.tsx'),
  'ncr/:id': () => import('../screens/quality/ncr-page.tsx'),
  recall: () => import('../screens/quality/recall-start.tsx'),
  'recall/:family/:id': () => import('../screens/quality/recall-page.tsx'),
  charts: () => import('../screens/charts/charts-page.tsx'),
  conflicts: () => import('../screens/sync/conflicts-page.tsx'),
  sync: () => import('../screens/sync/sync-page.tsx'),
  'setup/*': () => import('../screens/setup/setup-page.tsx'),
  records: () => import('../record/families-page.tsx'),
  'records/:family': () => import('../record/list-page.tsx'),
  'records/:family/new': () => import('../record/create-page.tsx'),
  'records/:family/:id': () => import('../record/record-page.tsx'),
  'records/:family/:id/past': () => import('../record/past/past-page.tsx'),
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
