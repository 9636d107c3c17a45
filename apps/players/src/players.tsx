import './look.css';
import { PLAYERS_BUILD_HEADER } from '@drawhouse/contract/core/route';
import { language } from '@drawhouse/session/language';
import { watchServer } from '@drawhouse/session/server-reach';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { PlayersApp } from './shell/PlayersApp.tsx';
import { noteBuild } from '@drawhouse/session/newer-build';

watchServer(window, (headers) => noteBuild(document, headers.get(PLAYERS_BUILD_HEADER)));

document.documentElement.lang = language;

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <PlayersApp />
  </StrictMode>,
);
