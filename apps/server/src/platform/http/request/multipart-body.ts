import type { RouteFiles } from '@drawhouse/contract/core/route';
import type { FastifyRequest } from 'fastify';
import { CallError } from '../http-errors.ts';
import { HTTP_TEXTS } from '../http-texts.ts';

const FORM_LIMITS = { fields: 50, fieldNameSize: 64, fieldSize: 64 * 1024, headerPairs: 20 } as const;
const FORM_BYTES = 512 * 1024;

/** Reading continues while files are processed, to meet the request deadline. */
const AHEAD_BYTES = 32 * 1024 * 1024;

/** Bounds memory: each form holds {@link AHEAD_BYTES} or more. */
const FORMS_AT_ONCE = 4;
/** One form per sender, so slow senders cannot occupy every slot. */
const senders = new Set<string>();

/** Queued work checks `isCanceled` to skip absent senders. */
export type TakeFile = (content: Buffer, isCanceled: () => boolean) => Promise<unknown>;

export interface MultipartBody {
  readonly body: Readonly<Record<string, unknown>>;
  /** By file name; lists by index: `images.0`. */
  readonly files: ReadonlyMap<string, unknown>;
}

/**
 * Memory: {@link AHEAD_BYTES}, one file, and earlier results. Reads to the end even after a refusal, so every invalid
 * file is named and the answer arrives.
 */
export async function readMultipart(
  request: FastifyRequest,
  files: RouteFiles,
  take: TakeFile,
  sender: string,
): Promise<MultipartBody> {
  if (senders.has(sender)) throw new CallError('NOT_READY', { message: HTTP_TEXTS.stillReading });
  if (senders.size >= FORMS_AT_ONCE) throw new CallError('NOT_READY', { message: HTTP_TEXTS.busyReading });
  senders.add(sender);
  try {
    return await readForm(request, files, take);
  } finally {
    senders.delete(sender);
  }
}

async function readForm(
  request: FastifyRequest,
  { names, maxBytes }: RouteFiles,
  take: TakeFile,
): Promise<MultipartBody> {
  const isCanceled = (): boolean => request.raw.socket.destroyed;
  const most = Object.values(names).reduce((sum, count) => sum + count, 0);
  if (Number(request.headers['content-length']) > most * maxBytes + FORM_BYTES) throw new CallError('BODY_TOO_LARGE');
  const body: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  const files = new Map<string, unknown>();
  const wrong = new Map<string, string>();
  const counts = new Map<string, number>();
  const note = (name: string, message: string): void => void (wrong.has(name) || wrong.set(name, message));
  const taking: Promise<void>[] = [];
  let lastTaken = Promise.resolve();
  const failures: unknown[] = [];
  let ahead = 0;
  const takeOne = async (name: string, content: Buffer): Promise<void> => {
    try {
      files.set(name, await take(content, isCanceled));
    } catch (error) {
      if (error instanceof CallError && error.code === 'INVALID_INPUT') note(name, error.message);
      else failures.push(error);
    }
    ahead -= content.length;
  };
  try {
    const limits = { ...FORM_LIMITS, files: most, fileSize: maxBytes, parts: most + FORM_LIMITS.fields };
    for await (const part of request.parts({ limits })) {
      const { fieldname } = part;
      if (part.type === 'field') {
        const value = String(part.value);
        if (part.valueTruncated) note(fieldname, HTTP_TEXTS.textTooLong);
        else if (`${fieldname}${value}`.includes('\0')) note(fieldname, HTTP_TEXTS.noNul);
        else add(body, fieldname, value);
        continue;
      }
      const content = await part.toBuffer();
      // Browsers send empty file inputs this way.
      if (content.length === 0 && !part.filename) continue;
      const name = nameOf(fieldname, names, counts);
      if (name === undefined) note(fieldname, HTTP_TEXTS.fileFields(filesOf(names)));
      else if (files.has(name)) note(name, HTTP_TEXTS.fileTwice);
      else if (part.file.truncated) note(name, HTTP_TEXTS.fileTooLarge(maxBytes / 1024 / 1024));
      else {
        files.set(name, undefined);
        ahead += content.length;
        taking.push((lastTaken = lastTaken.then(() => takeOne(name, content))));
        while (ahead > AHEAD_BYTES) await taking.shift();
      }
    }
  } catch (error) {
    throw refusalOf(error as { code?: string });
  }
  await Promise.all(taking);
  if (failures.length > 0) throw failures[0];
  if (wrong.size > 0) throw new CallError('INVALID_INPUT', { fields: Object.fromEntries(wrong) });
  return { body, files };
}

function add(body: Record<string, string | string[]>, name: string, value: string): void {
  const present = body[name];
  body[name] = present === undefined ? value : [present, value].flat();
}

function nameOf(field: string, names: RouteFiles['names'], counts: Map<string, number>): string | undefined {
  const [, name = field, index] = /^([a-z]+)\.(\d{1,4})$/i.exec(field) ?? [];
  const most = Object.hasOwn(names, name) ? names[name]! : 0;
  if (most === 1) return index === undefined ? name : undefined;
  if (index !== undefined) return Number(index) < most ? `${name}.${Number(index)}` : undefined;
  const count = counts.get(name) ?? 0;
  counts.set(name, count + 1);
  return count < most ? `${name}.${count}` : undefined;
}

function filesOf(names: RouteFiles['names']): string {
  return Object.entries(names)
    .map(([name, most]) => (most === 1 ? name : `${name} (at most ${most})`))
    .join(', ');
}

function refusalOf({ code }: { code?: string }): CallError {
  if (/^FST_(PARTS|FILES|FIELDS)_LIMIT$/.test(code ?? '')) return new CallError('BODY_TOO_LARGE');
  return new CallError('INVALID_INPUT', { fields: { body: HTTP_TEXTS.notMultipart } });
}
