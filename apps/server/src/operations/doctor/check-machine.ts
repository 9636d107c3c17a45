import { once } from 'node:events';
import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { fault, type Finding, localText, ok, reasonOf, timeText, warning } from './findings.ts';
import { sizeText } from '../../backup/keep/disk-space.ts';
import type { Config } from '../../config/config.ts';
import { isNearlyFull } from '../../platform/disks.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { CLOCK_AHEAD_MS } from '../../settlement/correct-clock.ts';
import { sql } from '../../platform/db/sql/sql.ts';

const ASK_MS = 3_000;

export type AtPort =
  | { readonly who: 'nobody' }
  | { readonly who: 'other' }
  | { readonly who: 'guarded' }
  /** `status` is its readiness, `sealKey` the key of its newest seals. */
  | { readonly who: 'drawhouse'; readonly status: string; readonly sealKey: string | undefined };

export interface ListeningPlace {
  readonly setting: string;
  readonly host: string;
  readonly port: number;
}

export function addressOf({ host, port }: Omit<ListeningPlace, 'setting'>): string {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

async function ask(
  address: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; text: string }> {
  const response = await fetch(address, { headers, signal: AbortSignal.timeout(ASK_MS), redirect: 'manual' });
  return { status: response.status, text: await response.text() };
}

export async function probePort(place: ListeningPlace): Promise<AtPort> {
  const address = addressOf(place);
  // A silent listener shows up when trying to listen.
  const alive = await ask(`${address}/healthz`).catch(() => undefined);
  if (!alive) return { who: 'nobody' };
  const isOurs = /^\{"success":true,"database":"(?:reached|unreachable)"\}$/.test(alive.text);
  if (!isOurs) return { who: 'other' };
  const [ready, key] = await Promise.all(
    [`${address}/readyz`, `${address}/seals/key`].map((one) => ask(one).catch(() => undefined)),
  );
  const status = /"status":"([^"]*)"/.exec(ready?.text ?? '')?.[1] ?? 'it does not answer in time';
  return { who: 'drawhouse', status, sealKey: key?.status === 200 ? key.text.trim() : undefined };
}

/** `METRICS_PORT` is separate per server. */
export async function probeMetricsPort(place: ListeningPlace, token: string | undefined): Promise<AtPort> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const found = await ask(`${addressOf(place)}/metrics`, headers).catch(() => undefined);
  if (!found) return { who: 'nobody' };
  if (found.status === 401 && found.text.includes('METRICS_TOKEN')) return { who: 'guarded' };
  const isOurs = found.text.includes('drawhouse_build_info');
  return isOurs ? { who: 'drawhouse', status: 'ready', sealKey: undefined } : { who: 'other' };
}

async function whyNotListen({ host, port }: ListeningPlace): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? reasonOf(error);
  } finally {
    server.close();
  }
}

export async function checkPort(place: ListeningPlace, at: AtPort, ownSealKey: string | undefined): Promise<Finding> {
  const { setting, host, port } = place;
  const where = `${setting} ${port} of ${host}`;
  const another = `Stop it, or set ${setting} to another port.`;
  if (at.who === 'other') return fault('ports', `${where} is in use by another program.`, another);
  if (at.who === 'guarded')
    return fault(
      'ports',
      `${where} is in use by a Drawhouse server with another METRICS_TOKEN.`,
      `If it is this server, restart it with the current METRICS_TOKEN. Otherwise set ${setting} to another port.`,
    );
  if (at.who === 'drawhouse') {
    const isOther = ownSealKey !== undefined && at.sealKey !== undefined && ownSealKey !== at.sealKey;
    return isOther
      ? fault('ports', `${where} is in use by a server of another Drawhouse installation.`, another)
      : ok(
          'ports',
          `${where} is in use by ${ownSealKey !== undefined && at.sealKey === ownSealKey ? 'the server' : 'a server of Drawhouse'}.`,
        );
  }
  const code = await whyNotListen(place);
  if (code === undefined) return ok('ports', `${where} is free.`);
  if (code === 'EACCES')
    return fault(
      'ports',
      `This user can't listen on ${where}.`,
      `Set ${setting} to 1024 or more and put a proxy in front, or grant the server CAP_NET_BIND_SERVICE.`,
    );
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return fault(
      'ports',
      `This machine does not have the address ${host}.`,
      `Set ${setting.replace('PORT', 'HOST')} to one that it has: 127.0.0.1 behind a proxy, 0.0.0.0 for all.`,
    );
  if (code === 'EADDRINUSE')
    return fault(
      'ports',
      `${where} is in use by a program that does not answer.`,
      `Find the program: ss -ltnp. ${another}`,
    );
  return warning('ports', `Can’t listen on ${where}: ${code}.`, another);
}

/** Below this the disk fills up within hours. */
const LEAST_BYTES = 200e6;
const LEAST_FILES = 1_000;

interface WrittenFolder {
  readonly name: string;
  readonly folder: string;
  readonly isMade?: boolean;
}

