import {
  BUILD_HEADER,
  takesElevation,
  type Route,
  type RouteAnswer,
  type RouteInput,
} from '@drawhouse/contract/core/route';
import { createApiClient, type CallOptions } from '@drawhouse/session/api-client';
import { noteBuild } from '@drawhouse/session/newer-build';
import type { QueryKey } from '@tanstack/react-query';
import { firstTexts } from '../../firstTexts.ts';
import * as session from '../session/session.ts';

/** Reports over all data take some seconds. */
const READ_WAIT_MS = 60_000;

const EARLY_MS = 10_000;

/** First part of every key of a query. Mutations invalidate by it. */
type QueryPart =
  | 'session'
  | 'credit'
  | 'accounts'
  | 'counts'
  | 'games'
  | 'house'
  | 'live'
  | 'reports'
  | 'activity'
  | 'notices'
  | 'backups'
  | 'networkWork'
  | 'clearing'
  | 'protection'
  | 'apiKeys'
  | 'approvals'
  | 'logins'
  | 'standingOrders'
  | 'seals'
  | 'wall'
  | 'invitation'
  | 'second step'
  | 'confirm by factor';

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: readonly [QueryPart, ...unknown[]];
  }
}

declare global {
  /** Started by the script in `index.html`, by URL. */
  var early: { readonly Authorization: string; readonly answers: Record<string, Promise<Response>> } | undefined;
}

/** Each early answer serves one call of the same session. */
function earlyAnswer(url: string, { method, headers, signal }: RequestInit): Promise<Response> | undefined {
  const { Authorization, answers = {} } = globalThis.early ?? {};
  const answer = answers[url];
  if (!answer || method !== 'GET') return undefined;
  delete answers[url];
  const isOther = new Headers(headers).get('Authorization') !== Authorization;
  if (isOther || performance.now() > EARLY_MS) {
    // Unread, it would never end.
    answer.then(({ body }) => body?.cancel()).catch(() => undefined);
    return undefined;
  }
  return signal ? Promise.race([answer, abortOf(signal)]) : answer;
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
}

const client = createApiClient<Route>({
  session,
  takesElevation,
  now: Date.now,
  // Without a timeout, a silently dead connection blocks every read of the same data.
  waitMs: ({ method, file, takesMinutes = false }) =>
    method === 'GET' && file === undefined && !takesMinutes ? READ_WAIT_MS : undefined,
  ask: (url, request) => earlyAnswer(url, request) ?? fetch(url, request),
  isOnline: () => navigator.onLine,
  noteHeaders: (headers) => noteBuild(document, headers.get(BUILD_HEADER)),
  texts: {
    somethingWentWrong: firstTexts.errors.somethingWentWrong,
    noResponse: firstTexts.errors.noResponse,
    tooSlow: firstTexts.errors.noResponse,
  },
});

export const { confirmBy, errorMessage } = client;

export function call<R extends Route>(route: R, input: RouteInput<R>, how?: CallOptions): Promise<RouteAnswer<R>> {
  return client.call<R>(route, input, how);
}

/** Mutations invalidate it by the first part of its key. */
export function callQuery<R extends Route>(queryKey: QueryKey, route: R, input: RouteInput<R>, how?: CallOptions) {
  return { queryKey, queryFn: ({ signal }: { signal: AbortSignal }) => call(route, input, { ...how, signal }) };
}

/** Resolves while the file still arrives. */
export function callFile<R extends Route>(route: R, input: RouteInput<R>, how?: CallOptions): Promise<Response> {
  return client.callFile<R>(route, input, how);
}
