import { BUILD_HEADER, needsElevation } from '@drawhouse/contract/core/route';
import type { Route, RouteAnswer, RouteInput } from '@drawhouse/contract/core/route';
import { createApiClient } from '@drawhouse/session/api-client';
import type { CallOptions } from '@drawhouse/session/api-client';
import { noteBuild } from '@drawhouse/session/newer-build';
import { firstTexts } from '../../firstTexts.ts';
import * as session from '../session/session.ts';

/** Reports over all data take some seconds. */
const READ_WAIT_MS = 60_000;

const client = createApiClient<Route>({
  session,
  needsElevation,
  // Without a timeout, a silently dead connection blocks every read of the same data.
  waitMs: ({ method, file, takesMinutes = false }) =>
    method === 'GET' && file === undefined && !takesMinutes ? READ_WAIT_MS : undefined,
  ask: (url, request) => fetch(url, request),
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

/** Returns a file response while it still arrives. */
export function callFile<R extends Route>(route: R, input: RouteInput<R>, how?: CallOptions): Promise<Response> {
  return client.callFile<R>(route, input, how);
}
