import { pauseAt } from '@drawhouse/rules/limits-in-force';
import { dayOf } from '../clock.ts';
import type { Queryable } from '../db/database.ts';
import { CallError } from '../http/http-errors.ts';
import type { LockedCredit } from '../ledger/stakes.ts';
import { roomAfter, roomAt } from './known-players.ts';
import type { BetMoment, KnownPlayer, Room } from './known-players.ts';
import type { Standing, SumLimit } from './protection.sql.ts';
import { beyondWords, pauseWords } from './protection-words.ts';
import { readSignedInMs, readUsage } from './usage.ts';
import type { Period, Today, Usage } from './usage.ts';

/** The bets of a batch, as far as their players' own limits ask about them. */
export interface LimitedBatch extends Today {
  readonly networkId: number;
  readonly drawId: string;
  /** Those whose bets are judged who are protected, by account. */
  readonly players: ReadonlyMap<string, KnownPlayer>;
  /** Their credit wallets, which are locked, by account. */
  readonly wallets: ReadonlyMap<string, Pick<LockedCredit, 'staked'>>;
  /** What each player would stake with all of its bets, in hundredths; asked for where anybody is protected. */
  readonly stakes: () => ReadonlyMap<string, bigint>;
  /** The sessions by which the bets are laid, by their ids. */
  readonly sessions: ReadonlySet<string>;
}

/** The players' own limits on the bets of a batch. */
export interface OwnLimits {
  /** Why a stake, in hundredths, is beyond a limit of its player, with what is left; undefined where it is not. */
  refusalOf(accountId: string, stake: bigint): CallError | undefined;
  /** Counts a stake that is taken. */
  count(accountId: string, stake: bigint): void;
  /** Keeps what room players have by now, once what was counted is committed. */
  keep(this: void): void;
}

const NONE: OwnLimits = { refusalOf: () => undefined, count: () => {}, keep: () => {} };
const MINUTE_MS = 60_000n;

/** Why a player may lay no bet at an instant because of a break or an exclusion; undefined where it may. */
export function pauseRefusal(standing: Standing, { at, timeZone }: Today): CallError | undefined {
  const pause = pauseAt(standing, at);
  return pause ? new CallError('ON_BREAK', { message: pauseWords(pause, timeZone) }) : undefined;
}

/**
 * Reads what players with limits of their own have used of them; nothing where there is none, nor of whom it is known that there is room for all of its bets.
 * Their wallets are locked: nobody adds to it meanwhile.
 */
export async function readOwnLimits(on: Queryable, batch: LimitedBatch): Promise<OwnLimits> {
  const { networkId, drawId, players, wallets } = batch;
  if (players.size === 0) return NONE;
  const day = dayOf(batch.at, batch.timeZone);
  const momentOf = (id: string): BetMoment => ({ day, drawId, staked: wallets.get(id)!.staked });
  const { rooms, unsure, timed } = sortOut(players, batch.stakes(), momentOf);
  const [used, signedInMs] = await Promise.all([
    unsure.length > 0 ? readUsage(on, networkId, unsure, batch, drawId) : new Map<string, Usage>(),
    timed.length > 0 ? readSignedInMs(on, timed, batch.sessions, batch) : new Map<string, number>(),
  ]);
  for (const [id, usage] of used) rooms.set(id, roomOf(players.get(id)!.standing.sums, usage, momentOf(id)));
  const taken = new Map<string, bigint>();
  return {
    refusalOf(accountId, stake) {
      const standing = players.get(accountId)?.standing;
      if (!standing) return undefined;
      const usage = used.get(accountId);
      return (
        timeRefusal(standing.minutesPerDay, signedInMs.get(accountId) ?? 0) ??
        (usage && firstOf(standing.sums, (one) => sumRefusal(one, usage, taken.get(accountId) ?? 0n, stake)))
      );
    },
    count(accountId, stake) {
      if (rooms.has(accountId)) taken.set(accountId, (taken.get(accountId) ?? 0n) + stake);
    },
    keep() {
      for (const [id, room] of rooms)
        players.get(id)!.room = roomAfter(room, taken.get(id) ?? 0n, wallets.get(id)!.staked);
    },
  };
}

/** Protected players by what has to be read: those with room for all of their bets, those whose use of limits on sums it depends on, and those with a limit on time. */
function sortOut(
  players: ReadonlyMap<string, KnownPlayer>,
  stakes: ReadonlyMap<string, bigint>,
  momentOf: (id: string) => BetMoment,
): { readonly rooms: Map<string, Room>; readonly unsure: string[]; readonly timed: string[] } {
  const rooms = new Map<string, Room>();
  const [unsure, timed]: [string[], string[]] = [[], []];
  for (const [id, { standing, room: last }] of players) {
    if (standing.minutesPerDay !== null) timed.push(id);
    if (standing.sums.length === 0) continue;
    const room = roomAt(last, momentOf(id));
    if (room && (stakes.get(id) ?? 0n) <= room.left) rooms.set(id, room);
    else unsure.push(id);
  }
  return { rooms, unsure, timed };
}

/** The room that limits on sums leave to who has used so much of them. */
function roomOf(sums: readonly SumLimit[], usage: Usage, moment: BetMoment): Room {
  const leftBy = (used: Usage): bigint =>
    sums.map(({ name, limit }) => limit - USED[name](used)).reduce((least, left) => (left < least ? left : least));
  // What is open on another draw was not asked about: at the most it is all of it.
  return { ...moment, left: leftBy(usage), elsewhere: leftBy({ ...usage, onDraw: usage.open }) };
}

/** The first refusal among several. */
function firstOf<T>(all: readonly T[], refusalOf: (one: T) => CallError | undefined): CallError | undefined {
  for (const one of all) {
    const refusal = refusalOf(one);
    if (refusal) return refusal;
  }
  return undefined;
}

/** What of a player's stakes and wins counts for each limit but that of time; what is open counts as lost until its draw is settled. */
const USED: Readonly<Record<SumLimit['name'], (usage: Usage) => bigint>> = {
  stakePerDraw: ({ onDraw }) => onDraw,
  stakePerDay: (usage) => stakedIn(usage, 'day'),
  stakePerWeek: (usage) => stakedIn(usage, 'week'),
  stakePerMonth: (usage) => stakedIn(usage, 'month'),
  lossPerDay: (usage) => lostIn(usage, 'day'),
  lossPerWeek: (usage) => lostIn(usage, 'week'),
  lossPerMonth: (usage) => lostIn(usage, 'month'),
};

/** What a player has staked in a period, in hundredths. */
export function stakedIn({ staked, open }: Usage, period: Period): bigint {
  return staked[period] + open;
}

/** What a player has lost in a period, in hundredths; below zero where it has won. */
export function lostIn({ staked, won, open }: Usage, period: Period): bigint {
  return staked[period] - won[period] + open;
}

function sumRefusal({ name, limit }: SumLimit, usage: Usage, taken: bigint, stake: bigint): CallError | undefined {
  const used = USED[name](usage) + taken;
  if (used + stake <= limit) return undefined;
  const { message, left } = beyondWords(name, limit, limit - used);
  return new CallError('OWN_LIMIT', { message, fields: { lines: left } });
}

function timeRefusal(limit: bigint | null, usedMs: number): CallError | undefined {
  if (limit === null || BigInt(usedMs) < limit * MINUTE_MS) return undefined;
  return new CallError('OWN_LIMIT', { message: beyondWords('minutesPerDay', limit, 0n).message });
}
