import { pauseAt } from '@drawhouse/rules/records/limits-in-force';
import { dayOf } from '@drawhouse/rules/time/zone-days';
import type { Queryable } from '../platform/db/database.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { allowanceAt, useAllowance, type BetMoment, type Allowance } from './player-cache.ts';
import type { Standing, SumLimit } from './protection.sql.ts';
import { beyondWords, pauseWords } from './protection-texts.ts';
import type { ProtectedPlayer } from './player-standing.ts';
import { readSignedInMs, readUsage, type Period, type Today, type Usage } from './usage.ts';

export interface LimitedBatch extends Today {
  readonly networkId: number;
  readonly drawId: string;
  readonly players: readonly ProtectedPlayer[];
  /** Total per account. Called only if someone is protected. */
  readonly stakes: () => ReadonlyMap<string, bigint>;
  readonly sessions: ReadonlySet<string>;
}

export interface OwnLimits {
  /** Names the remaining amount. */
  refusalOf(accountId: string, stake: bigint): CallError | undefined;
  readonly timed: ReadonlySet<string>;
  count(accountId: string, stake: bigint): void;
  /** Caches remaining amounts; call after the stakes commit. */
  keep(this: void): void;
}

const NONE: OwnLimits = { refusalOf: () => undefined, timed: new Set(), count: () => {}, keep: () => {} };
const MINUTE_MS = 60_000n;

export function pauseRefusal(standing: Standing, { at, timeZone }: Today): CallError | undefined {
  const pause = pauseAt(standing, at);
  return pause ? new CallError('ON_BREAK', { message: pauseWords(pause, timeZone) }) : undefined;
}

/** Skips players whose cached remainder covers the whole batch. Requires wallet locks, which freeze use. */
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
        useAllowance(player.known, room, before - player.wallet.balance, player.wallet.staked);
    },
  };
}

interface Spending {
  readonly player: ProtectedPlayer;
  readonly room: Allowance;
  readonly before: bigint;
}

/**
 * Groups players by required reads: a sufficient remainder needs none, sum limits need usage, time limits need
 * sessions.
 */
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
    const room = allowanceAt(known.room, moment, wallet.staked);
    if (room && (stakes.get(id) ?? 0n) <= room.left) spending.push({ player, room, before: wallet.balance });
    else unsure.push(player);
  }
  return { spending, unsure, timed };
}

function roomOf({ known, wallet: { staked } }: ProtectedPlayer, usage: Usage, moment: BetMoment): Allowance {
  const leftBy = (used: Usage): bigint =>
    known.standing.sums
      .map(({ name, limit }) => limit - USED[name](used))
      .reduce((least, left) => (left < least ? left : least));
  // Open stakes on other draws were not read per draw; assume all on one.
  return { ...moment, staked, left: leftBy(usage), elsewhere: leftBy({ ...usage, onDraw: usage.open }) };
}

function firstOf<T>(all: readonly T[], refusalOf: (one: T) => CallError | undefined): CallError | undefined {
  for (const one of all) {
    const refusal = refusalOf(one);
    if (refusal) return refusal;
  }
  return undefined;
}

/** Open stakes count as lost until settlement. */
const USED: Readonly<Record<SumLimit['name'], (usage: Usage) => bigint>> = {
  stakePerDraw: ({ onDraw }) => onDraw,
  stakePerDay: (usage) => stakedIn(usage, 'day'),
  stakePerWeek: (usage) => stakedIn(usage, 'week'),
  stakePerMonth: (usage) => stakedIn(usage, 'month'),
  lossPerDay: (usage) => lostIn(usage, 'day'),
  lossPerWeek: (usage) => lostIn(usage, 'week'),
  lossPerMonth: (usage) => lostIn(usage, 'month'),
};

export function stakedIn({ staked, open }: Usage, period: Period): bigint {
  return staked[period] + open;
}

/** Negative after net wins. */
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
