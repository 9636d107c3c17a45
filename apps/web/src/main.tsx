// First, because it declares the order of layers.
import './app/global.css';
import { BUILD_HEADER } from '@drawhouse/contract/core/route';
import { noteBuild } from '@drawhouse/session/newer-build';
import { watchServer } from '@drawhouse/session/server-reach';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/global.layer.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, lazy, Suspense, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { loadSignedIn, SignedOut } from './app/SignedOut.tsx';
import { lazyExtra, lazyPage } from './lib/lazyParts.ts';
import { queryClient } from './lib/server/queryClient.ts';
import { getSession, onSession, useSession } from './lib/session/session.ts';
import { INVITATION_PATH, PLAYERS_PATH } from './lib/paths.ts';
import { cssVariablesResolver, theme } from './app/theme.ts';
import { PageBoundary } from './app/PageError.tsx';

watchServer(window, (headers) => noteBuild(document, headers.get(BUILD_HEADER)));

const FairPages = lazy(async () => ({ default: (await import('./app/FairPages.tsx')).FairPages }));
const PublicWall = lazy(async () => ({ default: (await import('./features/live/wall/PublicWall.tsx')).PublicWall }));
const InvitationPage = lazy(async () => ({
  default: (await import('./features/auth/InvitationPage.tsx')).InvitationPage,
}));
const SignedIn = lazyPage(async () => (await loadSignedIn()).SignedIn);
const Messages = lazyExtra(async () => (await import('./app/shell/Messages.tsx')).Messages);

const colorSchemeManager = localStorageColorSchemeManager({ key: 'theme' });

/** Public draw pages are entered and left by a full load, so they share no code with the rest. */
const isFair = window.location.pathname.startsWith('/fair');

/** A full load, because somebody else may be signed in. */
const isInvitation = window.location.pathname === INVITATION_PATH;

/** Public walls need no session. */
const isWall = window.location.pathname.startsWith('/wall/');

/** The CSP refuses styles without this nonce. */
function pageNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}
// Read by Mantine's scroll lock for its injected style.
Object.assign(globalThis, { __webpack_nonce__: pageNonce() });

/** Until its code arrives, the skeleton in `index.html` stays visible. */
function App() {
  const role = useSession()?.role;
  const isSignedIn = role !== undefined;
  const [wasSignedIn, setWasSignedIn] = useState(isSignedIn);
  if (isSignedIn && !wasSignedIn) setWasSignedIn(true);
  useSessionWatch();
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="light"
      getStyleNonce={pageNonce}
      // The theme defines all variables. Mantine's static file mostly defines unused colors.
      deduplicateCssVariables={false}
    >
      <QueryClientProvider client={queryClient}>
        <PageBoundary address={String(isSignedIn)}>
          <Suspense>
            {isWall ? (
              <PublicWall />
            ) : isInvitation ? (
              <InvitationPage />
            ) : isFair ? (
              <FairPages />
            ) : role === 'user' ? (
              <ToPlayers />
            ) : isSignedIn ? (
              <SignedIn />
            ) : (
              <SignedOut />
            )}
          </Suspense>
        </PageBoundary>
        {/* Messages from before a sign-out remain readable on the sign-in page. */}
        <Suspense>{wasSignedIn && <Messages />}</Suspense>
      </QueryClientProvider>
    </MantineProvider>
  );
}

function ToPlayers() {
  useEffect(() => window.location.replace(PLAYERS_PATH), []);
  return null;
}

function useSessionWatch() {
  useEffect(() => {
    let signedIn = getSession() !== null;
    return onSession(() => {
      const now = getSession() !== null;
      const ended = signedIn && !now;
      signedIn = now;
      document.documentElement.toggleAttribute('data-signed-in', now);
      if (ended) queryClient.clear();
    });
  }, []);
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
void firstCode().then(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);

/** Saves a render without the page, after which React would hold the page back. Failed loads are repeated by `App`. */
async function firstCode(): Promise<void> {
  if (!('signedIn' in document.documentElement.dataset)) return;
  try {
    await SignedIn.ahead();
    const { loadFirstPage } = await import('./app/routes/StaffRoute.tsx');
    await loadFirstPage();
  } catch {
    // The page shows it.
  }
}
