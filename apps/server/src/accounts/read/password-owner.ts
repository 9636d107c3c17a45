import type { Queryable } from '../../platform/db/database.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { inSubtree } from '../../platform/db/predicate.ts';
import { pieceOf, sql } from '../../platform/db/sql/sql.ts';
import type { TargetName } from '../change/lock-target.ts';

export interface PasswordOwner {
  readonly username: string;
  readonly oldHash?: string;
}

export async function passwordOwner(on: Queryable, actorId: string, name: TargetName): Promise<PasswordOwner> {
  const [owner] = await on.query<{ username: string; password_hash: string }>(
    sql`select a.username, a.password_hash from accounts a
     where a.id = ${name.id} and a.role = ${name.role} and a.id <> ${actorId} and (${name.parentId ?? null}::uuid is null or a.parent_id = ${name.parentId ?? null}) and ${pieceOf(inSubtree('a', '$1'), actorId)}`,
  );
  if (!owner) throw new CallError('NOT_FOUND');
  return { username: owner.username, oldHash: owner.password_hash };
}
