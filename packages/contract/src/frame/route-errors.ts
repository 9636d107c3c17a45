import type { ErrorCode } from './errors.ts';
import type { Route } from './route.ts';

const OF_ALL: readonly ErrorCode[] = ['INVALID_INPUT', 'THROTTLED', 'NOT_READY', 'INTERNAL'];
/** State changes: the commit got no answer. */
const OF_CHANGES: readonly ErrorCode[] = ['OUTCOME_UNKNOWN'];
/** Changes with a session, while the affected network is being restored. */
const OF_NETWORK_CHANGES: readonly ErrorCode[] = ['NETWORK_RESTORING'];
/** Calls with a body, even if unused. */
const OF_BODIES: readonly ErrorCode[] = ['INVALID_JSON', 'REQUEST_TIMEOUT', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];
const OF_SESSIONS: readonly ErrorCode[] = ['NOT_SIGNED_IN', 'SESSION_ENDED', 'SESSION_REPLACED', 'NOT_ALLOWED'];

const OF_API_KEYS: readonly ErrorCode[] = ['API_KEY_ENDED'];
/** Sensitive calls: missing elevation, or wrong password in the header. */
const OF_SENSITIVE: readonly ErrorCode[] = ['CONFIRM_PASSWORD', 'WRONG_PASSWORD'];

/** Errors implied by a route's properties. Routes do not list these. */
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

export function needsElevation({ sensitive }: Pick<Route, 'sensitive'>): boolean {
  return sensitive !== undefined && sensitive !== false && sensitive !== 'asks';
}

export function errorsOf(route: Route): readonly ErrorCode[] {
  return [...(route.errors ?? []), ...generalErrorsOf(route)];
}
