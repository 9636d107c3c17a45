import { randomFillSync, hash } from 'node:crypto';
import type { Clock } from '../../time/clock.ts';

/**
 * Time-ordered. `after`: id of a log's last row, perhaps from a server with its clock ahead; the result sorts just
 * above it, without affecting later ids.
 */
export type NewId = (after?: string) => string;

/**
 * RFC 9562: 48-bit milliseconds, 12-bit counter, random bits. Monotonic within a process, even if the clock steps back.
 */
export function createUuid7(clock: Clock): NewId {
  let lastMs = 0;
  let counter = 0;
  let time = timeOf(lastMs);
  return (after) => {
    const nowMs = clock.now().getTime();
    if (nowMs > lastMs || ++counter > 0xfff) {
      lastMs = Math.max(nowMs, lastMs + 1);
      counter = 0;
      time = timeOf(lastMs);
    }
    const id = newId(time, counter);
    if (after === undefined || id > after) return id;
    const aheadMs = msOf(after);
    const next = Number.parseInt(after.slice(15, 18), 16) + 1;
    return next > 0xfff ? newId(timeOf(aheadMs + 1), 0) : newId(timeOf(aheadMs), next);
  };
}

function newId(time: string, counter: number): string {
  return `${time}-7${counter.toString(16).padStart(3, '0')}-${randomEnd()}`;
}

const END_BYTES = 8;
/** Drawing random bytes per id would take 50 times as long. */
const pool = Buffer.alloc(512 * END_BYTES);
let used = pool.length;

function randomEnd(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  pool[used] = (pool[used]! & 0x3f) | 0x80;
  const hex = pool.toString('hex', used, (used += END_BYTES));
  return `${hex.slice(0, 4)}-${hex.slice(4)}`;
}

function timeOf(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** Precedes all ids created from this instant on. Clamped at 1970. */
export function leastIdAt(at: Date): string {
  return `${timeOf(Math.max(0, at.getTime()))}-7000-8000-000000000000`;
}

export function timeOfId(id: string): Date {
  return new Date(msOf(id));
}

function msOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** Version 8 (RFC 9562) from the first half of the name's SHA-256. Derived, so no lookup is needed. */
export function nameUuid(name: string): string {
  const hex = hash('sha256', name);
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function asUuid(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function uuidsIn(names: readonly string[]): string[] {
  return names.filter((name) => UUID.test(name));
}
