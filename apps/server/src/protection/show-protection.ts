import { pointsOf } from '@drawhouse/contract/core/primitives';
import type { ProtectionEntry, ShownLimit, ShownProtection } from '@drawhouse/contract/players/protection';
import {
  revocableExclusion,
  EXCLUSION_ENDABLE_MS,
  LIMIT_NAMES,
  limitInForce,
  pauseAt,
  protectionOf,
  limitSetter,
  type LimitValue,
  type Protection,
  type ProtectionLimitName,
} from '@drawhouse/rules/records/limits-in-force';
import type { Queryable } from '../platform/db/database.ts';
import type { Services } from '../platform/services.ts';
import { lostIn, stakedIn } from './own-limits.ts';
import { listHistory, readHistory, toChange, type PlayerKey } from './protection.sql.ts';
import { readSignedInMs, readUsage, type Usage } from './usage.ts';

const MINUTE_MS = 60_000;
const NO_SESSIONS: ReadonlySet<string> = new Set();

/** Players and managers see this. `acting`: the player's requesting session. */
export async function showProtection(
  { clock, timeZone }: Pick<Services, 'clock' | 'timeZone'>,
  on: Queryable,
  player: PlayerKey,
  acting: ReadonlySet<string> = NO_SESSIONS,
): Promise<ShownProtection> {
  const at = clock.now();
  const today = { at, timeZone };
  const protection = protectionOf((await readHistory(on, player)).map(toChange));
  const usage = (await readUsage(on, player.networkId, [player.id], today)).get(player.id)!;
  const signedInMs = (await readSignedInMs(on, [player.id], acting, today)).get(player.id) ?? 0;
  const minutes = Math.floor(signedInMs / MINUTE_MS);
  const untilText = (until: Date | null): string | null => (until !== null && at < until ? until.toISOString() : null);
  const endable = revocableExclusion(protection, at);
  return {
    serverTime: at.toISOString(),
    timeZone,
    limits: LIMIT_NAMES.map((name) => showLimit(name, protection, usedOf(name, usage, minutes))),
    breakUntil: pauseAt(protection, at)?.what === 'break' ? untilText(protection.breakUntil) : null,
    excludedUntil: untilText(protection.excludedUntil),
    exclusionEndableUntil: endable ? new Date(endable.at.getTime() + EXCLUSION_ENDABLE_MS).toISOString() : null,
    today: {
      staked: pointsOf(usage.staked.day),
      won: pointsOf(usage.won.day),
      open: pointsOf(usage.open),
      minutes,
    },
  };
}

function showLimit(name: ProtectionLimitName, { limits }: Protection, used: LimitValue): ShownLimit {
  const shown = (value: LimitValue): number | null =>
    value === null ? null : name === 'minutesPerDay' ? Number(value) : pointsOf(value);
  const limit = limits[name];
  const { player, manager, pending } = limit;
  const value = limitInForce(limit);
  return {
    limit: name,
    value: shown(value),
    own: shown(player),
    managers: shown(manager),
    setBy: limitSetter(limit),
    pending: pending && {
      value: shown(pending.value),
      askedAt: pending.askedAt.toISOString(),
      from: pending.from.toISOString(),
    },
    used: shown(used),
    left: value === null || used === null ? null : shown(used < value ? value - used : 0n),
  };
}

/** Returns hundredths or minutes; null for per-draw limits. */
function usedOf(name: ProtectionLimitName, usage: Usage, minutes: number): LimitValue {
  switch (name) {
    case 'stakePerDraw':
      return null;
    case 'stakePerDay':
      return stakedIn(usage, 'day');
    case 'stakePerWeek':
      return stakedIn(usage, 'week');
    case 'stakePerMonth':
      return stakedIn(usage, 'month');
    case 'lossPerDay':
      return lostIn(usage, 'day');
    case 'lossPerWeek':
      return lostIn(usage, 'week');
    case 'lossPerMonth':
      return lostIn(usage, 'month');
    case 'minutesPerDay':
      return BigInt(minutes);
  }
}

export interface HistoryPage {
  readonly page?: number | undefined;
  readonly pageSize?: number | undefined;
}

/** Players see authors only as above them, without reasons. */
export async function showHistory(
  on: Queryable,
  player: PlayerKey,
  { page = 1, pageSize = 50 }: HistoryPage,
  viewer: 'player' | 'manager',
): Promise<{ data: ProtectionEntry[]; total: number }> {
  const { rows, total } = await listHistory(on, player, { limit: pageSize, offset: (page - 1) * pageSize });
  const data = rows.map((row): ProtectionEntry => {
    const shown = (value: LimitValue): number | null =>
      value === null ? null : row.what === 'minutesPerDay' ? Number(value) : pointsOf(value);
    const isHidden = viewer === 'player' && row.side === 'manager';
    return {
      at: row.at.toISOString(),
      what: row.what,
      side: row.side,
      step: row.step,
      from: row.holds_from.toISOString(),
      before: shown(row.before),
      after: shown(row.after),
      until: row.until?.toISOString() ?? null,
      length: row.length,
      by: isHidden ? 'Manager' : (row.by_name ?? 'Deleted account'),
      reason: isHidden ? '' : row.reason,
    };
  });
  return { data, total };
}
