import {
  ELEVATION_HEADER,
  PASSWORD_HEADER,
  RECENT_MINUTES,
  SENSITIVE_LEVELS,
  needsElevation,
  takesElevation,
  type Route,
  type SensitiveLevel,
} from '@drawhouse/contract/core/route';
import type { Actor } from '../../accounts/authority.ts';
import type { Services } from '../../platform/services.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { BoundRoute, Call } from '../../platform/http/handler.ts';
import { isFactorNeeded } from '../factors/factors.sql.ts';
import { confirmPassword, requireBoundedKey } from './confirm-password.ts';
import { openElevation, spendAddress, useElevation, wasElevated } from './elevations.ts';
import { sql } from '../../platform/db/sql/sql.ts';

interface Input {
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

interface TokenRules {
  readonly superadminByToken?: boolean | undefined;
}

/**
 * A login with a second factor needs an elevation opened by it, or gets CONFIRM_FACTOR. Other logins get
 * CONFIRM_PASSWORD unless the call carries an elevation, password or one-time secret, or may act by token alone.
 */
export function requireElevation(
  services: Services,
  bound: BoundRoute<Actor>,
  rules: TokenRules = {},
): BoundRoute<Actor> {
  const { route, handler } = bound;
  if (!takesElevation(route)) return bound;
  return {
    ...bound,
    async handler(input: Input, call) {
      if (call.apiKey) {
        requireBoundedKey(call.actor);
        return handler(input as never, call);
      }
      const needsFactor = await isFactorNeeded(services.db, call.actor);
      if (!needsElevation(route) && !needsFactor) return handler(input as never, call);
      const level = needsElevation(route) ? levelOf(route, input) : 'elevation';
      if (needsFactor) {
        if (!(await holdsElevation(services, route, input, call, level))) throw new CallError('CONFIRM_FACTOR');
        return handler(input as never, call);
      }
      if (!(await isElevated(services, route, input, call, level)) && !(await mayByToken(services, call, level, rules)))
        throw new CallError('CONFIRM_PASSWORD');
      return handler(input as never, call);
    },
  };
}

function levelOf({ sensitive }: Route, { body }: Input): SensitiveLevel {
  if (typeof sensitive !== 'object') return sensitive as SensitiveLevel;
  const sent = Object.entries(sensitive.fields).filter(([field]) => body?.[field] !== undefined);
  const levels = [sensitive.level, ...sent.map(([, level]) => level!)];
  return SENSITIVE_LEVELS.findLast((level) => levels.includes(level))!;
}

async function isElevated(
  services: Services,
  route: Route,
  input: Input,
  call: Call<Actor>,
  level: SensitiveLevel,
): Promise<boolean> {
  if (await holdsElevation(services, route, input, call, level)) return true;
  const password = call.header(PASSWORD_HEADER);
  if (password === undefined) return false;
  // Headers are bytes; passwords beyond ASCII are UTF-8.
  await confirmPassword(services, call, Buffer.from(password, 'latin1').toString(), PASSWORD_HEADER);
  return true;
}

async function holdsElevation(
  { db, clock }: Services,
  route: Route,
  { query }: Input,
  call: Call<Actor>,
  level: SensitiveLevel,
): Promise<boolean> {
  const { sessionId } = call;
  const at = clock.now();
  const secret = call.header(ELEVATION_HEADER);
  if (secret !== undefined) {
    if (await useElevation(db, { sessionId, secret }, at)) return true;
    if (level === 'result' && (await wasElevated(db, { sessionId, secret }))) return true;
  }
  const { once, ...rest } = query ?? {};
  if (typeof once === 'string') {
    return spendAddress(db, { sessionId, secret: once }, { address: addressOf(route, rest), at });
  }
  return false;
}

/** Lets clients that know only the specification act by their token alone. */
async function mayByToken(
  { db, clock }: Services,
  { sessionId, actor }: Call<Actor>,
  level: SensitiveLevel,
  { superadminByToken = true }: TokenRules,
): Promise<boolean> {
  if (level === 'elevation' || (actor.role === 'superadmin' && !superadminByToken)) return false;
  const since = level === 'recent' ? new Date(clock.now().getTime() - RECENT_MINUTES * 60_000) : new Date(0);
  const may = await db.query(
    sql`select from sessions s where s.token_hash = ${Buffer.from(sessionId, 'hex')} and s.by_token and s.created_at > ${since}
       and (select a.token_sessions from accounts a where a.id = ${actor.chain[1] ?? actor.id})`,
  );
  return may.length > 0;
}

export async function oneTimeAddress(
  { db, clock }: Services,
  { sessionId }: Call<Actor>,
  route: Pick<Route, 'path'>,
  query: Readonly<Record<string, string>>,
): Promise<string> {
  const address = addressOf(route, query);
  const secret = await openElevation(db, sessionId, clock.now(), address);
  return `/api/${address}&${new URLSearchParams({ once: secret }).toString()}`;
}

function addressOf({ path }: Pick<Route, 'path'>, query: Readonly<Record<string, unknown>>): string {
  return `${path}?${new URLSearchParams(query as Record<string, string>).toString()}`;
}
