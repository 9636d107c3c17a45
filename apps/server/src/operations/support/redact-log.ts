import { open } from 'node:fs/promises';

const MOST_BYTES = 1_000_000;

/** First line of a PostgreSQL message: time and severity. */
const LINE = /^\d{4}-\d{2}-\d{2} .*?\b(?<level>[A-Z]+\d?): {2}(?<said>.*)$/;
/** May contain row data. */
const WITH_ROWS: ReadonlySet<string> = new Set(['DETAIL', 'STATEMENT', 'CONTEXT', 'HINT', 'QUERY', 'LOCATION']);
/** Quoted schema or file names are safe. */
const NAMED_KINDS =
  'relation|table|column|constraint|index|function|schema|database|role|user|file|directory|parameter|extension|' +
  'sequence|view|trigger|policy|type';
const NAMES_OF_SCHEMA = new RegExp(String.raw`\b(?:${NAMED_KINDS}) "[^"]*"`, 'g');

export async function redactPostgresLog(file: string): Promise<string | undefined> {
  const text = await endOf(file);
  return text === undefined ? undefined : redactLines(text);
}

export async function redactServerLog(file: string): Promise<string | undefined> {
  const text = await endOf(file);
  return text === undefined ? undefined : redactServerLines(text);
}

/** Safe fields: no accounts, credit or user text. */
const LOGGED_FIELDS = [
  'level',
  'requestId',
  'method',
  'route',
  'status',
  'code',
  'ms',
  'msMax',
  'calls',
  'reason',
  'tries',
];
const PLAIN = /^[\w.:/*-]{1,100}$/;
const SENTENCE = /^[\w ,;’.()-]+/;

/** Keeps safe fields, as JSON. Drops other lines. */
function redactServerLines(text: string): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const redacted = redactLine(line);
      return redacted ? [`${JSON.stringify(redacted)}\n`] : [];
    })
    .join('');
}

function redactLine(line: string): object | undefined {
  const entry = objectIn(line);
  if (typeof entry?.['time'] !== 'number') return undefined;
  const { time, msg, error } = entry;
  const plain = LOGGED_FIELDS.flatMap((name) => (isPlain(entry[name]) ? [[name, entry[name]]] : []));
  return {
    time: new Date(time).toISOString(),
    ...(Object.fromEntries(plain) as object),
    msg: SENTENCE.exec(typeof msg === 'string' ? msg : '')?.[0] ?? '',
    ...(typeof error === 'object' && error !== null && { error: redactError(error as Record<string, unknown>) }),
  };
}

/** Messages may contain row values. */
function redactError({ code, stack }: Readonly<Record<string, unknown>>): object {
  const lines = typeof stack === 'string' ? stack.split('\n') : [];
  return {
    kind: /^\w+(?=:|$)/.exec(lines[0] ?? '')?.[0],
    code: isPlain(code) ? code : undefined,
    at: lines.filter((each) => /^ {4}at [\w.<>[\]/:()# -]+$/.test(each)).map((each) => each.trim()),
  };
}

function isPlain(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && PLAIN.test(value));
}

function objectIn(line: string): Record<string, unknown> | undefined {
  try {
    const json: unknown = JSON.parse(line);
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Starts at a line break. Undefined without a file. */
async function endOf(file: string): Promise<string | undefined> {
  const log = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!log) return undefined;
  try {
    const { size } = await log.stat();
    const from = Math.max(0, size - MOST_BYTES);
    const { buffer, bytesRead } = await log.read(Buffer.alloc(size - from), 0, size - from, from);
    const text = buffer.subarray(0, bytesRead).toString('utf8');
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await log.close();
  }
}

/** Removes quoted values other than schema names, and sections with row data. */
export function redactLines(text: string): string {
  let isIncluded = true;
  const lines = text.split('\n').flatMap((line) => {
    const begun = LINE.exec(line)?.groups;
    // Continuation lines start with a tab.
    if (begun) isIncluded = !WITH_ROWS.has(begun['level']!);
    else if (line.startsWith('\t')) return [];
    return isIncluded ? [withoutQuoted(line)] : [];
  });
  return lines.join('\n');
}

function withoutQuoted(line: string): string {
  const tail: string[] = [];
  const held = line.replaceAll(NAMES_OF_SCHEMA, (name) => `\0${tail.push(name) - 1}\0`);
  return held
    .replaceAll(/"[^"]*"|(?<=^|[\s(=:])'[^']*'/g, '"…"')
    .replaceAll(/\0(\d+)\0/g, (_all, index) => tail[Number(index)]!);
}
