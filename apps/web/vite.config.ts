import { createHash } from 'node:crypto';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import type { Plugin } from 'vite';

const server = 'http://localhost:3000';

/**
 * Writes the build's name into the page: a hash of the names of its files, which are hashes of what is in them. The server says it
 * with every answer, and the page sees when there is another one.
 */
function buildName(): Plugin {
  return {
    name: 'build-name',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        if (!bundle) return [];
        const content = createHash('sha256')
          .update(Object.keys(bundle).toSorted().join('\n'))
          .digest('hex')
          .slice(0, 16);
        return [{ tag: 'meta', attrs: { name: 'build', content }, injectTo: 'head' }];
      },
    },
  };
}

export default defineConfig({
  plugins: [react(), buildName()],
  build: {
    outDir: 'dist',
    sourcemap: false,
    target: 'es2022',
  },
  server: {
    proxy: {
      '/api': server,
      '/healthz': server,
      '/socket.io': { target: server, ws: true },
    },
  },
});
