import './app/global.css';
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/global.layer.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { loadSignedIn } from './app/loadSignedIn.ts';

// Together with the first of the app, not after it, where the page has seen a session. What fails here is fetched again when it is shown.
if ('signedIn' in document.documentElement.dataset) void loadSignedIn().catch(() => undefined);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
