import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withBenchDatabase } from '../bench-database.ts';
import { GAME, makeField, openSessions } from './ticket-field.ts';
import { hurried } from './ticket-load.ts';
import type { Scale } from './ticket-scale.ts';
import { startServed } from './served.ts';

const CONNECTIONS = 256;
const TOP = 10;

/** What V8 writes of a profile, as far as this reads it: microseconds between samples, and of each the node that ran. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Where the time goes, in words, by what the address of a file or a name of V8 tells; the first that fits counts. */
const PLACES: readonly (readonly [RegExp, string])[] = [
  [/^\(idle\)/, 'idle: waiting for PostgreSQL, the network or a processor'],
  [/^\(garbage collector\)/, 'garbage collection'],
  [/node_modules\/pg(?:-|\/)|node_modules\/postgres-/, 'the PostgreSQL driver'],
  [/node_modules\/(?:fastify|find-my-way|avvio|fast-|secure-json|light-my|reusify|@fastify)/, 'the web framework'],
  [/node_modules\/(?:ws|engine\.io|socket\.io)/, 'sockets of Socket.IO'],
  [/node_modules\/zod/, 'validation by zod'],
  [/node:internal\/crypto|node:crypto|node_modules\/@noble/, 'hashing and ids'],
  [/node:_http|node:internal\/http/, "Node's HTTP"],
  [
    /node:net|node:internal\/(?:stream|js_stream|stream_base)|^(?:writev|writeUtf8String|writeLatin1String|writeBuffer|shutdown|readStart)/,
    'writing to and reading from connections',
  ],
  [
    /node:internal\/(?:async|process|timers|async_hooks)|node:async_hooks|node:timers|node:events|^(?:runMicrotasks|processTicks)/,
    'turns of the event loop, events and timers',
  ],
  [/apps\/server\/src\/(\w+)|packages\/(\w+)\/src/, 'own code'],
  [/node:/, "Node's other parts"],
  [/^\(program\)/, 'V8 and Node in machine code: parsing, system calls'],
  [/^/, 'functions of V8: JSON, texts, numbers'],
];

/** One function, or one place, and its share of the time that was not idle. */
export interface Share {
  readonly name: string;
  readonly share: number;
}

/**
 * The functions that took most time by themselves, and the places by theirs, in the time between two moments after the profile's start,
 * in milliseconds; idle time is told apart.
 */
export function readProfile(
  { nodes, samples, timeDeltas }: CpuProfile,
  { fromMs, toMs }: { fromMs: number; toMs: number } = { fromMs: 0, toMs: Infinity },
): {
  idle: number;
  functions: Share[];
  places: Share[];
} {
  const byId = new Map(nodes.map((node) => [node.id, node.callFrame]));
  const ofFunction = new Map<string, number>();
  const ofPlace = new Map<string, number>();
  let [atMs, all, idle] = [0, 0, 0];
  const add = (sums: Map<string, number>, name: string, us: number): void =>
    void sums.set(name, (sums.get(name) ?? 0) + us);
  for (const [index, id] of samples.entries()) {
    const us = timeDeltas[index] ?? 0;
    atMs += us / 1000;
    if (atMs < fromMs || atMs > toMs) continue;
    const { functionName, url, lineNumber } = byId.get(id)!;
    all += us;
    if (functionName === '(idle)') {
      idle += us;
      continue;
    }
    const file = url.replace(/^.*\/(?=(?:node_modules|apps|packages)\/)/, '').replace(/^file:\/\//, '');
    const where = file === '' ? '' : `, ${file}:${lineNumber + 1}`;
    add(ofFunction, `${functionName || '(no name)'}${where}`, us);
    const [, place] = PLACES.find(([pattern]) => pattern.test(functionName) || (file !== '' && pattern.test(file)))!;
    const own = place === 'own code' ? `own code: ${/(?:src|packages)\/([\w-]+)/.exec(file)?.[1]}` : place;
    add(ofPlace, own, us);
  }
  const shares = (sums: Map<string, number>): Share[] =>
    [...sums].map(([name, us]) => ({ name, share: us / (all - idle) })).toSorted((a, b) => b.share - a.share);
  return { idle: idle / all, functions: shares(ofFunction), places: shares(ofPlace) };
}

/** Profiles a server under bets over HTTP, as fast as they get answers, and prints where its own process spends its time. */
export async function profileServer({ seconds, players }: Scale): Promise<void> {
  const dir = await mkdtemp(path.join(tmpdir(), 'drawhouse-profile-'));
  const window = { fromMs: 0, toMs: 0 };
  try {
    await withBenchDatabase(4, async (db, url) => {
      const network = await makeField(db, players);
      const entrants = await openSessions(db, network.players.slice(0, CONNECTIONS));
      const startedAt = performance.now();
      const server = await startServed(url, {}, ['--cpu-prof', `--cpu-prof-dir=${dir}`]);
      try {
        // To start and to compile is not what is asked for: the first bets are left out.
        await hurried(server.url, entrants, CONNECTIONS, seconds, [GAME]);
        const { tally, seconds: took } = await hurried(server.url, entrants, CONNECTIONS, 2 * seconds, [GAME]);
        window.toMs = performance.now() - startedAt;
        window.fromMs = window.toMs - took * 1000;
        console.log(`${tally.accepted} bets over ${CONNECTIONS} connections in ${took.toFixed(1)} s\n`);
      } finally {
        await server.stop();
      }
    });
    const files = await readdir(dir);
    const file = files.find((name) => name.endsWith('.cpuprofile'));
    if (!file) throw new Error('The server wrote no profile.');
    const { idle, functions, places } = readProfile(
      JSON.parse(await readFile(path.join(dir, file), 'utf8')) as CpuProfile,
      window,
    );
    const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
    const table = (title: string, shares: readonly Share[]): void => {
      console.log(`\n| ${title} | of the busy time |\n|---|--:|`);
      for (const { name, share } of shares.slice(0, TOP)) console.log(`| ${name} | ${percent(share)} |`);
    };
    console.log(`Idle ${percent(idle)} of the time.`);
    table('where the time goes', places);
    table('functions by their own time', functions);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
