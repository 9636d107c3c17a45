import type { Tx } from '../db/database.ts';
import { CallError } from '../http/http-errors.ts';
import type { Parent } from './insert-account.ts';

/** Names that people take for the product itself or for whoever runs it. */
const RESERVED = ['system', 'root', 'admin', 'superadmin', 'shell'];

/** Letters and digits that look alike, the first as the second. Usernames are ASCII, so there are no others. */
const ALIKE = { from: '01i_-', to: 'oll..' };

/** A name as it looks: two names with the same look are easily taken for each other. */
function lookOf(name: string): string {
  const letters = [...name.toLowerCase()].map((letter) => ALIKE.to[ALIKE.from.indexOf(letter)] ?? letter);
  return letters.join('').replaceAll('rn', 'm').replaceAll('vv', 'w');
}

/** SQL for the same. */
function lookSql(name: string): string {
  return `replace(replace(translate(lower(${name}), '${ALIKE.from}', '${ALIKE.to}'), 'rn', 'm'), 'vv', 'w')`;
}

/** The same without what stands between letters, and of more that look alike: nobody else is to pass for the product itself. */
function bareLook(name: string): string {
  return lookOf(name).replaceAll('.', '').replaceAll('5', 's').replaceAll('cl', 'd');
}

const RESERVED_LOOKS: ReadonlySet<string> = new Set(RESERVED.map(bareLook));

/**
 * Refuses a new account's name that people would take for somebody else: INVALID_INPUT for a reserved one, USERNAME_TAKEN for one that looks like the name
 * of a superadmin, or of a member of the staff of the network that it is to be in; for an admin, of another admin below the same superadmin.
 */
export async function requireOwnLook(tx: Tx, username: string, parent: Parent): Promise<void> {
  if (RESERVED_LOOKS.has(bareLook(username)))
    throw new CallError('INVALID_INPUT', { fields: { username: 'This username is reserved. Choose another' } });
  const [found] = await tx.query(
    `select from (
       select username from accounts where role = 'superadmin'
       union all select username from accounts where chain[2] = $1 and role in ('admin', 'superdistributor', 'distributor', 'retailer') and deleted_at is null
       union all select username from accounts where parent_id = $2 and role = 'admin' and deleted_at is null
     ) as staff where ${lookSql('username')} = $3 and lower(username) <> lower($4) limit 1`,
    [parent.chain[1] ?? null, parent.id, lookOf(username), username],
  );
  if (found)
    throw new CallError('USERNAME_TAKEN', {
      fields: { username: 'This username looks like that of a staff account. Choose another' },
    });
}
