import { pingServer } from '@drawhouse/session/server-reach';
import { Component } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../ui/Button.tsx';
import { Page, PageHeading } from '../ui/Page.tsx';

const AGAIN_AFTER_MS = 60_000;
const KEY = 'page-reloaded';

/** Shows a failure. If a chunk failed to load, e.g. after an update, reloads once. */
export class PlayersBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown): void {
    // Error texts of browsers and Vite's CSS preload.
    if (!(error instanceof Error && /import|preload css/i.test(error.message))) return;
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    if (Date.now() - last < AGAIN_AFTER_MS) return;
    sessionStorage.setItem(KEY, String(Date.now()));
    // If offline, this message beats the browser's error page.
    void pingServer().then((isThere) => isThere && location.reload());
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Page isNarrow>
        <PageHeading title="This page could not be shown" />
        <p>
          Try loading it again. Bets you have placed are safe: <strong>My bets</strong> lists every ticket that was
          placed.
        </p>
        <Button kind="main" onClick={() => location.reload()}>
          Reload
        </Button>
        {/* Full page loads, since client state may be broken. */}
        <a href="/mine/bets">My bets</a>
        <a href="/">See games</a>
      </Page>
    );
  }
}
