import { changePassword, confirmPassword, logout, session } from '@drawhouse/contract/auth/auth';
import {
  addApp,
  addPasskey,
  beginApp,
  beginPasskey,
  confirmFactors,
  listFactors,
} from '@drawhouse/contract/auth/factors';
import { takesElevation } from '@drawhouse/contract/core/route';
import type { Actor, Duty } from '../../accounts/authority.ts';
import type { RecordedSignIn } from '../../accounts/read/own-account.ts';
import type { BoundRoute } from '../../platform/http/handler.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Services } from '../../platform/services.ts';
import { AUTH_TEXTS } from '../auth-texts.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';

export interface DutyColumns {
  readonly has_temporary_password: boolean;
  readonly password_first: boolean;
  readonly lacks_factor: boolean;
}

export function dutyColumns({ superadminFactor = false }: Pick<Services, 'superadminFactor'>, login: Sql): Sql {
  return sql`case when ${login} = 0 then a.temporary_until else l.temporary_until end is not null as has_temporary_password,
    coalesce((select up.password_first from accounts up where up.id = a.chain[2]), false) as password_first,
    (a.role = 'superadmin' and ${superadminFactor}::boolean
        or exists (select from accounts up where up.id = a.chain[2] and a.role = any(up.factor_roles)))
      and not exists (select from factors f
        where f.network_id = a.network_id and f.account_id = a.id and f.login = ${login}) as lacks_factor`;
}

export function dutyOf({ has_temporary_password, password_first, lacks_factor }: DutyColumns): Duty | undefined {
  // Adding a factor requires a password that its owner chose.
  if (has_temporary_password)
    return { code: 'CHANGE_PASSWORD', waits: password_first || lacks_factor ? 'all' : 'sensitive' };
  return lacks_factor ? { code: 'ADD_FACTOR', waits: 'all' } : undefined;
}

/** Throws NOT_ALLOWED if the temporary password has expired, and says whom to ask. */
export function requireCurrentPassword({ temporaryUntil }: RecordedSignIn, login: number, at: Date): void {
  if (temporaryUntil === null || temporaryUntil > at) return;
  throw new CallError('NOT_ALLOWED', {
    message: login === 0 ? AUTH_TEXTS.expiredForAccount : AUTH_TEXTS.expiredForLogin,
  });
}

const namesOf = (routes: readonly { readonly method: string; readonly path: string }[]): ReadonlySet<string> =>
  new Set(routes.map(({ method, path }) => `${method} ${path}`));

/** Allowed before the duty is done: reading the session, doing the duty, signing out. */
const OPEN = namesOf([session, logout, changePassword, confirmPassword, confirmFactors]);
const ADDS_FACTOR = namesOf([listFactors, beginApp, addApp, beginPasskey, addPasskey]);

export function refuseUntilDone(bound: BoundRoute<Actor>): BoundRoute<Actor> {
  const { route, handler } = bound;
  const name = `${route.method} ${route.path}`;
  if (route.access === 'public' || OPEN.has(name)) return bound;
  const isSensitive = takesElevation(route);
  return {
    ...bound,
    handler(input, call) {
      const duty = call.apiKey ? undefined : call.actor.duty;
      const isOpen = duty?.code === 'ADD_FACTOR' && ADDS_FACTOR.has(name);
      if (duty && !isOpen && (duty.waits === 'all' || isSensitive)) return Promise.reject(new CallError(duty.code));
      return handler(input, call);
    },
  };
}

/** Checks the session of a live connection, which makes no sensitive call. */
export function requireNoDuty<S extends { readonly actor: Pick<Actor, 'duty'> }>(
  found: S | Promise<S>,
): S | Promise<S> {
  if (found instanceof Promise) return found.then(requireNoDuty);
  const { duty } = found.actor;
  if (duty?.waits === 'all') throw new CallError(duty.code);
  return found;
}
