import './look.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { PlayersApp } from './frame/PlayersApp.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <PlayersApp />
  </StrictMode>,
);
