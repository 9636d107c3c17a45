import { replaceDurably } from '../../apps/server/src/db/durable-file.ts';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keeperDayText } from '@drawhouse/rules/keeper-texts';
import { DaySeeds, rootOf } from './day-seeds.ts';
import type { StoredDay } from './day-seeds.ts';
import type { Identity } from './keeper-identity.ts';
import { signerOf } from './keeper-keys.ts';
import { journalHeader, ReleaseJournal } from './release-journal.ts';

const DAY_MS = 86_400_000;
const SECRET_BYTES = 32;
/** A day that is none of those about today is closed when nobody asked for it so long. */
const IDLE_MS = 60_000;

/** The day of UTC at a time, so many days on. */
export function dayOf(timeMs: number, daysOn = 0): string {
  return new Date(timeMs + daysOn * DAY_MS).toISOString().slice(0, 10);
}

/** The files of a day in a keeper's folder. */
export function dayFiles(dir: string, day: string): { readonly stored: string; readonly journal: string } {
  return { stored: join(dir, 'days', `${day}.json`), journal: join(dir, 'days', `${day}.releases`) };
}

/** A day as its file has it; undefined where there is none. Throws a sentence where the file can't be read. */
export async function readDay(dir: string, day: string): Promise<StoredDay | undefined> {
  const { stored } = dayFiles(dir, day);
  const text = await readFile(stored, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as StoredDay;
  } catch {
    throw new Error(`${stored} is damaged: put back an undamaged copy of it.`);
  }
}

/** A day that is published: what it says, and its seeds. */
export interface PublishedDay {
  readonly stored: StoredDay;
  readonly seeds: DaySeeds;
}

/** A day of which seeds may be released. */
export interface OpenDay extends PublishedDay {
  readonly journal: ReleaseJournal;
}

/** What the days of a keeper are made with. */
export interface DaysOptions {
  readonly dir: string;
  readonly identity: Identity;
  /** How many seeds a day has that is made from now on. */
  readonly size: number;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
  /** How many bytes the journal of a day had for good when that was last written down. */
  readonly knownBytes: (day: string) => number;
  /** Told where a journal can't be written: what is on the disk is not known any more. */
  readonly failed: (error: Error) => void;
}

/** A day that was asked for: `ready` once it is open. */
interface Opened {
  readonly day: Promise<OpenDay | undefined>;
  ready?: OpenDay;
  usedAt: number;
}

/** The days of a keeper: today's and tomorrow's are made when they are missing. */
export class KeeperDays {
  readonly #options: DaysOptions;
  /** The last one that is made, if any is: two that are made at once would only be slower. */
  #making: Promise<unknown> = Promise.resolve();
  readonly #open = new Map<string, Opened>();

  constructor(options: DaysOptions) {
    this.#options = options;
  }

  /** The day as published; undefined where it is not. */
  async published(day: string): Promise<PublishedDay | undefined> {
    const stored = (await readDay(this.#options.dir, day)) ?? (await this.#makeDue(day));
    return stored && { stored, seeds: new DaySeeds(stored.secret, stored.size) };
  }

  /** The day with its journal, which takes memory: only for whom the operator sent. Undefined where it is not published. */
  open(day: string): Promise<OpenDay | undefined> {
    const usedAt = this.#options.now();
    const known = this.#open.get(day);
    if (known) {
      known.usedAt = usedAt;
      return known.day;
    }
    const opened: Opened = { day: this.#withJournal(day), usedAt };
    this.#open.set(day, opened);
    // A day that is not there may be made later, and one that can't be read be put right.
    const forget = (): boolean => this.#open.delete(day);
    opened.day.then((found) => (found ? (opened.ready = found) : forget()), forget);
    return opened.day;
  }

  async #withJournal(day: string): Promise<OpenDay | undefined> {
    const published = await this.published(day);
    if (!published) return undefined;
    const { dir, knownBytes, failed } = this.#options;
    const { stored, seeds } = published;
    const files = dayFiles(dir, day);
    if (!seeds.beginsWith(stored.nodes))
      throw new Error(
        `${files.stored} is damaged, its secret is not that of its root: put back an undamaged copy of it.`,
      );
    const limits = { size: stored.size, atLeastBytes: knownBytes(day) };
    const journal = await ReleaseJournal.open(files.journal, journalHeader(day, stored.root), limits, failed);
    return { stored, seeds, journal };
  }

  /** Makes a day where it is to be published and nobody has made it meanwhile. */
  #makeDue(day: string): Promise<StoredDay | undefined> {
    const { dir, now } = this.#options;
    if (![0, 1].some((daysOn) => dayOf(now(), daysOn) === day)) return Promise.resolve(undefined);
    const made = this.#making.then(async () => (await readDay(dir, day)) ?? this.#make(day));
    this.#making = made.catch(() => undefined);
    return made;
  }

  /** Makes a day: its journal, then the file with its secret. Only what that has is published. */
  async #make(day: string): Promise<StoredDay> {
    const { dir, identity, size } = this.#options;
    const secret = randomBytes(SECRET_BYTES).toString('hex');
    const nodes = await new DaySeeds(secret, size).nodes();
    const root = rootOf(nodes);
    const signature = signerOf(identity)(keeperDayText({ name: identity.name, day, size, root }));
    const hexNodes = nodes.map((node) => Buffer.from(node).toString('hex'));
    const made: StoredDay = { day, size, secret, root, signature, nodes: hexNodes };
    const { stored, journal } = dayFiles(dir, day);
    await mkdir(join(dir, 'days'), { recursive: true, mode: 0o700 });
    await replaceDurably(journal, journalHeader(day, root));
    await replaceDurably(stored, `${JSON.stringify(made)}\n`);
    return made;
  }

  /** Makes what is to be published, today and tomorrow, and has ready what may be asked for: yesterday too. */
  async prepare(): Promise<void> {
    for (const daysOn of [-1, 0, 1]) await this.open(dayOf(this.#options.now(), daysOn));
  }

  /** The days that are open by now, with their journals. */
  opened(): readonly OpenDay[] {
    return [...this.#open.values()].flatMap(({ ready }) => ready ?? []);
  }

  /** Closes the days that are not about today and that nobody asks for. */
  async closeIdle(): Promise<void> {
    const now = this.#options.now();
    const about = new Set([-1, 0, 1].map((daysOn) => dayOf(now, daysOn)));
    const idle = [...this.#open].filter(([day, { usedAt }]) => !about.has(day) && now - usedAt > IDLE_MS);
    for (const [day, { day: opened }] of idle) {
      this.#open.delete(day);
      await (await opened)?.journal.close();
    }
  }

  /** Closes all, once what is on its way is written. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#open.values()].map(({ day }) => day));
    for (const { journal } of this.opened()) await journal.close();
    this.#open.clear();
  }
}
