import type { LoginTerms, PlacesOfStaff } from '@drawhouse/contract/logins/logins';
import { inSubtree } from '../../platform/db/visibility-predicate.ts';
import type { Actor } from '../../accounts/authority.ts';
import { setStaffPlaces } from '../../accounts/accounts.sql.ts';
import { changeOf } from '../../activity/append-activity.ts';
import { runCommandDuringRestore, underRules } from '../../activity/run-command.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import type { Call } from '../../platform/http/handler.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { isAllowed, readAddresses, shownAddress } from '../../platform/http/request/address.ts';
import type { Services } from '../../platform/services.ts';
import { announceMoved } from '../sessions/sessions.ts';
import { minuteOf } from './change-login.ts';
import { clockOf } from './logins.sql.ts';
import { LOGIN_SUBJECTS, LOGIN_TEXTS } from './logins-texts.ts';
import { networkWorksAt } from './person.ts';

interface PlacesRow {
  readonly networkId: number;
  readonly username: string;
  readonly addresses: string[];
  readonly starts: number | null;
  readonly ends: number | null;
}

const PLACES = sql`n.network_id as "networkId", n.username, n.staff_addresses::text[] as addresses,
  n.staff_starts_minute as starts, n.staff_ends_minute as ends`;

async function requirePlaces(on: Queryable, actor: Actor, adminId: string, lock = sql``): Promise<PlacesRow> {
  const [row] = await on.query<PlacesRow & object>(
    sql`select ${PLACES} from accounts n where n.id = ${adminId} and n.role = 'admin' and n.deleted_at is null
      and ${inSubtree('n', actor)} ${lock}`,
  );
  if (!row) throw new CallError('NOT_FOUND', { fields: { adminId: LOGIN_TEXTS.noAdmin } });
  return row;
}

export async function readPlaces(on: Queryable, actor: Actor, adminId: string): Promise<{ data: PlacesOfStaff }> {
  return { data: shown(await requirePlaces(on, actor, adminId)) };
}

/** Allowed during a restore, because it protects the network. Refused if staff would shut itself out. */
export async function setPlaces(
  services: Services,
  call: Call<Actor>,
  adminId: string,
  { addresses = [], hours }: Pick<LoginTerms, 'addresses' | 'hours'>,
): Promise<{ message: string; data: PlacesOfStaff }> {
  const { actor, origin } = call;
  const read = readAddresses(addresses);
  return runCommandDuringRestore(services, call, async (tx, at) => {
    const before = await requirePlaces(tx, actor, adminId, sql`for no key update`);
    const [starts, ends] = hours ? [minuteOf(hours.from), minuteOf(hours.to)] : [null, null];
    await setStaffPlaces(tx, adminId, { addresses: read, starts, ends });
    const after = { ...before, addresses: read, starts, ends };
    if (actor.role !== 'superadmin')
      await requireOwnPlace(tx, { adminId, addresses: read, ip: origin.ip }, services, at);
    await announceMoved(services, tx, adminId);
    const [was, is] = [placeWords(before), placeWords(after)];
    const changes = Object.keys(is).flatMap((what) => changeOf(what, was[what]!, is[what]!));
    return {
      result: { message: LOGIN_TEXTS.placesSaved, data: shown(after) },
      subject: changes.length === 0 ? null : LOGIN_SUBJECTS.places(before.username),
      detail: { adminId, staffPlaces: shown(after) },
      changes,
      guarded: isWider(before, after) ? underRules(actor, { kind: 'guards', networkId: before.networkId }) : [],
    };
  });
}

async function requireOwnPlace(
  tx: Tx,
  { adminId, addresses, ip }: { readonly adminId: string; readonly addresses: readonly string[]; readonly ip: string },
  { timeZone }: Services,
  at: Date,
): Promise<void> {
  if (!isAllowed(addresses, ip))
    throw new CallError('RULE_REFUSED', { fields: { addresses: LOGIN_TEXTS.shutOutByAddress(ip) } });
  const [row] = await tx.query<{ works: boolean }>(
    sql`select ${networkWorksAt(at, timeZone)} as works from accounts n where n.id = ${adminId}`,
  );
  if (!row!.works) throw new CallError('RULE_REFUSED', { fields: { hours: LOGIN_TEXTS.shutOutByHours } });
}

function isWider(before: PlacesRow, after: PlacesRow): boolean {
  const hadFewer =
    before.addresses.length > 0 &&
    (after.addresses.length === 0 || after.addresses.some((each) => !before.addresses.includes(each)));
  return hadFewer || (before.starts !== null && (before.starts !== after.starts || before.ends !== after.ends));
}

function shown({ addresses, starts, ends }: Parameters<typeof placeWords>[0]): PlacesOfStaff {
  return {
    addresses: addresses.map(shownAddress),
    hours: starts === null ? null : { from: clockOf(starts), to: clockOf(ends!) },
  };
}

export function placeWords(row: Pick<PlacesRow, 'addresses' | 'starts' | 'ends'>): Record<string, string | null> {
  const { addresses, hours } = shown(row);
  return { 'Allowed addresses': addresses.join(', ') || null, Hours: hours && `${hours.from} to ${hours.to}` };
}
