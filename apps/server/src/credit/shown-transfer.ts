import type { MovementKind as KindOutside } from '@drawhouse/contract/credit/credit';
import type { Role } from '@drawhouse/contract/frame/primitives';
import { ROLE_NAMES } from '@drawhouse/contract/frame/role-names';
import type { Actor } from '../accounts/authority.ts';
import type { TransferKind } from '@drawhouse/rules/ledger-kinds';

/** The words of the calls for what goes down and up the tree. */
export function kindOutside(kind: TransferKind): KindOutside {
  return kind === 'give' ? 'credit' : kind === 'takeBack' ? 'debit' : kind;
}

/** The kind that a call means. */
export function kindInside(kind: KindOutside): TransferKind {
  return kind === 'credit' ? 'give' : kind === 'debit' ? 'takeBack' : kind;
}

/** An account that a transfer names. */
export interface Party {
  readonly id: string | null;
  readonly username: string;
  readonly role: Role;
  /** Whether it is at or below the reader. */
  readonly visible: boolean;
}

/** What a reader knows an account by: one that is neither below it nor directly above is called by its role. */
export function nameFor(reader: Actor, { id, username, role, visible }: Party): string {
  return visible || id === reader.chain.at(-2) ? username : ROLE_NAMES[role];
}

/** The note of whoever made a transfer: what somebody outside the chain wrote, before the account was moved here, was not for this reader. */
export function noteFor(reader: Actor, by: Party | null, note: string): string | null {
  const isForReader = by === null || by.visible || reader.chain.includes(by.id!);
  return isForReader && note !== '' ? note : null;
}
