import { NODE_BYTES } from '@drawhouse/rules/fair/tree/merkle';
import { base64Of, bytesOfBase64 } from './note-keys.ts';
import { NoteError } from './signed-notes.ts';
import type { TreeHead } from './verify-proofs.ts';

const SIZE = /^(?:0|[1-9]\d{0,15})$/;

/** C2SP tlog-checkpoint, signed as a note. */
export type Checkpoint = TreeHead & {
  readonly origin: string;
  /** Extra lines without meaning here. */
  readonly extensions: readonly string[];
};

export function formatCheckpoint({
  origin,
  size,
  root,
  extensions,
}: Omit<Checkpoint, 'extensions'> & Partial<Checkpoint>): string {
  const text = [origin, size, base64Of(root), ...(extensions ?? [])].map((line) => `${line}\n`).join('');
  parseCheckpoint(text);
  return text;
}

export function parseCheckpoint(text: string): Checkpoint {
  const lines = text.endsWith('\n') ? text.slice(0, -1).split('\n') : [];
  const [origin, size, encoded, ...extensions] = lines;
  if (origin === undefined || size === undefined || encoded === undefined || lines.includes(''))
    throw new NoteError('A checkpoint has three lines at least, and none is empty: its origin, its size and its root.');
  if (!isDecimal(size)) throw new NoteError('The second line of a checkpoint is its size, a number up to 2^53.');
  const root = bytesOfBase64(encoded);
  if (root?.length !== NODE_BYTES)
    throw new NoteError('The third line of a checkpoint is its root, 32 bytes in base64.');
  return { origin, size: Number(size), root, extensions };
}

/** C2SP integers: no leading zeros, at most 2^53 − 1. */
export function isDecimal(text: string): boolean {
  return SIZE.test(text) && Number.isSafeInteger(Number(text));
}

const ORIGIN = /^(.+)\/seals\/([1-9]\d{0,8})$/;

interface LogName {
  readonly name: string;
  readonly nth: number;
}

/** Returns the first line of a log's checkpoints (docs/seals.md). */
export function originOf(name: string, nth: number): string {
  return `${name}/seals/${nth}`;
}

/** Null for foreign origins. */
export function logNameOf(origin: string): LogName | null {
  const [, name, nth] = ORIGIN.exec(origin) ?? [];
  return name === undefined ? null : { name, nth: Number(nth) };
}
