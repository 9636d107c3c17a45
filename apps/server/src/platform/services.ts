import type { EventEmitter } from 'node:events';
import type { Team } from './cluster/team.ts';
import type { Clock } from './time/clock.ts';
import type { Database, Queryable } from './db/database.ts';
import type { NewId } from './db/sql/uuids.ts';

export interface PanelKey {
  readonly networkId: number;
  readonly gameKey: string;
}

export interface CreditChange {
  readonly networkId: number;
  readonly accountIds: readonly string[];
}

/** Accounts are computed only for listeners. */
export interface LazyCreditChange {
  readonly networkId: number;
  accountIds(this: void): readonly string[];
}

export interface PaidOutDraw {
  readonly networkId: number;
  readonly gameKey: string;
  readonly drawId: string;
}

export type EndedSessions = { readonly ids: readonly string[] } | { readonly below: string };

/** Emitted after commit, for live updates. */
export interface Events {
  /** `stakes`: only stakes changed. */
  panelChanged: [panel: PanelKey, what: 'stakes' | 'any'];
  creditMoved: [LazyCreditChange];
  /** Settled or refunded; its players' wallets changed. */
  drawPaid: [PaidOutDraw];
  sessionsEnded: [EndedSessions];
  /** Endings may have been missed; caches must check again. */
  sessionsMissed: [];
  accountMoved: [{ accountId: string }];
}

export interface Place {
  readonly cell: string;
  /** Counts the network's cells, so a restored cell knows that it is outdated. */
  readonly generation: number;
  /** The move that has closed the network, until one of both cells has it. */
  readonly moveId: string | null;
  /** Username of the admin, in lower case until its cell tells it. Empty if deleted. */
  readonly admin: string | null;
}

export interface Peer {
  readonly cell: string;
  /** Null until it has told where other cells reach it. */
  readonly address: string | null;
  /** Signs calls to it. */
  readonly secret: string;
  readonly firstNetwork: number;
  /** Usernames of its networks' admins. */
  readonly networks: readonly string[];
}

/** Where the networks of several cells live; see cells/directory.ts. Undefined without a group. */
export interface Directory {
  readonly cell: string;
  /**
   * Reserves lower-case usernames and unique ids for a network of this cell, null for its superadmins. Returns those
   * that no other cell has. Check first that no account here has them.
   */
  reserve(this: void, network: string | null, values: readonly string[]): Promise<ReadonlySet<string>>;
  couldReserve(this: void, values: readonly string[]): Promise<ReadonlySet<string>>;
  cellOf(this: void, network: string): Promise<string | undefined>;
  placeOf(this: void, network: string): Promise<Place | undefined>;
  elsewhere(
    this: void,
    networks: readonly string[],
  ): Promise<readonly { readonly network: string; readonly cell: string; readonly generation: number }[]>;
  /** Ends an undecided move, so the network stays here. Returns false if it is decided. */
  cancelMove(this: void, network: string, moveId: string): Promise<boolean>;
  /** Cell that signs a username in. Unknown names have one too, so the answer tells nothing about them. */
  cellOfName(this: void, username: string): Promise<string>;
  /** Asks all other cells for their generations. Returns those that have not answered this question yet. */
  silentCells(this: void, question: string): Promise<readonly string[]>;
  /** Enters this cell's networks with their names and generations. */
  enter(this: void, on: Queryable): Promise<void>;
  /** Enters them if another cell has asked. */
  answer(this: void, on: Queryable): Promise<void>;
  nextCell(this: void): Promise<string>;
  /** Enters the names of this cell's networks, and the address where other cells reach it. */
  announce(this: void, on: Queryable, address?: string): Promise<void>;
  /** All other cells, as last known if the directory is away. Throws NOT_READY if it never answered. */
  peers(this: void): Promise<readonly Peer[]>;
  /** Signs calls to this cell. Undefined if the directory is away or new. */
  ownSecret(this: void): Promise<string | undefined>;
}

export interface Services {
  readonly db: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly events: EventEmitter<Events>;
  /** IANA name; day boundaries of reports and daily collections. */
  readonly timeZone: string;
  readonly publicUrl?: string | undefined;
  readonly superadminFactor?: boolean | undefined;
  readonly team?: Team | undefined;
  readonly directory?: Directory | undefined;
}
