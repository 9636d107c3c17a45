import { lookForServer } from '@drawhouse/session/server-reach';
import { Component } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../ui/Button.tsx';
import { Page } from '../ui/Page.tsx';
import { PageHeading } from '../ui/PageHeading.tsx';

/** A page that still fails after it was loaded anew is not loaded again by itself for so long. */
const AGAIN_AFTER_MS = 60_000;
const KEY = 'page-reloaded';

/** What stands in the place of a page that failed, with the ways on. A part that could not be fetched, as after an update, loads the page anew once. */
export class PlayersBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown): void {
    // As browsers, and the build for styles, say it.
    if (!(error instanceof Error && /import|preload css/i.test(error.message))) return;
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    if (Date.now() - last < AGAIN_AFTER_MS) return;
    sessionStorage.setItem(KEY, String(Date.now()));
    // Where the server can't be reached, what stands here is better than what the browser would say.
    void lookForServer().then((isThere) => isThere && location.reload());
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Page isNarrow>
        <PageHeading title="This page could not be shown" />
        <p>
          It may help to load it again. What you have laid stays laid: <strong>My bets</strong> shows every ticket that
          was taken.
        </p>
        <Button kind="main" onClick={() => location.reload()}>
          Load it again
        </Button>
        {/* Loaded anew too: what failed may fail again. */}
        <a href="/mine/bets">My bets</a>
        <a href="/">To the games</a>
      </Page>
    );
  }
}
