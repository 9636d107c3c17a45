import { pauseAt } from '@drawhouse/rules/limits-in-force';
import type { ProtectionLimitName } from '@drawhouse/rules/limits-in-force';
import { dayOf } from '../clock.ts';
import type { Queryable } from '../db/database.ts';
import { CallError } from '../http/http-errors.ts';
import type { KnownUsage, UsageMoment } from './known-usage.ts';
import type { Standing } from './protection.sql.ts';
import { beyondWords, pauseWords } from './protection-words.ts';
import { readSignedInMs, readUsage } from './usage.ts';
import type { Period, Today, Usage } from './usage.ts';

/** The bets of a batch, as far as their players' own limits ask about them. */
export interface LimitedBatch extends Today {
  readonly networkId: number;
  readonly drawId: string;
  /** By account; whoever is not protected is left out. */
  readonly standings: ReadonlyMap<string, Standing>;
  /** The credit wallets of the players that are locked, by account: nobody else's bets are judged. */
  readonly wallets: ReadonlyMap<string, { readonly version: bigint }>;
  /** What this server knows of what they have used. */
  readonly known: KnownUsage;
  /** What each player would stake with all of its bets, in hundredths. */
  readonly stakes: ReadonlyMap<string, bigint>;
  /** The sessions by which the bets are laid, by their ids. */
  readonly sessions: ReadonlySet<string>;
}

/** The players' own limits on the bets of a batch. */
export interface OwnLimits {
  /** Why a stake, in hundredths, is beyond a limit of its player, with what is left; undefined where it is not. */
  refusalOf(accountId: string, stake: bigint): CallError | undefined;
  /** Counts a stake that is taken. */
  count(accountId: string, stake: bigint): void;
  /** Keeps what players have used by now, once what was counted is committed. */
  keep(this: void): void;
}

const NONE: OwnLimits = { refusalOf: () => undefined, count: () => {}, keep: () => {} };
const MINUTE_MS = 60_000n;

/** Why a player may lay no bet at an instant because of a break or an exclusion; undefined where it may. */
export function pauseRefusal(standing: Standing | undefined, { at, timeZone }: Today): CallError | undefined {
  const pause = standing && pauseAt(standing, at);
  return pause ? new CallError('ON_BREAK', { message: pauseWords(pause, timeZone) }) : undefined;
}

/**
 * Reads what players with limits of their own have used of them; nothing where there is none, nor of whom it is known that all of its bets keep to them.
 * Their wallets are locked: nobody adds to it meanwhile.
 */
export async function readOwnLimits(on: Queryable, batch: LimitedBatch): Promise<OwnLimits> {
  const { networkId, drawId, wallets, known } = batch;
  const limited = [...batch.standings].filter(([id, { limits }]) => wallets.has(id) && Object.keys(limits).length > 0);
  if (limited.length === 0) return NONE;
  const timed = limited.flatMap(([id, { limits }]) => (limits.minutesPerDay === undefined ? [] : [id]));
  const day = dayOf(batch.at, batch.timeZone);
  const momentOf = (id: string): UsageMoment => ({ day, drawId, version: wallets.get(id)!.version });
  const usage = new Map<string, Usage>();
  const summed: string[] = [];
  for (const [id, { limits }] of limited) {
    if (summedOf(limits).length === 0) continue;
    const most = known.atMost({ networkId, id }, momentOf(id));
    if (most && staysWithin(limits, most, batch.stakes.get(id) ?? 0n)) usage.set(id, most);
    else summed.push(id);
  }
  const [read, signedInMs] = await Promise.all([
    summed.length > 0 ? readUsage(on, networkId, summed, batch, drawId) : new Map<string, Usage>(),
    timed.length > 0 ? readSignedInMs(on, timed, batch.sessions, batch) : new Map<string, number>(),
  ]);
  for (const [id, used] of read) usage.set(id, used);
  const taken = new Map<string, bigint>();
  return {
    refusalOf(accountId, stake) {
      const limits = batch.standings.get(accountId)?.limits;
      if (!limits) return undefined;
      const spent = { usage: usage.get(accountId), taken: taken.get(accountId) ?? 0n };
      return (
        timeRefusal(limits.minutesPerDay, signedInMs.get(accountId) ?? 0) ??
        firstOf(summedOf(limits), (one) => sumRefusal(one, spent, stake))
      );
    },
    count(accountId, stake) {
      if (batch.standings.has(accountId)) taken.set(accountId, (taken.get(accountId) ?? 0n) + stake);
    },
    keep() {
      for (const [id, used] of usage) known.keep({ networkId, id }, momentOf(id), used, taken.get(id) ?? 0n);
    },
  };
}

/** Whether a player that has used so much can stake so much more without going beyond a limit. */
function staysWithin(limits: Standing['limits'], usage: Usage, stake: bigint): boolean {
  return summedOf(limits).every(({ limit, of }) => of(usage) + stake <= limit);
}

/** A limit on a sum of stakes or losses, in hundredths, and what counts for it. */
interface SummedLimit {
  readonly name: Exclude<ProtectionLimitName, 'minutesPerDay'>;
  readonly limit: bigint;
  readonly of: (usage: Usage) => bigint;
}

const summedLimits = new WeakMap<Standing['limits'], readonly SummedLimit[]>();

/** The limits on sums that are set, of limits which are read once for all who have the same. */
function summedOf(limits: Standing['limits']): readonly SummedLimit[] {
  const known = summedLimits.get(limits);
  if (known) return known;
  const set = SUMMED.flatMap(([name, of]) => {
    const limit = limits[name];
    return limit === undefined ? [] : [{ name, limit, of }];
  });
  summedLimits.set(limits, set);
  return set;
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
const SUMMED: readonly (readonly [Exclude<ProtectionLimitName, 'minutesPerDay'>, (usage: Usage) => bigint])[] = [
  ['stakePerDraw', ({ onDraw }) => onDraw],
  ['stakePerDay', (usage) => stakedIn(usage, 'day')],
  ['stakePerWeek', (usage) => stakedIn(usage, 'week')],
  ['stakePerMonth', (usage) => stakedIn(usage, 'month')],
  ['lossPerDay', (usage) => lostIn(usage, 'day')],
  ['lossPerWeek', (usage) => lostIn(usage, 'week')],
  ['lossPerMonth', (usage) => lostIn(usage, 'month')],
];

/** What a player has staked in a period, in hundredths. */
export function stakedIn({ staked, open }: Usage, period: Period): bigint {
  return staked[period] + open;
}

/** What a player has lost in a period, in hundredths; below zero where it has won. */
export function lostIn({ staked, won, open }: Usage, period: Period): bigint {
  return staked[period] - won[period] + open;
}

function sumRefusal(
  { name, limit, of }: SummedLimit,
  { usage, taken }: { readonly usage: Usage | undefined; readonly taken: bigint },
  stake: bigint,
): CallError | undefined {
  if (!usage) return undefined;
  const used = of(usage) + taken;
  if (used + stake <= limit) return undefined;
  const { message, left } = beyondWords(name, limit, limit - used);
  return new CallError('OWN_LIMIT', { message, fields: { lines: left } });
}

function timeRefusal(limit: bigint | undefined, usedMs: number): CallError | undefined {
  if (limit === undefined || BigInt(usedMs) < limit * MINUTE_MS) return undefined;
  return new CallError('OWN_LIMIT', { message: beyondWords('minutesPerDay', limit, 0n).message });
}
