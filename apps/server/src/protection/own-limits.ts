import { pauseAt } from '@drawhouse/rules/limits-in-force';
import { dayOf } from '@drawhouse/rules/zone-days';
import type { Queryable } from '../db/database.ts';
import { CallError } from '../http/http-errors.ts';
import { roomAt, takeRoom } from './known-players.ts';
import type { BetMoment, Room } from './known-players.ts';
import type { Standing, SumLimit } from './protection.sql.ts';
import { beyondWords, pauseWords } from './protection-words.ts';
import type { ProtectedPlayer } from './read-protected.ts';
import { readSignedInMs, readUsage } from './usage.ts';
import type { Period, Today, Usage } from './usage.ts';

/** The bets of a batch, as far as their players' own limits ask about them. */
export interface LimitedBatch extends Today {
  readonly networkId: number;
  readonly drawId: string;
  /** Those whose bets are judged who are protected; their wallets are locked. */
  readonly players: readonly ProtectedPlayer[];
  /** What each player would stake with all of its bets, in hundredths, by account; asked for where anybody is protected. */
  readonly stakes: () => ReadonlyMap<string, bigint>;
  /** The sessions by which the bets are laid, by their ids. */
  readonly sessions: ReadonlySet<string>;
}

/** The players' own limits on the bets of a batch. */
export interface OwnLimits {
  /** Why a stake, in hundredths, is beyond a limit of its player, with what is left; undefined where it is not. */
  refusalOf(accountId: string, stake: bigint): CallError | undefined;
  /** The accounts with a limit on time. */
  readonly timed: ReadonlySet<string>;
  /** Counts a stake that is taken. */
  count(accountId: string, stake: bigint): void;
  /** Keeps what room players have by now, once the stakes have been moved and are committed. */
  keep(this: void): void;
}

const NONE: OwnLimits = { refusalOf: () => undefined, timed: new Set(), count: () => {}, keep: () => {} };
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
  const { networkId, drawId, players } = batch;
  if (players.length === 0) return NONE;
  const moment = { day: dayOf(batch.at, batch.timeZone), drawId };
  const { spending, unsure, timed } = sortOut(players, moment, batch.stakes());
  const idsOf = (some: readonly ProtectedPlayer[]): string[] => some.map(({ id }) => id);
  const [used, signedInMs] = await Promise.all([
    unsure.length > 0 ? readUsage(on, networkId, idsOf(unsure), batch, drawId) : new Map<string, Usage>(),
    timed.length > 0 ? readSignedInMs(on, idsOf(timed), batch.sessions, batch) : new Map<string, number>(),
  ]);
  for (const player of unsure)
    spending.push({ player, room: roomOf(player, used.get(player.id)!, moment), before: player.wallet.balance });
  /** Those whose bets are judged one by one. */
  const judged = new Map([...unsure, ...timed].map(({ id, known }) => [id, known.standing]));
  const taken = new Map<string, bigint>();
  return {
    timed: new Set(idsOf(timed)),
    refusalOf(accountId, stake) {
      const standing = judged.get(accountId);
      if (!standing) return undefined;
      const usage = used.get(accountId);
      return (
        timeRefusal(standing.minutesPerDay, signedInMs.get(accountId) ?? 0) ??
        (usage && firstOf(standing.sums, (one) => sumRefusal(one, usage, taken.get(accountId) ?? 0n, stake)))
      );
    },
    count(accountId, stake) {
      if (used.has(accountId)) taken.set(accountId, (taken.get(accountId) ?? 0n) + stake);
    },
    keep() {
      for (const { player, room, before } of spending)
        takeRoom(player.known, room, before - player.wallet.balance, player.wallet.staked);
    },
  };
}

/** A player with limits on sums, the room that it has, and its credit before the batch. */
interface Spending {
  readonly player: ProtectedPlayer;
  readonly room: Room;
  readonly before: bigint;
}

/** Protected players by what has to be read: those with room for all of their bets, those whose use of limits on sums it depends on, and those with a limit on time. */
function sortOut(
  players: readonly ProtectedPlayer[],
  moment: BetMoment,
  stakes: ReadonlyMap<string, bigint>,
): { readonly spending: Spending[]; readonly unsure: ProtectedPlayer[]; readonly timed: ProtectedPlayer[] } {
  const spending: Spending[] = [];
  const [unsure, timed]: [ProtectedPlayer[], ProtectedPlayer[]] = [[], []];
  for (const player of players) {
    const { id, wallet, known } = player;
    const { sums, minutesPerDay } = known.standing;
    if (minutesPerDay !== null) timed.push(player);
    if (sums.length === 0) continue;
    const room = roomAt(known.room, moment, wallet.staked);
    if (room && (stakes.get(id) ?? 0n) <= room.left) spending.push({ player, room, before: wallet.balance });
    else unsure.push(player);
  }
  return { spending, unsure, timed };
}

/** The room that its limits on sums leave to a player who has used so much of them. */
function roomOf({ known, wallet: { staked } }: ProtectedPlayer, usage: Usage, moment: BetMoment): Room {
  const leftBy = (used: Usage): bigint =>
    known.standing.sums
      .map(({ name, limit }) => limit - USED[name](used))
      .reduce((least, left) => (left < least ? left : least));
  // What is open on another draw was not asked about: at the most it is all of it.
  return { ...moment, staked, left: leftBy(usage), elsewhere: leftBy({ ...usage, onDraw: usage.open }) };
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
