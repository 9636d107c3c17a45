import { Component } from 'react';
import type { ReactNode } from 'react';
import { PageError } from './PageError.tsx';

/** Stands around all pages: where even what shows them could not be fetched, it says so, as a page does inside. */
export class Boundary extends Component<{ children: ReactNode }, { error: Error | null }> {
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
