import type { EventEmitter } from 'node:events';
import type { Clock } from './clock.ts';
import type { Database } from './db/database.ts';
import type { NewId } from './db/uuid7.ts';

/** Which panel: that of one game of one network. */
export interface PanelKey {
  readonly networkId: number;
  readonly gameKey: string;
}

/** Whose wallets in a network have changed. */
export interface MovedCredit {
  readonly networkId: number;
  readonly accountIds: readonly string[];
}

/** The same as it is told: who they are is worked out only where anybody wants to know. */
export interface ToldCredit {
  readonly networkId: number;
  accountIds(this: void): readonly string[];
}

/** A draw of a network that was settled, or is void. */
export interface PaidDraw {
  readonly networkId: number;
  readonly gameKey: string;
  readonly drawId: string;
}

/** Which sessions have ended. */
export type EndedSessions = { readonly ids: readonly string[] } | { readonly below: string };

/** What happens after a commit, for whoever shows it live. */
export interface Events {
  /** Something on this panel has changed: its stakes alone, or anything else besides. */
  panelChanged: [panel: PanelKey, what: 'stakes' | 'any'];
  /** Credit has moved from or to wallets of these accounts of a network. */
  creditMoved: [ToldCredit];
  /** A draw with tickets was settled, or its stakes went back: wallets of its players have changed. */
  drawPaid: [PaidDraw];
  /** These sessions have ended: by their ids, or all of an account and of everyone below it. */
  sessionsEnded: [EndedSessions];
  /** Sessions may have ended that nobody heard of: whoever knows some looks again. */
  sessionsMissed: [];
  /** This account is below another one now, and with it everyone below it. */
  accountMoved: [{ accountId: string }];
}

/** What every feature is given: the database, the time, ids, and the events that follow a commit. */
export interface Services {
  readonly db: Database;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly events: EventEmitter<Events>;
  /** The IANA time zone whose days reports and daily collections use. */
  readonly timeZone: string;
}
