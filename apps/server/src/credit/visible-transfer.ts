import type { MovementKind as KindOutside } from '@drawhouse/contract/credit/credit';
import type { Role } from '@drawhouse/contract/core/primitives';
import { ROLE_NAMES } from '@drawhouse/contract/core/roles';
import type { Actor } from '../accounts/authority.ts';
import type { TransferKind } from '@drawhouse/rules/records/ledger-kinds';

export function toWireKind(kind: TransferKind): KindOutside {
  return kind === 'give' ? 'credit' : kind === 'takeBack' ? 'debit' : kind;
}

export function fromWireKind(kind: KindOutside): TransferKind {
  return kind === 'credit' ? 'give' : kind === 'debit' ? 'takeBack' : kind;
}

export interface Party {
  readonly id: string | null;
  readonly username: string;
  readonly role: Role;
  readonly visible: boolean;
}

/** Reveals only the role of accounts neither below nor directly above. */
export function nameFor(reader: Actor, { id, username, role, visible }: Party): string {
  return visible || id === reader.chain.at(-2) ? username : ROLE_NAMES[role];
}

/** Hides notes by outsiders, written before the account moved here. */
export function noteFor(reader: Actor, by: Party | null, note: string): string | null {
  const isForReader = by === null || by.visible || reader.chain.includes(by.id!);
  return isForReader && note !== '' ? note : null;
}
