import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState, Component } from 'react';
import { ApiError } from '@drawhouse/session/api-client';
import { lazyExtra } from '../lib/lazyExtra.ts';
import { getSession, onSession } from '../lib/session.ts';
import { PLAYERS_PATH } from '../lib/paths.ts';
import { useSession } from '../lib/useSession.ts';
import { loadSignedIn } from './loadSignedIn.ts';
import { SignedOut } from './SignedOut.tsx';
import { cssVariablesResolver, theme } from './theme.ts';
import type { ReactNode } from 'react';
import { PageError } from './PageError.tsx';

const RETRIES = 2;

/**
 * A refusal stays one however often it is asked; only a failing server is asked again. Without a connection it is said at once: when
 * it is back, everything that is shown is asked again.
 */
function isWorthRetrying(failures: number, error: Error): boolean {
  const answered = !(error instanceof ApiError) || error.status >= 500;
  return answered && failures < RETRIES;
}

const queryClient = new QueryClient({
  defaultOptions: {
    // Without a connection a call fails at once and says so: the default would hold it back, and send it unasked later.
    queries: { retry: isWorthRetrying, staleTime: 5000, networkMode: 'always', refetchOnReconnect: true },
    mutations: { networkMode: 'always' },
  },
});

const FairPages = lazy(async () => ({ default: (await import('./FairPages.tsx')).FairPages }));
const SignedIn = lazy(async () => ({ default: (await loadSignedIn()).SignedIn }));
const Messages = lazyExtra(async () => (await import('./Messages.tsx')).Messages);

const colorSchemeManager = localStorageColorSchemeManager({ key: 'theme' });

/** The public pages about draws are reached, and left, by loading them: they need nothing of the others. */
const isFair = window.location.pathname.startsWith('/fair');

/** The nonce of this page, without which its styles count for nothing. */
function pageNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}
// What keeps the page from scrolling behind a dialog asks for it by this name.
Object.assign(globalThis, { __webpack_nonce__: pageNonce() });

/**
 * The whole app: theme, messages, data and pages. While what it shows is on its way, the skeleton of the HTML stands in its place; see
 * `index.html`.
 */
export function App() {
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
      // All of them follow from the theme here: those that Mantine brings as a file are mostly of colours that nothing has.
      deduplicateCssVariables={false}
    >
      <QueryClientProvider client={queryClient}>
        <Boundary key={String(isSignedIn)}>
          <Suspense>
            {isFair ? <FairPages /> : role === 'user' ? <ToPlayers /> : isSignedIn ? <SignedIn /> : <SignedOut />}
          </Suspense>
        </Boundary>
        {/* What is said while somebody signs out is still read at the sign-in. */}
        <Suspense>{wasSignedIn && <Messages />}</Suspense>
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** Players have pages of their own on the same server: they are loaded in the place of this one. */
function ToPlayers() {
  useEffect(() => window.location.replace(PLAYERS_PATH), []);
  return null;
}

/** When a session ends, nothing of it stays: the data goes with the pages. */
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

/** Stands around all pages: where even what shows them could not be fetched, it says so, as a page does inside. */
class Boundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <main>
        <PageError error={error} />
      </main>
    );
  }
}
