import { mkdir, readdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { lockFolder } from './folder-lock.ts';
import { KeeperDays, dayFiles } from './keeper-days.ts';
import { EvidenceFile } from './keeper-evidence.ts';
import { createKeeperServer } from './keeper-http.ts';
import { ensureIdentity, readIdentity } from './keeper-identity.ts';
import type { Identity, WishedIdentity } from './keeper-identity.ts';
import { countReleases, doubtsAbout, fileIdOf, readStamp, writeStamp } from './life-stamp.ts';
import type { Stamp, StampedJournal } from './life-stamp.ts';
import { ReleaseDesk } from './release-desk.ts';

/** So many days a journal stays in the stamp. */
const STAMPED_DAYS = 10;

/** How a keeper is started. */
export interface KeeperOptions extends WishedIdentity {
  /** Its folder, made where there is none. */
  readonly dir: string;
  readonly host: string;
  /** 0 takes one that is free. */
  readonly port: number;
  /** How many seeds each day has that is made from now on. */
  readonly drawsPerDay: number;
  /** The number of releases by which a person says that the folder is the newest state of its keeper. */
  readonly newest?: number | undefined;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
  /** Told where a journal can't be written: it has to end, and the next start reads what is there. */
  readonly failed: (error: Error) => void;
  /** Told of a call that could not be answered because of the folder. */
  readonly noted: (error: Error) => void;
}

/** A keeper that runs. */
export interface RunningKeeper {
  readonly url: string;
  readonly identity: Identity;
  /** Why it releases nothing more, where it was found to be an older copy. */
  readonly olderCopy: string | undefined;
  /** What is done every few seconds: days are published and closed, and the stamp is written. Not twice at once. */
  tick(): Promise<void>;
  /** Stops answering, waits for what is on its way, and leaves the folder. */
  close(): Promise<void>;
}

/**
 * Starts a keeper on its folder. Throws a sentence where another one runs there, where something of it is damaged, and where it may not be the
 * newest state of its keeper, unless `newest` says so.
 */
export async function startKeeper(options: KeeperOptions): Promise<RunningKeeper> {
  const { dir } = options;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(dir);
  try {
    const running = await startLocked(options);
    const close = async (): Promise<void> => {
      await running.close();
      await lock.release();
    };
    return { ...running, close };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function startLocked(options: KeeperOptions): Promise<RunningKeeper> {
  const { dir, now } = options;
  const stamp = await checkedStamp(options);
  // Before the key of a new folder: a kill between the two leaves nothing to doubt.
  await writeStamp(dir, { atMs: now(), journals: stamp?.journals ?? {} });
  const identity = await ensureIdentity(dir, options);
  const stamped = new Map(Object.entries(stamp?.journals ?? {}));
  const days = new KeeperDays({
    dir,
    identity,
    size: options.drawsPerDay,
    now,
    knownBytes: (day) => stamped.get(day)?.bytes ?? 0,
    failed: options.failed,
  });
  // To make a day may take long on a busy machine: the stamp doesn't wait for it.
  const prepare = oneAtATime(() => days.prepare());
  const stampIt = oneAtATime(async () => {
    await days.closeIdle();
    await writeStamp(dir, { atMs: now(), journals: await stampOf(options, days, stamped) });
  });
  const tick = async (): Promise<void> => {
    await Promise.all([prepare(), stampIt()]);
  };
  await prepare();
  await tick();
  const evidence = new EvidenceFile(dir, options.noted);
  const desk = await ReleaseDesk.open({ dir, identity, days, evidence, now });
  const server = createKeeperServer({ identity, days, desk, noted: options.noted });
  try {
    await new Promise<void>((done, fail) => {
      server.once('error', fail).listen(options.port, options.host, done);
    });
  } catch (error) {
    await days.close();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `http://${host}:${port}`,
    identity,
    olderCopy: desk.olderCopy,
    tick,
    close: async () => {
      const closed = new Promise((done) => server.close(done));
      server.closeIdleConnections();
      await closed;
      await tick();
      await days.close();
    },
  };
}

/** What does this when it is called, and joins what goes on where that is not done yet. */
function oneAtATime(act: () => Promise<void>): () => Promise<void> {
  let going: Promise<void> | undefined;
  return () => (going ??= act().finally(() => (going = undefined)));
}

/** The stamp of the folder, once it is sure that this is the newest state of its keeper, as far as that can be known. */
async function checkedStamp({ dir, newest, now }: KeeperOptions): Promise<Stamp | undefined> {
  if (!(await readIdentity(dir))) {
    const left = await readdir(join(dir, 'days')).catch(() => []);
    if (left.length > 0) throw new Error(`${join(dir, 'keeper.json')} is missing: put back an undamaged copy of it.`);
    return undefined;
  }
  const stamp = await readStamp(dir);
  const doubts = await doubtsAbout(dir, stamp, now());
  const releases = doubts.length > 0 ? await countReleases(dir) : 0;
  if (doubts.length === 0 || newest === releases) return stamp;
  throw new Error(
    [
      `The folder ${dir} may be an older copy of itself:`,
      ...doubts.map((doubt) => `  ${doubt}`),
      'A keeper that has forgotten what it answered could be asked for a second result. If you know that no newer copy of this folder was ever',
      `used, start it with --newest ${releases}: so many releases has it in its last days. Otherwise start a new keeper in an empty folder.`,
    ].join('\n'),
  );
}

/** The journals of the last days, those that are open as they are now. */
async function stampOf(
  { dir, now }: KeeperOptions,
  days: KeeperDays,
  stamped: Map<string, StampedJournal>,
): Promise<Record<string, StampedJournal>> {
  for (const { stored, journal } of days.opened())
    stamped.set(stored.day, { file: await fileIdOf(dayFiles(dir, stored.day).journal), bytes: journal.bytes });
  const oldest = new Date(now() - STAMPED_DAYS * 86_400_000).toISOString().slice(0, 10);
  for (const day of stamped.keys()) if (day < oldest) stamped.delete(day);
  return Object.fromEntries(stamped);
}
