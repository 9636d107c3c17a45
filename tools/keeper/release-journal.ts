import { createHash } from 'node:crypto';
import { constants, readSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { ReleaseQuestion } from '@drawhouse/rules/keeper-texts';

/** A release as the journal of its day has it. */
export interface JournalEntry extends Omit<ReleaseQuestion, 'day'> {
  /** When it was released, ISO 8601 with milliseconds. */
  readonly releasedAt: string;
  readonly operatorSignature: string;
}

/** What stands in a line, in this order. */
const FIELDS = [
  'index',
  'drawId',
  'closesAt',
  'commitment',
  'tickets',
  'ticketRoot',
  'releasedAt',
  'operatorSignature',
] as const satisfies readonly (keyof JournalEntry)[];

/** So many digits of the chain stand in a line. */
const CHAIN_DIGITS = 16;
/** No line is longer: its texts have fixed lengths, its numbers at most 16 digits. */
const LONGEST_LINE = 512;
const NEWLINE = 0x0a;
const PUT_BACK = 'put back an undamaged copy of it, with all that was there.';

/** What a journal's file has, read from its beginning. */
export interface JournalContent {
  readonly entries: readonly { readonly entry: JournalEntry; readonly offset: number }[];
  /** Up to here the file is whole lines; what is behind was not finished when the process was killed, and nobody had an answer by it. */
  readonly wholeBytes: number;
  /** The chain after the last whole line. */
  readonly chain: string;
}

/** The first line of the journal of a day with that root. */
export function journalHeader(day: string, root: string): string {
  return `drawhouse keeper releases 1 ${day} ${root}\n`;
}

/**
 * Reads a journal: a header, and a line for each release, its `JournalEntry` as a list in the order of `FIELDS` as JSON, a space, and the first
 * digits of the SHA-256 of the chain so far and that JSON. Throws a sentence where a line before the last is not whole: no kill does that.
 */
export function readJournal(bytes: Buffer, header: string, file: string): JournalContent {
  const headerBytes = Buffer.byteLength(header);
  if (bytes.toString('utf8', 0, headerBytes) !== header)
    throw new Error(`${file} does not begin as the journal of its day.`);

  const entries: { entry: JournalEntry; offset: number }[] = [];
  let chain = chained('', header);
  let offset = headerBytes;
  while (offset < bytes.length) {
    const end = bytes.indexOf(NEWLINE, offset);
    const read = end === -1 ? undefined : readLine(bytes.toString('utf8', offset, end), chain);
    if (!read) {
      if (end !== -1 && end < bytes.length - 1)
        throw new Error(`${file} is damaged at byte ${offset}, and goes on behind that: ${PUT_BACK}`);
      break;
    }
    entries.push({ entry: read.entry, offset });
    ({ chain } = read);
    offset = end + 1;
  }
  return { entries, wholeBytes: offset, chain };
}

function readLine(line: string, before: string): { entry: JournalEntry; chain: string } | undefined {
  const json = line.slice(0, -CHAIN_DIGITS - 1);
  const chain = chained(before, json);
  return line === lineOf(json, chain) ? { entry: entryOf(json), chain } : undefined;
}

function entryOf(json: string): JournalEntry {
  const values = JSON.parse(json) as unknown[];
  return Object.fromEntries(FIELDS.map((field, nth) => [field, values[nth]])) as unknown as JournalEntry;
}

const lineOf = (json: string, chain: string): string => `${json} ${chain.slice(0, CHAIN_DIGITS)}`;

function chained(chain: string, text: string): string {
  return createHash('sha256').update(chain).update(text).digest('hex');
}

/** A release that is written, and when it is so for good. */
interface Pending {
  readonly entry: JournalEntry;
  readonly durable: Promise<void>;
}

/** The releases of one day, on the disk before anyone hears of them. In memory it keeps where they stand, and which draw is where. */
export class ReleaseJournal {
  readonly #handle: FileHandle;
  readonly #failed: (error: Error) => void;
  /** By index, where the line begins; 0 is none, for the header is there. */
  readonly #offsets: Float64Array;
  readonly #places = new Map<string, number>();
  readonly #pending = new Map<number, Pending>();
  readonly #waiting: { readonly line: string; readonly done: () => void; readonly failed: (error: Error) => void }[] =
    [];
  #isWriting = false;
  #broken: Error | undefined;
  #chain: string;
  /** Bytes that are written for good, and those with the lines that wait. */
  #bytes: number;
  #end: number;
  #used = 0;

  private constructor(
    handle: FileHandle,
    size: number,
    { entries, wholeBytes, chain }: JournalContent,
    failed: (error: Error) => void,
  ) {
    this.#handle = handle;
    this.#failed = failed;
    this.#offsets = new Float64Array(size);
    this.#chain = chain;
    this.#bytes = wholeBytes;
    this.#end = wholeBytes;
    for (const { entry, offset } of entries) this.#place(entry, offset);
  }

  /**
   * Opens the journal of a day with so many seeds. A last line that was not finished is cut off, unless it begins before `atLeastBytes`,
   * which had been written for good: then it throws a sentence, as for any other damage. `failed` is told where it can't be written on.
   */
  static async open(
    file: string,
    header: string,
    { size, atLeastBytes }: { readonly size: number; readonly atLeastBytes: number },
    failed: (error: Error) => void,
  ): Promise<ReleaseJournal> {
    // Not made where it is missing: it is made with its day, and another one would know nothing of what was released.
    const handle = await open(file, constants.O_RDWR | constants.O_APPEND);
    try {
      const content = readJournal(await readFile(file), header, file);
      if (content.wholeBytes < atLeastBytes) throw new Error(`${file} has lost releases: ${PUT_BACK}`);
      await handle.truncate(content.wholeBytes);
      await handle.sync();
      return new ReleaseJournal(handle, size, content, failed);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** How many bytes are written for good. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Before which index seeds were released: at none from there on was one. */
  get used(): number {
    return this.#used;
  }

  /** The release at an index, be it on its way to the disk still. */
  find(index: number): JournalEntry | undefined {
    const pending = this.#pending.get(index);
    if (pending) return pending.entry;
    const offset = this.#offsets[index] ?? 0;
    if (offset === 0) return undefined;
    const bytes = Buffer.alloc(LONGEST_LINE);
    const read = readSync(this.#handle.fd, bytes, 0, LONGEST_LINE, offset);
    const line = bytes.toString('utf8', 0, read).split('\n', 1)[0]!;
    return entryOf(line.slice(0, -CHAIN_DIGITS - 1));
  }

  /** At which index the draw was released. */
  placeOf(drawId: string): number | undefined {
    return this.#places.get(drawId);
  }

  /** Takes a release down; it counts from now on, and `durable` tells when it may be told. */
  add(entry: JournalEntry): void {
    const { index } = entry;
    const json = JSON.stringify(FIELDS.map((field) => entry[field]));
    this.#chain = chained(this.#chain, json);
    const line = `${lineOf(json, this.#chain)}\n`;
    const durable = new Promise<void>((done, failed) => this.#waiting.push({ line, done, failed }));
    this.#pending.set(index, { entry, durable });
    this.#place(entry, this.#end);
    this.#end += Buffer.byteLength(line);
    durable.then(
      () => this.#pending.delete(index),
      () => undefined,
    );
    if (!this.#isWriting) void this.#write();
  }

  /** Waits until the release at an index is written for good. Rejects where it can't be: then nothing more may be told at all. */
  async durable(index: number): Promise<void> {
    await this.#pending.get(index)?.durable;
  }

  #place({ index, drawId }: JournalEntry, offset: number): void {
    this.#offsets[index] = offset;
    this.#used = Math.max(this.#used, index + 1);
    this.#places.set(drawId, index);
  }

  /** Writes what waits, all at once, as often as something came meanwhile. */
  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      try {
        if (this.#broken) throw this.#broken;
        const text = batch.map(({ line }) => line).join('');
        await this.#handle.appendFile(text);
        await this.#handle.datasync();
        this.#bytes += Buffer.byteLength(text);
        for (const { done } of batch) done();
      } catch (error) {
        // What of it is on the disk is not known any more: only a new start can tell.
        this.#broken = error as Error;
        this.#failed(this.#broken);
        for (const { failed } of batch) failed(error as Error);
      }
    }
    this.#isWriting = false;
  }

  /** Waits for what is on its way, and closes the file. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#pending.values()].map(({ durable }) => durable));
    await this.#handle.close();
  }
}
