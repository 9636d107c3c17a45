import './app/global.css';
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/global.layer.css';
import { BUILD_HEADER } from '@drawhouse/contract/core/route';
import { watchServer } from '@drawhouse/session/server-reach';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { loadSignedIn } from './app/SignedOut.tsx';
import { noteBuild } from '@drawhouse/session/newer-build';

watchServer(window, (headers) => noteBuild(document, headers.get(BUILD_HEADER)));

// For pages that have seen a session. Failures are retried on demand.
if ('signedIn' in document.documentElement.dataset) void loadSignedIn().catch(() => undefined);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
