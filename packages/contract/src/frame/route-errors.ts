import type { ErrorCode } from './errors.ts';
import type { Route } from './route.ts';

/** How every call may fail. */
const OF_ALL: readonly ErrorCode[] = ['INVALID_INPUT', 'THROTTLED', 'NOT_READY', 'INTERNAL'];
/** How a call that changes something may fail beside: its commit got no answer. */
const OF_CHANGES: readonly ErrorCode[] = ['OUTCOME_UNKNOWN'];
/** How a change that asks for a session may fail beside: the network of the account that makes it, or that it is about, is being restored. */
const OF_NETWORK_CHANGES: readonly ErrorCode[] = ['NETWORK_RESTORING'];
/** How a call that may come with a body may fail beside, while that is read, also where nothing is done with it. */
const OF_BODIES: readonly ErrorCode[] = ['INVALID_JSON', 'REQUEST_TIMEOUT', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];
/** How a call that asks for a session may fail beside. */
const OF_SESSIONS: readonly ErrorCode[] = ['NOT_SIGNED_IN', 'SESSION_ENDED', 'SESSION_REPLACED', 'NOT_ALLOWED'];

/** How a call may fail beside that programs may make. */
const OF_API_KEYS: readonly ErrorCode[] = ['API_KEY_ENDED'];
/** How a sensitive call may fail besides: without an elevation, or with a wrong password in its header. */
const OF_SENSITIVE: readonly ErrorCode[] = ['CONFIRM_PASSWORD', 'WRONG_PASSWORD'];

/** How a route may fail whatever it does: what no route has to list. */
export function generalErrorsOf(route: Route): readonly ErrorCode[] {
  const changes = route.method !== 'GET' || route.changesState === true;
  return [
    ...OF_ALL,
    ...(changes ? OF_CHANGES : []),
    ...(changes && route.access !== 'public' ? OF_NETWORK_CHANGES : []),
    ...(route.method === 'GET' ? [] : OF_BODIES),
    ...(route.access === 'public' ? [] : OF_SESSIONS),
    ...(route.apiKeys === true ? OF_API_KEYS : []),
    ...(needsElevation(route) ? OF_SENSITIVE : []),
  ];
}

/** Whether a route needs an elevation. */
export function needsElevation({ sensitive }: Pick<Route, 'sensitive'>): boolean {
  return sensitive !== undefined && sensitive !== false && sensitive !== 'asks';
}

/** Every code that a route may answer: those that it lists, and the general ones. */
export function errorsOf(route: Route): readonly ErrorCode[] {
  return [...(route.errors ?? []), ...generalErrorsOf(route)];
}
