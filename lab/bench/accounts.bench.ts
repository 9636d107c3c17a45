import { randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { App } from '../../apps/server/src/compose/app.ts';
import { ROOT_NETWORK, WALLET_KINDS } from '@drawhouse/rules/records/ledger-kinds';
import type { Database } from '../../apps/server/src/platform/db/database.ts';
import { signIn, withBenchApp } from './fixtures/bench-app.ts';
import { machine, median, withBenchDatabase } from './fixtures/bench-database.ts';
import { createMemoryWatch } from './measure/process-usage.ts';

const PLAYERS = 100_000;
const PLAYERS_PER_RETAILER = 100;
const PAGE_ROWS = 25;
/** Rounds are interleaved, so a slow moment affects every row the same. */
const ROUNDS = 3;
const SORTS = [
  'createdAt',
  'username',
  'uniqueId',
  'refId',
  'walletBalance',
  'commission',
  'userStatus',
  'isLoggedIn',
  'lastLogin',
];
/** The first matches a tenth of the players, the second one retailer's. */
const SEARCHES = ['', 'player-7', 'retailer-42'];
const PASSWORD = randomBytes(12).toString('hex');
const MEBIBYTE = 1024 * 1024;

const LIMITS = { pageMs: 100, lastToFirst: 1.5, exportMiB: 200 };

interface Page {
  readonly url: string;
  readonly times: number[];
}

/** Measures lists and exports with 100,000 players in one network. */
export async function benchAccounts(): Promise<void> {
  await withBenchDatabase(10, async (db) => {
    await withBenchApp(db, async (app) => {
      await app.bootstrap(PASSWORD);
      await fill(db);
      await measure(app);
    });
  });
}

async function measure(app: App): Promise<void> {
  console.log(`${PLAYERS.toLocaleString('en')} players in one network; ${machine()}\n`);
  let missed = false;
  for (const name of ['superadmin', 'bench-admin', 'bench-distributor']) {
    const token = await signIn(app, name, PASSWORD);
    console.log(`### Pages of ${PAGE_ROWS} for ${name}: median ms of ${ROUNDS} interleaved rounds\n`);
    console.log('| search | rows | sort | first | middle | last | last / first |\n|---|--:|---|--:|--:|--:|--:|');
    for (const search of SEARCHES) {
      const total = await totalOf(app, token, search);
      for (const row of await measureSearch(app, token, search, total)) {
        const ratio = row.last / row.first;
        const isMissed =
          Math.max(row.first, row.middle, row.last) >= LIMITS.pageMs || (ratio > LIMITS.lastToFirst && row.last > 5);
        missed ||= isMissed;
        const figures = [row.first, row.middle, row.last].map((ms) => ms.toFixed(1)).join(' | ');
        console.log(
          `| ${search || '(none)'} | ${total} | ${row.sort} | ${figures} | ${ratio.toFixed(2)}${isMissed ? ' **missed**' : ''} |`,
        );
      }
    }
    console.log('');
  }
  const token = await signIn(app, 'bench-admin', PASSWORD);
  const { seconds, mebibytes, bytes } = await measureExport(app, token);
  missed ||= mebibytes >= LIMITS.exportMiB;
  console.log('### Export of the whole list\n');
  console.log(`| rows | seconds | file MiB | peak memory above the base, MiB |\n|--:|--:|--:|--:|`);
  console.log(`| ${PLAYERS} | ${seconds.toFixed(1)} | ${(bytes / MEBIBYTE).toFixed(1)} | ${mebibytes.toFixed(0)} |`);
  console.log(
    `\nLimits: a page under ${LIMITS.pageMs} ms, the last page at most ${LIMITS.lastToFirst} × the ` +
      `first, an export under ${LIMITS.exportMiB} MiB: ${missed ? 'MISSED' : 'held'}.`,
  );
  if (missed) process.exitCode = 1;
}

async function totalOf(app: App, token: string, search: string): Promise<number> {
  const url = `/api/users/all?pageSize=1&search=${search}`;
  const reply = await app.http.inject({ url, headers: { authorization: `Bearer ${token}` } });
  return reply.json<{ total: number }>().total;
}

async function measureSearch(
  app: App,
  token: string,
  search: string,
  total: number,
): Promise<{ sort: string; first: number; middle: number; last: number }[]> {
  const lastPage = Math.max(1, Math.ceil(total / PAGE_ROWS));
  const pageOf = (sort: string, page: number): Page => ({
    url: `/api/users/all?page=${page}&pageSize=${PAGE_ROWS}&sort=${sort}${search && `&search=${search}`}`,
    times: [],
  });
  const rows = SORTS.map((sort) => ({
    sort,
    pages: [pageOf(sort, 1), pageOf(sort, Math.ceil(lastPage / 2)), pageOf(sort, lastPage)],
  }));
  // Round 0 warms caches and plans.
  for (let round = 0; round <= ROUNDS; round++)
    for (const page of rows.flatMap((row) => row.pages)) {
      const from = performance.now();
      const reply = await app.http.inject({ url: page.url, headers: { authorization: `Bearer ${token}` } });
      if (reply.statusCode !== 200) throw new Error(`${page.url} answered ${reply.statusCode}: ${reply.body}`);
      if (round > 0) page.times.push(performance.now() - from);
    }
  return rows.map(({ sort, pages: [first, middle, last] }) => ({
    sort,
    first: median(first!.times),
    middle: median(middle!.times),
    last: median(last!.times),
  }));
}

/** Reads over a socket, so memory shows only the server's share. */
async function measureExport(app: App, token: string): Promise<{ seconds: number; mebibytes: number; bytes: number }> {
  const address = await app.http.listen({ host: '127.0.0.1', port: 0 });
  await turn();
  globalThis.gc?.();
  const memory = createMemoryWatch(20);
  const from = performance.now();
  let bytes = 0;
  let grown = 0;
  try {
    const reply = await fetch(`${address}/api/users/export`, { headers: { authorization: `Bearer ${token}` } });
    if (!reply.ok || !reply.body) throw new Error(`The export answered ${reply.status}: ${await reply.text()}`);
    for await (const chunk of reply.body) bytes += (chunk as Uint8Array).length;
  } finally {
    ({ grown } = memory());
  }
  return { seconds: (performance.now() - from) / 1000, mebibytes: grown / MEBIBYTE, bytes };
}

async function fill(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(`create temporary table levels (place int, id uuid, role text, username text) on commit drop`);
    await tx.query(
      `insert into levels values (2, gen_random_uuid(), 'admin', 'bench-admin'),
         (3, gen_random_uuid(), 'superdistributor', 'bench-super'), (4, gen_random_uuid(), 'distributor', 'bench-distributor')`,
    );
    await tx.query('insert into networks (admin_id) select id from levels where place = 2');
    const insert = `insert into accounts (id, network_id, role, chain, parent_id, username, unique_id, password_hash, commission,
      commission_granted, note, active, created_at, last_login_at)`;
    await tx.query(
      `${insert}
       with root as (select id, password_hash from accounts where role = 'superadmin'),
       chains as (
         select l.*, array[(select id from root)] || array(select up.id from levels up where up.place <= l.place order by up.place) as chain
         from levels l)
       select id, (select id from networks
         where admin_id = (select id from levels where place = 2)), role, chain, chain[place - 1], username, 'L' || place,
              (select password_hash from root), 0, true, 'bench', true, now(), null from chains`,
    );
    await tx.query(
      `${insert}
       select new.id, p.network_id, 'retailer', p.chain || new.id, p.id, 'retailer-' || new.n, 'R' || lpad(new.n::text, 6, '0'),
              p.password_hash, 100, true, 'bench', true, now() - new.n * interval '1 minute', null
       from (select n, gen_random_uuid() as id from generate_series(1, $1::int) n) new, accounts p where p.role = 'distributor'`,
      [PLAYERS / PLAYERS_PER_RETAILER],
    );
    await tx.query(
      `${insert}
       select new.id, p.network_id, 'user', p.chain || new.id, p.id, 'player-' || new.n,
              'U' || upper(substr(md5(new.n::text), 1, 10)), p.password_hash, (new.n * 37) % 500, true, 'bench', new.n % 10 <> 0,
              now() - (new.n * 7919::bigint % $1::int) * interval '1 second',
              case when new.n % 3 = 0 then now() - (new.n * 104729::bigint % $1::int) * interval '1 second' end
       from (select n, gen_random_uuid() as id, 'retailer-' || (1 + n * 31 % $2::int) as parent from generate_series(1, $1::int) n) new
       join accounts p on p.username = new.parent`,
      [PLAYERS, PLAYERS / PLAYERS_PER_RETAILER],
    );
    await tx.query(
      `insert into wallets (network_id, id, owner_id, kind, balance)
       select a.network_id, row_number() over (order by a.id, k.kind), a.id, k.kind,
              case when k.kind = ${WALLET_KINDS.credit} and a.role = 'user' then abs(hashtext(a.username)) % 100000 else 0 end
       from accounts a, (values (${WALLET_KINDS.credit}), (${WALLET_KINDS.commission})) k (kind) where a.network_id <> ${ROOT_NETWORK}`,
    );
    await tx.query(
      `insert into sessions (token_hash, account_id, created_at, last_used_at, ip, user_agent)
       select sha256(id::text::bytea), id, now(), now(), '127.0.0.1', 'bench' from accounts
       where role = 'user' and abs(hashtext(username)) % 20 = 0`,
    );
  });
  await db.query('vacuum analyze');
}
