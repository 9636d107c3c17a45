import { PLAYERS_BUILD_HEADER, type Route } from '@drawhouse/contract/core/route';
import { createApiClient, type CalledRoute } from '@drawhouse/session/api-client';
import { noteBuild } from '@drawhouse/session/newer-build';
import * as session from '../session/playerSession.ts';
import { serverTexts } from '../inLanguage.ts';
import { playerTexts } from '../playerTexts.ts';

const WAIT_MS = { read: 15_000, command: 30_000 } as const;

/** A contract route without its schemas, which keeps bundles small. */
export interface PlayerRoute<R extends Route> extends CalledRoute<R> {
  readonly isSensitive?: boolean;
}

export const {
  call,
  callFile,
  confirmBy,
  errorMessage: failureText,
} = createApiClient<PlayerRoute<Route>>({
  session,
  takesElevation: ({ isSensitive = false }) => isSensitive,
  now: Date.now,
  waitMs: ({ method }) => (method === 'GET' ? WAIT_MS.read : WAIT_MS.command),
  ask: (url, request) => fetch(url, request),
  isOnline: () => navigator.onLine,
  noteHeaders: (headers) => noteBuild(document, headers.get(PLAYERS_BUILD_HEADER)),
  serverTexts,
  texts: {
    somethingWentWrong: playerTexts.somethingWentWrong,
    noResponse: playerTexts.noConnection,
    tooSlow: playerTexts.tooSlow,
  },
});

/** The link must survive until the browser has fetched the file. */
const KEEP_LINK_MS = 10_000;

export function saveFile(content: Blob, fileName: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEEP_LINK_MS);
}
