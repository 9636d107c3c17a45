import { SESSION_REPLACED_MESSAGE } from '@drawhouse/contract/core/errors';
import { createElement, Fragment } from 'react';
import type { ReactNode } from 'react';

/** Texts of several features. */
export const playerTexts = {
  product: 'Drawhouse',
  somethingWentWrong: 'Something went wrong',
  /** Added to the specification's text. */
  noResponse: 'An unexpected error occurred',
  noConnection: 'No connection to the server.',
  tooSlow: 'The server took too long to respond.',
  sessionEnded: 'Your session has ended. Please sign in again.',
  sessionReplaced: SESSION_REPLACED_MESSAGE,
  logout: 'Log Out',
  logoutFailed: 'Logout failed.',
} as const;

/** Inserts nodes into a text: `{name}` becomes `nodes.name`. */
export function fill(text: string, nodes: Readonly<Record<string, ReactNode>>): ReactNode {
  const parts = text.split(/\{(\w+)\}/);
  return createElement(Fragment, null, ...parts.map((part, index) => (index % 2 === 0 ? part : nodes[part])));
}
