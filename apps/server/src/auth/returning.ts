import type { Services } from '../services.ts';
import { createRateLimit } from '../http/rate-limit.ts';
import { rememberedSince } from './known-addresses.ts';
import { sql } from '../db/sql.ts';

/** What one account may sign in from one address where it has before, beyond what strangers may there. */
const EACH = { perSecond: 1, burst: 20 } as const;
/** Addresses that strangers have used up and whose accounts are kept in mind; the longest unused goes first, and is read again. */
const ADDRESSES_MAX = 1_000;

/**
 * Who comes back to an address: accounts that have signed in from there before. Where strangers have used up what an address may ask
 * without a session, these still sign in.
 */
export interface Returning {
  /** Whether any account has signed in from an address (as `addressKey` gives it). */
  expects(this: void, address: string): Promise<boolean>;
  /** Takes a sign-in by this name from the name's own budget there; false for a stranger, and when that is used up. */
  take(username: string, address: string): Promise<boolean>;
  /** Notes a sign-in. */
  note(username: string, address: string): void;
}

/** Keeps in mind who comes back. The database is asked once for each address, however many invented names come from it. */
export function createReturning({ db, clock }: Services): Returning {
  const budgets = createRateLimit(EACH, () => clock.now().getTime());
  const names = new Map<string, Promise<Set<string>>>();

  async function read(address: string): Promise<Set<string>> {
    const rows = await db.query<{ name: string }>(
      sql`select lower(a.username) as name from known_addresses k join accounts a on a.id = k.account_id
       where k.address = ${address} and k.last_at > ${rememberedSince(clock.now())} and a.deleted_at is null`,
    );
    return new Set(rows.map((row) => row.name));
  }

  function namesAt(address: string): Promise<Set<string>> {
    const found = names.get(address) ?? read(address);
    names.delete(address);
    names.set(address, found);
    // What could not be read is read again.
    found.catch(() => names.get(address) === found && names.delete(address));
    if (names.size > ADDRESSES_MAX) names.delete(names.keys().next().value!);
    return found;
  }

  return {
    expects: async (address) => (await namesAt(address)).size > 0,
    async take(username, address) {
      const name = username.toLowerCase();
      return (await namesAt(address)).has(name) && budgets.take(`${name} ${address}`) === 0;
    },
    note(username, address) {
      void names.get(address)?.then(
        (known) => known.add(username.toLowerCase()),
        () => {},
      );
    },
  };
}
