import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * The screens as static files in `dist/renderer`: no inline script, so that the page's Content-Security-Policy allows
 * none, and every file but the page itself is named by its content.
 */
export default defineConfig({
  root: 'renderer',
  plugins: [react()],
  build: {
    target: 'es2023',
    outDir: '../dist/renderer',
    emptyOutDir: true,
    // A picture in the script could not be cached apart from it, and `data:` would have to be allowed.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_500,
  },
});
