import { changePassword, confirmPassword, logout, session } from '@drawhouse/contract/auth/auth';
import { confirmFactors } from '@drawhouse/contract/auth/factors';
import { takesElevation } from '@drawhouse/contract/core/route';
import type { Actor, Duty } from '../../accounts/authority.ts';
import type { BoundRoute } from '../../platform/http/handler.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import type { Sql } from '../../platform/db/sql/sql.ts';

export interface DutyColumns {
  readonly has_temporary_password: boolean;
  readonly password_first: boolean;
}

/** SQL columns: account `a`, its login `l` if `login` is not 0. */
export function dutyColumns(login: Sql): Sql {
  return sql`case when ${login} = 0 then a.temporary_until else l.temporary_until end is not null as has_temporary_password,
    coalesce((select up.password_first from accounts up where up.id = a.chain[2]), false) as password_first`;
}

export function dutyOf({ has_temporary_password, password_first }: DutyColumns): Duty | undefined {
  if (!has_temporary_password) return undefined;
  return { code: 'CHANGE_PASSWORD', waits: password_first ? 'all' : 'sensitive' };
}

/** Open whatever the duty: to learn of it, do it, or leave. */
const OPEN: ReadonlySet<string> = new Set(
  [session, logout, changePassword, confirmPassword, confirmFactors].map(({ method, path }) => `${method} ${path}`),
);

/** Refuses calls of a person with a duty that is not done yet, with its code. */
export function refuseUntilDone(bound: BoundRoute<Actor>): BoundRoute<Actor> {
  const { route, handler } = bound;
  if (route.access === 'public' || OPEN.has(`${route.method} ${route.path}`)) return bound;
  const isSensitive = takesElevation(route);
  return {
    ...bound,
    handler(input, call) {
      const duty = call.apiKey ? undefined : call.actor.duty;
      if (duty && (duty.waits === 'all' || isSensitive)) return Promise.reject(new CallError(duty.code));
      return handler(input, call);
    },
  };
}

/** For live connections, which make no sensitive call. Throws the code of a duty that everything waits for. */
export function requireNoDuty<S extends { readonly actor: Pick<Actor, 'duty'> }>(
  found: S | Promise<S>,
): S | Promise<S> {
  if (found instanceof Promise) return found.then(requireNoDuty);
  const { duty } = found.actor;
  if (duty?.waits === 'all') throw new CallError(duty.code);
  return found;
}
