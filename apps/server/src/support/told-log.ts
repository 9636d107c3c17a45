import { open } from 'node:fs/promises';

/** So much of the end of a log is told. */
const MOST_BYTES = 1_000_000;

/** A line that begins what PostgreSQL says: when, and how grave it is. */
const LINE = /^\d{4}-\d{2}-\d{2} .*?\b(?<level>[A-Z]+\d?): {2}(?<said>.*)$/;
/** What may show rows: the values of a key, a whole row, a statement with what it was given. */
const WITH_ROWS: ReadonlySet<string> = new Set(['DETAIL', 'STATEMENT', 'CONTEXT', 'HINT', 'QUERY', 'LOCATION']);
/** What is called by a name of the schema, or of a file. */
const NAMES_OF_SCHEMA =
  /\b(?:relation|table|column|constraint|index|function|schema|database|role|user|file|directory|parameter|extension|sequence|view|trigger|policy|type) "[^"]*"/g;

/** The newest lines of PostgreSQL's own log, as others may see them; undefined where there is no such file. */
export async function tellPostgresLog(file: string): Promise<string | undefined> {
  const text = await endOf(file);
  return text === undefined ? undefined : tellLines(text);
}

/** The newest lines that a server kept of its log, as others may see them; undefined where there is no such file. */
export async function tellServerLog(file: string): Promise<string | undefined> {
  const text = await endOf(file);
  return text === undefined ? undefined : tellServerLines(text);
}

/** What of a line of the server may be told: nothing that may name an account, a credit or what somebody wrote. */
const TOLD = ['level', 'requestId', 'method', 'route', 'status', 'code', 'ms', 'msMax', 'calls', 'reason', 'tries'];
/** A word, a number or a pattern of a route. */
const PLAIN = /^[\w.:/*-]{1,100}$/;
/** What a line says, up to what may follow from elsewhere. */
const SAID = /^[\w ,;’.()-]+/;

/** Lines of a server's log with what may be told of each, as JSON. What is no such line is left out. */
function tellServerLines(text: string): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const told = toldOf(line);
      return told ? [`${JSON.stringify(told)}\n`] : [];
    })
    .join('');
}

function toldOf(line: string): object | undefined {
  const said = objectIn(line);
  if (typeof said?.['time'] !== 'number') return undefined;
  const { time, msg, error } = said;
  const plain = TOLD.flatMap((name) => (isPlain(said[name]) ? [[name, said[name]]] : []));
  return {
    time: new Date(time).toISOString(),
    ...(Object.fromEntries(plain) as object),
    msg: SAID.exec(typeof msg === 'string' ? msg : '')?.[0] ?? '',
    ...(typeof error === 'object' && error !== null && { error: toldOfError(error as Record<string, unknown>) }),
  };
}

/** Of an error its kind, its code and where it came from: what it says may have a value of a row. */
function toldOfError({ code, stack }: Readonly<Record<string, unknown>>): object {
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

/** The end of a file from the beginning of a line on; undefined where it is not there. */
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

/** Lines of PostgreSQL without what they show of rows: what stands in quotes and names nothing of the schema, and all that goes on from a line that shows some. */
export function tellLines(text: string): string {
  let isTold = true;
  const told = text.split('\n').flatMap((line) => {
    const begun = LINE.exec(line)?.groups;
    // What PostgreSQL says on several lines goes on with a tab.
    if (begun) isTold = !WITH_ROWS.has(begun['level']!);
    else if (line.startsWith('\t')) return [];
    return isTold ? [withoutQuoted(line)] : [];
  });
  return told.join('\n');
}

function withoutQuoted(line: string): string {
  const kept: string[] = [];
  const held = line.replaceAll(NAMES_OF_SCHEMA, (name) => `\0${kept.push(name) - 1}\0`);
  return held
    .replaceAll(/"[^"]*"|(?<=^|[\s(=:])'[^']*'/g, '"…"')
    .replaceAll(/\0(\d+)\0/g, (_all, index) => kept[Number(index)]!);
}
