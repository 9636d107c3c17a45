import type { EventEmitter } from 'node:events';
import type { Team } from './cluster/team.ts';
import type { Clock } from './time/clock.ts';
import type { Database } from './db/database.ts';
import type { NewId } from './db/sql/uuids.ts';

export interface PanelKey {
  readonly networkId: number;
  readonly gameKey: string;
}

export interface CreditChange {
  readonly networkId: number;
  readonly accountIds: readonly string[];
}

/** Lazy variant: accounts are computed only for listeners. */
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

export interface Services {
  readonly db: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly events: EventEmitter<Events>;
  /** IANA name; day boundaries of reports and daily collections. */
  readonly timeZone: string;
  /** The other serving processes of this server. Undefined: there are none. */
  readonly team?: Team | undefined;
}
