import { isKeyedByNetwork, type TableOwner } from '../apps/server/src/config/tables/table-owner.ts';
import { TABLE_OWNERS } from '../apps/server/src/config/tables/table-owners.ts';
import { isTest, lineAt, type Finding, type SourceFile } from './source.ts';

const DATA = 'apps/server/src/config/tables/table-owners.ts';
const GRANTS = 'apps/server/grants.sql';
const MIGRATION = /^apps\/server\/migrations\/.*\.sql$/;
const OF_THE_TOOL = ['migrations'];

/** Write to any table. */
const COMPOSING = ['commands', 'compose', 'config'];

interface Write {
  readonly table: string;
  readonly place: number;
}

const WRITES =
  /\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate(?:\s+table)?)\s+(?:only\s+)?(?<table>[a-z_]+)\b/gi;
/** Returns string contents in place; NUL for code. */
function stringsOf({ code, bare }: SourceFile): string {
  return Array.from({ length: code.length }, (_, at) =>
    /\s/.test(code[at]!) || code[at] !== bare[at] ? code[at] : '\0',
  ).join('');
}

function writesIn(file: SourceFile, tables: Readonly<Record<string, TableOwner>>): Write[] {
  return [...stringsOf(file).matchAll(WRITES)].flatMap((match) => {
    const table = match.groups!['table']!.toLowerCase();
    return Object.hasOwn(tables, table) ? [{ table, place: match.index + match[0].lastIndexOf(table) }] : [];
  });
}

interface Made {
  readonly table: string;
  readonly path: string;
  readonly line: number;
  /** The primary key starts with the network. */
  readonly ofNetwork: boolean;
}

function createdIn({ path, text }: SourceFile): Made[] {
  const bare = text.replace(/--.*/g, (comment) => ' '.repeat(comment.length));
  return [...bare.matchAll(/\bcreate table (\w+) \(([^]*?)\n\)/g)].map((match) => ({
    table: match[1]!,
    path,
    line: lineAt(bare, match.index),
    ofNetwork: /primary key \(network_id\b|\bnetwork_id\b[^,\n]* primary key/.test(match[2]!),
  }));
}

function grantedIn({ text }: SourceFile): Set<string> {
  const lists = [
    ...text.replace(/--.*/g, '').matchAll(/\bgrant\b[^;]*?\bon ((?!all\b|schema\b|function\b)[\w,\s]+?) to\b/g),
  ];
  return new Set(lists.flatMap((match) => match[1]!.split(',').map((name) => name.trim())));
}

/** Returns the shelf of `platform` or `operations`, else the folder. Undefined for composition and this data. */
function featureOf(file: string): string | undefined {
  const [, feature] = /^apps\/server\/src\/(?:(?:platform|operations)\/)?([^/]+)\/.*\.ts$/.exec(file) ?? [];
  return feature === undefined || COMPOSING.includes(feature) ? undefined : feature;
}

/** Writes against table-owners.ts, and table-owners.ts against migrations, grants.sql and code. */
export function checkTableUse(
  files: readonly SourceFile[],
  tables: Readonly<Record<string, TableOwner>> = TABLE_OWNERS,
): readonly Finding[] {
  const findings: Finding[] = [];
  const add = (path: string, line: number, message: string): void =>
    void findings.push({ path, line, rule: 'table-use', message });
  const dataFile = files.find(({ path }) => path === DATA);
  const lineOf = (table: string): number =>
    dataFile ? lineAt(dataFile.text, Math.max(0, dataFile.text.search(new RegExp(`^ {2}${table}: `, 'm')))) : 1;

  const migrations = files.filter(({ path }) => MIGRATION.test(path));
  const dropped = new Set(
    migrations.flatMap(({ text }) => [...text.matchAll(/\bdrop table (\w+)/g)].map((match) => match[1]!)),
  );
  const createdTables = migrations.flatMap(createdIn).filter(({ table }) => !dropped.has(table));
  for (const { table, path, line, ofNetwork } of createdTables) {
    const use = tables[table];
    if (!use) add(path, line, `${table} has no owner: add a row in ${DATA}`);
    else if (isKeyedByNetwork(use) && !ofNetwork)
      add(path, line, `${table} belongs to a network: start its primary key with network_id`);
    else if (!isKeyedByNetwork(use) && ofNetwork)
      add(path, line, `the key of ${table} starts with network_id: say so in ${DATA}`);
  }
  const grants = files.find(({ path }) => path === GRANTS);
  const granted = grants && grantedIn(grants);
  for (const table of Object.keys(tables)) {
    if (!createdTables.some((one) => one.table === table))
      add(DATA, lineOf(table), `no migration creates ${table}: remove its row`);
    if (granted && !granted.has(table)) add(GRANTS, 1, `${table} has no line here: say what the server can do with it`);
  }
  for (const table of granted ?? [])
    if (!tables[table] && !OF_THE_TOOL.includes(table)) add(GRANTS, 1, `${table} is not a table of ${DATA}: remove it`);

  for (const file of files) {
    const feature = featureOf(file.path);
    if (feature === undefined || isTest(file.path)) continue;
    for (const { table, place } of writesIn(file, tables)) {
      const { owner } = tables[table]!;
      const message = `only ${owner} writes ${table}: call a command of ${owner}, or take it as a function from app.ts`;
      if (owner !== feature) add(file.path, lineAt(file.text, place), message);
    }
  }
  return findings;
}
