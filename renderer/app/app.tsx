import '@mantine/core/styles.css';
import './styles.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { RouterProvider } from 'react-router/dom';
import { createQueryClient } from '../api/query-client.ts';
import { cssVariables, theme } from '../ui/theme.ts';
import { createRoutes } from './routes.tsx';

/** What every screen stands in: looks, the interface's answers, and the address. */
export function App() {
  const [queries] = useState(createQueryClient);
  const [router] = useState(createRoutes);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
