import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import { App } from './app/app.tsx';
import { startOfflinePage } from './app/offline-page.ts';
import { startTexts } from './i18n/i18n.ts';

// zod writes functions as text where it may; the page's policy allows none of that.
z.config({ jitless: true });

const root = document.getElementById('root');
if (root) {
  startTexts();
  startOfflinePage();
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
