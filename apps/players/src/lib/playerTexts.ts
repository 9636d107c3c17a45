import { SESSION_REPLACED_MESSAGE } from '@drawhouse/contract/core/errors';

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
} as const;
