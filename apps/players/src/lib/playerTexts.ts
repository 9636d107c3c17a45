import { SESSION_REPLACED_MESSAGE } from '@drawhouse/contract/frame/errors';

/** What several pages of the players' client say; the sentences of the specification to the letter. */
export const playerTexts = {
  product: 'Drawhouse',
  /** Said of what failed without a word. */
  somethingWentWrong: 'Something went wrong',
  /** Beside the sentence of the specification: what is so. */
  noResponse: 'An unexpected error occurred',
  noConnection: 'There is no connection to the server.',
  tooSlow: 'The server took too long to answer.',
  sessionEnded: 'Your session has ended. Please sign in again.',
  sessionReplaced: SESSION_REPLACED_MESSAGE,
  logout: 'Log Out',
} as const;
