import { open, readFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnsweredQuestion, KnownRelease, SignedQuestion } from '@drawhouse/rules/keeper-texts';
import { syncFolder } from '../../apps/server/src/db/durable-file.ts';

/** A larger file is not written on: what is in it is enough, and whoever asks wrongly for ever fills no disk. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * What shows to anyone that somebody was dishonest, or that a folder was put back. `other-root`: the server signed two different questions for one
 * place or one draw; `kept` has the keeper's signature too. `older-copy`: the keeper signed `asked` and has not got it, or has `kept` instead.
 */
export interface Evidence {
  readonly kind: 'other-root' | 'older-copy';
  /** When it was found, ISO 8601. */
  readonly found: string;
  readonly keeper: { readonly name: string; readonly publicKey: string };
  /** The public key of the server at that time. */
  readonly operator: string;
  readonly kept: AnsweredQuestion | null;
  readonly asked: SignedQuestion | KnownRelease;
}

/** The file in which a keeper keeps evidence, a line of JSON each. */
export class EvidenceFile {
  readonly #file: string;
  readonly #dir: string;
  /** What is written already, by what was kept and asked. */
  readonly #written = new Set<string>();
  #last: Promise<void> = Promise.resolve();

  readonly #noted: (error: Error) => void;

  /** `noted` is told of what is not written, as the file is full. */
  constructor(dir: string, noted: (error: Error) => void) {
    this.#dir = dir;
    this.#noted = noted;
    this.#file = join(dir, 'evidence.jsonl');
  }

  /** Writes what was not written before, one after the other; done once it is on the disk. */
  write(evidence: Evidence): Promise<void> {
    const { kind, kept, asked } = evidence;
    // One of a kind for each question that was answered proves it: more of them only fill the disk.
    const key = JSON.stringify([kind, kept?.day ?? asked.day, kept?.index ?? asked.index, kept === null]);
    if (this.#written.has(key)) return this.#last;
    this.#written.add(key);
    const written = this.#last.then(() => this.#append(`${JSON.stringify(evidence)}\n`));
    this.#last = written.catch(() => void this.#written.delete(key));
    return written;
  }

  async #append(line: string): Promise<void> {
    const handle = await open(this.#file, 'a+', 0o600);
    try {
      const { size } = await handle.stat();
      if (size > MOST_BYTES) {
        this.#noted(new Error(`${this.#file} is full: move it elsewhere and keep it. Not written down: ${line}`));
        return;
      }
      // A kill may have torn the last line: what comes next is one of its own.
      await handle.appendFile((await endsLine(handle, size)) ? line : `\n${line}`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await syncFolder(this.#dir);
  }
}

async function endsLine(handle: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return true;
  const { buffer } = await handle.read({ buffer: Buffer.alloc(1), position: size - 1 });
  return buffer.toString() === '\n';
}

/** The evidence of a folder, in the order in which it was found. A line that was not written whole, because the keeper was killed, is left out. */
export async function readEvidence(dir: string): Promise<Evidence[]> {
  const text = await readFile(join(dir, 'evidence.jsonl'), 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as Evidence];
    } catch {
      return [];
    }
  });
}
