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
    return tellLines(from === 0 ? text : text.slice(text.indexOf('\n') + 1));
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
