import { house } from '@drawhouse/session/house';
import { Title } from '@mantine/core';
import { Component, useCallback, useEffect, useState, type ReactNode } from 'react';
import { errorMessage } from '../lib/server/api.ts';
import { claimAutoReload } from '@drawhouse/session/newer-build';
import { pingServer, useReachable } from '@drawhouse/session/server-reach';
import { firstTexts } from '../firstTexts.ts';
import { ErrorState } from '../ui/page/PageStates.tsx';

const TITLE = firstTexts.pageNotLoaded;

/**
 * If the page's code failed to load, reloads once the server is reachable. While offline it stays, because a reload
 * would leave the app.
 */
function PageError({ error }: { error: unknown }) {
  const lost = !useReachable();
  const [tries, setTries] = useState(0);
  const isUnfetched = isPartMissing(error);
  const load = useCallback(async () => {
    if (await pingServer()) window.location.reload();
    else setTries((before) => before + 1);
  }, []);
  useEffect(() => {
    if (!isUnfetched || lost) return;
    void pingServer().then((reached) => {
      if (reached && claimAutoReload(sessionStorage, Date.now())) window.location.reload();
    });
  }, [isUnfetched, lost]);
  return (
    <>
      <title>{`${TITLE} – ${house.name}`}</title>
      <Title order={1}>{TITLE}</Title>
      <ErrorState
        key={tries}
        message={lost ? firstTexts.errors.noConnection : errorMessage(error)}
        onRetry={() => void load()}
      />
    </>
  );
}

interface PageBoundaryProps {
  address: string;
  children: ReactNode;
}

interface BoundaryState {
  readonly error: Error | null;
  readonly address: string;
}

export class PageBoundary extends Component<PageBoundaryProps, BoundaryState> {
  override state: BoundaryState = { error: null, address: this.props.address };

  static getDerivedStateFromError(error: Error): Partial<BoundaryState> {
    return { error };
  }

  static getDerivedStateFromProps({ address }: PageBoundaryProps, state: BoundaryState): BoundaryState | null {
    return address === state.address ? null : { error: null, address };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error ? <PageError error={error} /> : this.props.children;
  }
}

/** Messages of browsers and bundler. */
function isPartMissing(error: unknown): boolean {
  const text = error instanceof Error ? error.message : '';
  return /dynamically imported module|importing a module script failed|unable to preload/i.test(text);
}