export function foldersOfSettings({ dataDir, sealDir, backupDir, backupTransfer }: Config): WrittenFolder[] {
  return [
    { name: 'DATA_DIR', folder: dataDir },
    { name: 'SEAL_DIR', folder: sealDir },
    { name: 'BACKUP_DIR', folder: backupDir },
    ...(backupTransfer?.kind === 'file'
      ? [{ name: 'BACKUP_TRANSFER_URL', folder: backupTransfer.folder, isMade: true }]
      : []),
  ];
}

/** Uses the nearest existing parent of a missing folder. Writes nothing. */
export async function checkFolder({ name, folder, isMade }: WrittenFolder): Promise<Finding> {
  const existing = await nearest(folder);
  const where = `${name} (${folder})`;
  if (isMade && existing !== folder)
    return fault(
      'disk',
      `${where} does not exist.`,
      'Mount its disk, or create the folder. It is never created automatically.',
    );
  try {
    await access(existing, constants.W_OK | constants.X_OK);
  } catch (error) {
    return fault(
      'disk',
      `${where} can’t be written to: ${reasonOf(error)}.`,
      "Let the server's user write there. (Checked as the user running this command.)",
    );
  }
  const { bavail, bsize, blocks, files, ffree } = await statfs(existing);
  const room = { free: bavail * bsize, size: blocks * bsize, moreFiles: files > 0 ? ffree : undefined };
  return judgeRoom(where, room, existing === folder ? '' : '; it will be created when needed');
}

interface Room {
  readonly free: number;
  readonly size: number;
  readonly moreFiles: number | undefined;
}

export function judgeRoom(where: string, { free, size, moreFiles }: Room, also = ''): Finding {
  const room = `${sizeText(free)} of ${sizeText(size)} free`;
  const toDo =
    'Free space there, or move the folder to a larger disk. On a full disk PostgreSQL stops, and no bets are taken.';
  if (free < LEAST_BYTES) return fault('disk', `${where}: ${room}.`, toDo);
  if (isNearlyFull({ free, size })) return warning('disk', `${where}: ${room}.`, toDo);
  if (moreFiles !== undefined && moreFiles < LEAST_FILES)
    return warning('disk', `${where}: space for only ${moreFiles} more files.`, 'Delete unneeded files there.');
  return ok('disk', `${where}: ${room}${also}.`);
}

async function nearest(folder: string): Promise<string> {
  const isThere = await access(folder, constants.F_OK).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  );
  const above = path.dirname(folder);
  return isThere || above === folder ? folder : nearest(above);
}

/** NTP keeps clocks closer than this. */
const APART_MS = 2_000;
const FAR_APART_MS = 60_000;

interface Times {
  /** Local clock minus PostgreSQL's, in milliseconds, net of the round trip. */
  readonly aheadMs: number;
  readonly now: Date;
  readonly newest: Date | undefined;
  /** Correction time after a wrong clock. */
  readonly corrected?: Date | undefined;
}

export async function readAheadMs(db: Queryable, clock: Clock): Promise<number> {
  const before = clock.now().getTime();
  const [row] = await db.query<{ now: Date }>(sql`select clock_timestamp() as now`);
  const after = clock.now().getTime();
  const databaseMs = row!.now.getTime();
  return databaseMs < before ? before - databaseMs : databaseMs > after ? after - databaseMs : 0;
}

export function judgeTimes({ aheadMs, now, newest, corrected }: Times): Finding[] {
  const apart = Math.abs(aheadMs);
  const which = aheadMs > 0 ? 'ahead of' : 'behind';
  const keep = 'Synchronize the clocks of both machines with NTP (systemd-timesyncd or chrony).';
  const seconds = `${(apart / 1_000).toLocaleString('en-US', { maximumFractionDigits: 1 })} s`;
  const found: Finding[] = [];
  if (apart > FAR_APART_MS)
    found.push(fault('clock', `This machine’s clock is ${seconds} ${which} PostgreSQL’s.`, keep));
  else if (apart > APART_MS)
    found.push(warning('clock', `This machine’s clock is ${seconds} ${which} PostgreSQL’s.`, keep));
  if (newest && corrected && newest.getTime() > now.getTime() + CLOCK_AHEAD_MS)
    found.push(
      warning(
        'clock',
        `Rows up to ${localText(newest)} carry the time of a clock that was corrected on ${localText(corrected)}.`,
        'Nothing to do. Until that time passes, new log rows are not dated earlier.',
      ),
    );
  else if (newest && newest.getTime() > now.getTime() + CLOCK_AHEAD_MS)
    found.push(
      fault(
        'clock',
        `It is ${localText(now)} here, but the newest row was written on ${localText(newest)}, ` +
          `${timeText(newest.getTime() - now.getTime())} later. The clock is wrong now or was wrong then.`,
        'Correct the clock. If it is right now, draws and bets wait until that time, or until you run npm run admin -- correct-clock',
      ),
    );
  if (found.length > 0) return found;
  return [
    ok(
      'clock',
      `It agrees with PostgreSQL’s${newest ? `, and is not behind the newest row (${localText(newest)})` : ''}.`,
    ),
  ];
}
