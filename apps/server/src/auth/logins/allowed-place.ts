import type { Queryable } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { isAllowed } from '../../platform/http/request/address.ts';
import { LOGIN_TEXTS } from './logins-texts.ts';
import { isWithin, networkWorksAt, PLACES_OF_NETWORK, type Person } from './person.ts';

/** The admin is notified of these refusals. */
export class WrongPlace extends CallError {}

export async function requireAllowedPlace(
  on: Queryable,
  { id, networkId, login }: Person,
  ip: string,
  { at, timeZone }: { readonly at: Date; readonly timeZone: string },
): Promise<void> {
  const [row] = await on.query<{
    addresses: string[] | null;
    works: boolean;
    ofNetwork: string[] | null;
    isOpen: boolean | null;
  }>(
    sql`select l.addresses::text[] as addresses, ${isWithin(at, timeZone, sql`l.starts_minute`, sql`l.ends_minute`)} as works,
        n.staff_addresses::text[] as "ofNetwork", ${networkWorksAt(at, timeZone)} as "isOpen"
      from accounts a ${PLACES_OF_NETWORK}
      left join logins l on l.network_id = ${networkId} and l.account_id = ${id} and l.number = ${login} where a.id = ${id}`,
  );
  const refused = (message: string): WrongPlace => new WrongPlace('NOT_ALLOWED', { message });
  if (!row || !isAllowed(row.addresses ?? [], ip)) throw refused(LOGIN_TEXTS.wrongAddress);
  if (!row.works) throw refused(LOGIN_TEXTS.wrongHours);
  if (!isAllowed(row.ofNetwork ?? [], ip)) throw refused(LOGIN_TEXTS.wrongAddressOfNetwork);
  if (row.isOpen === false) throw refused(LOGIN_TEXTS.wrongHoursOfNetwork);
}
