import { hash } from 'node:crypto';
import { NOBODY, ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { appendActivity, SYSTEM } from '../../activity/append-activity.ts';
import type { LoggedPart } from '../../activity/run-command.ts';
import type { AskCell, CellRead } from '../../cells/call-cell.ts';
import { firstCellElsewhere } from '../../cells/other-cell.ts';
import { hasTableBalance } from '../../ledger/wallets.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { sql, type Sql } from '../../platform/db/sql/sql.ts';
import { NOWHERE } from '../../platform/http/handler.ts';
import type { Peer, Services } from '../../platform/services.ts';
import { deletedSubject, GAME_SUBJECTS } from '../games-texts.ts';
import { gamePanelsChanged } from '../pairs/pairs.ts';
import { LOCK_TIMES } from '../times/change-times.ts';
import { CATALOGUE, toGame, type CatalogueRow } from './catalogue-rows.ts';
import { DRAWS_CALL } from './drawn-in-any-cell.ts';
import { dropUnusedImages, findImage, keepImages, setOutcomeImages } from './game-images.ts';
import { differenceOf, GAME_FIELDS, recordOf, removeGame, setTimes, type HasDraws } from './save-game.ts';

// All cells of a group share one catalogue. Only the first cell changes it. Each other cell compares its own with it
// every few seconds, and takes over and logs the differences.

const CATALOGUE_CALL = 'cells/catalogue';
const IMAGE_CALL = 'cells/catalogue-image';

interface SharedGame {
  readonly id: string;
  readonly key: string;
  readonly isDeleted: boolean;
  /** Row of `games` as JSON. */
  readonly content: string;
  /** Interval ids differ between cells. */
  readonly seconds: readonly number[];
  readonly images: readonly string[];
  readonly logo: string | null;
  readonly image: string | null;
}

interface SharedCatalogue {
  readonly games: readonly SharedGame[];
  readonly schedules: readonly string[];
  readonly seconds: readonly number[];
}

/** Answers another cell. Undefined for other calls. */
export function answerCatalogue(
  { db }: Pick<Services, 'db'>,
  hasDraws: HasDraws,
  { path, query }: CellRead,
): Promise<object> | undefined {
  if (path === CATALOGUE_CALL) return readShared(db);
  if (path === DRAWS_CALL) return hasDraws(db, query['id'] ?? NOBODY).then((found) => ({ hasDraws: found }));
  if (path !== IMAGE_CALL) return undefined;
  return findImage(db, query['hash'] ?? '').then((content) => ({ content: content?.toString('base64') ?? null }));
}

interface Following {
  readonly ask: AskCell;
  readonly hasDraws: HasDraws;
}

/** The first cell can't be followed for now. */
export class NotFollowed extends Error {}

/** Throws NotFollowed if the first cell does not answer. */
export type CallFirst = (path: string, query?: CellRead['query']) => Promise<object>;

/** Undefined in the first cell itself. */
export async function findFirstCell(
  services: Services,
  ask: AskCell,
): Promise<{ readonly first: Peer; readonly call: CallFirst } | undefined> {
  const findFirst = await firstCellElsewhere(services);
  if (!findFirst) return undefined;
  const first = await findFirst();
  if (!first) throw new NotFollowed('The directory does not have the first cell. Start that cell.');
  const call: CallFirst = (path, query = {}) =>
    ask(first, { path, params: {}, query, caller: '', permissions: [] }).catch((cause: Error) => {
      throw new NotFollowed(`${first.cell} does not answer: ${cause.message}`, { cause });
    });
  return { first, call };
}

/** Terms that this cell keeps differ for good. A retry takes locks, so equal catalogues are compared again this late. */
const RETRY_MS = 60_000;

/** Throws NotFollowed if some games could not be taken over. */
export function createCatalogueFollower(services: Services, { ask, hasDraws }: Following): () => Promise<void> {
  let last: { pair: string; atMs: number; problem?: NotFollowed | undefined } = { pair: '', atMs: 0 };
  return async () => {
    const found = await findFirstCell(services, ask);
    if (!found) return;
    const { first, call } = found;
    const shared = await call(CATALOGUE_CALL);
    if (!isShared(shared)) throw new NotFollowed(`${first.cell} has another version, which shares games otherwise.`);
    const own = await readShared(services.db);
    if (!differs(own, shared)) return;
    const nowMs = services.clock.now().getTime();
    if (nowMs - last.atMs >= RETRY_MS || pairOf(own, shared) !== last.pair) {
      const wanted = shared.games.flatMap(({ logo, image, images }) => [logo, image, ...images]);
      const images = await fetchImages(services.db, call, wanted);
      const problem = await services.db.transaction((tx) =>
        takeOver(services, tx, shared, { first, images, hasDraws }),
      );
      last = { pair: pairOf(await readShared(services.db), shared), atMs: nowMs, problem };
    }
    if (last.problem) throw last.problem;
  };
}

/** Cells may run different versions. */
function isShared(answer: object | undefined): answer is SharedCatalogue {
  const { games, schedules, seconds } = (answer ?? {}) as Record<string, unknown>;
  return [games, schedules, seconds].every((each) => Array.isArray(each));
}

async function readShared(on: Queryable): Promise<SharedCatalogue> {
  const [row] = await on.query<Omit<SharedCatalogue, 'games'> & Record<string, unknown>>(
    sql`select (select coalesce(array_agg(seconds order by seconds), '{}') from times) as seconds,
      (select coalesce(array_agg((to_jsonb(s) - 'written_by')::text order by id), '{}') from schedules s) as schedules`,
  );
  return { games: await readGames(on), ...row! };
}

function readGames(on: Queryable): Promise<(SharedGame & Record<string, unknown>)[]> {
  return on.query(
    sql`select g.id, g.game_key as key, g.deleted_at is not null as "isDeleted",
      (to_jsonb(g) - '{written_by,deleted_at}'::text[])::text as content, encode(g.logo, 'hex') as logo,
      encode(g.image, 'hex') as image,
      (select coalesce(array_agg(t.seconds order by gt.position), '{}') from game_times gt join times t on t.id = gt.time_id
        where gt.game_id = g.id) as seconds,
      (select coalesce(array_agg(encode(o.hash, 'hex') order by o.position), '{}') from game_images o
        where o.game_id = g.id) as images
      from games g order by g.id`,
  );
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const pairOf = (own: SharedCatalogue, shared: SharedCatalogue): string => hash('sha256', JSON.stringify([own, shared]));

/** Games that only this cell has stay as they are. */
function differs(own: SharedCatalogue, shared: SharedCatalogue): boolean {
  const mine = new Map(own.games.map((game) => [game.id, game]));
  return (
    !isSame(own.seconds, shared.seconds) ||
    !isSame(own.schedules, shared.schedules) ||
    shared.games.some((game) => !isSame(mine.get(game.id), game))
  );
}

type Images = Parameters<typeof keepImages>[1];

export async function fetchImages(on: Queryable, call: CallFirst, wanted: readonly (string | null)[]): Promise<Images> {
  const found = new Map<string, { readonly hash: Buffer; readonly content: Buffer }>();
  for (const of of new Set(wanted)) {
    if (of === null || (await findImage(on, of))) continue;
    const answer = (await call(IMAGE_CALL, { hash: of })) as { readonly content: string | null };
    const content = Buffer.from(answer.content ?? '', 'base64');
    if (hash('sha256', content) !== of) throw new NotFollowed('An image of the first cell did not come.');
    found.set(of, { hash: Buffer.from(of, 'hex'), content });
  }
  return found;
}

interface TakingOver extends Pick<Following, 'hasDraws'> {
  readonly first: Peer;
  readonly images: Images;
}

/** Draws that are open keep their terms, as after any change. Returns the problem of games that stay as they are. */
async function takeOver(
  services: Services,
  tx: Tx,
  shared: SharedCatalogue,
  { first, images, hasDraws }: TakingOver,
): Promise<NotFollowed | undefined> {
  await tx.query(LOCK_TIMES);
  await keepImages(tx, images);
  const times = await tx.query(
    sql`insert into times (id, seconds) select gen_random_uuid(), s from unnest(${[...shared.seconds]}::int[]) as s
      where s not in (select seconds from times) returning id`,
  );
  const schedules = await tx.query<{ id: string }>(
    sql`insert into schedules as s (id, name, plan) select e.id, e.name, e.plan from ${schedulesIn(shared)} as e
      on conflict (id) do update set name = excluded.name, plan = excluded.plan
      where (s.name, s.plan) is distinct from (excluded.name, excluded.plan) returning id`,
  );
  const mine = new Map((await readGames(tx)).map((game) => [game.id, game]));
  const games: LoggedPart[] = [];
  let problem: NotFollowed | undefined;
  for (const game of shared.games) {
    if (isSame(mine.get(game.id), game)) continue;
    await tx.query(sql`savepoint game`);
    try {
      games.push(...(await (mine.has(game.id) ? change(services, tx, game, hasDraws) : add(tx, game))));
    } catch (error) {
      if (!(error instanceof RangeError) && !isRefused(error)) throw error;
      await tx.query(sql`rollback to savepoint game`);
      problem ??= new NotFollowed(`A game was not taken over: ${error.message}`, { cause: error });
    }
  }
  for (const game of await gamesOf(
    tx,
    schedules.map(({ id }) => id),
  ))
    await gamePanelsChanged(services, tx, game);
  const isMore = times.length + schedules.length + games.length > 0;
  if (!(await dropUnused(tx, shared)) && !isMore) return problem;
  const entries = [{ subject: GAME_SUBJECTS.followed(first.cell) }, ...games];
  const by = { accountId: null, username: SYSTEM, origin: NOWHERE };
  await appendActivity(
    tx,
    ROOT_NETWORK,
    services,
    entries.map((entry) => ({ ...by, ...entry })),
  );
  return problem;
}

/** Another version of the first cell may have what this one refuses: SQLSTATE of data and integrity. */
const isRefused = (error: unknown): error is Error =>
  error instanceof Error && /^2[23]...$/.test((error as { code?: string }).code ?? '');

const schedulesIn = ({ schedules }: SharedCatalogue): Sql =>
  sql`jsonb_populate_recordset(null::schedules, ${`[${schedules.join(',')}]`}::jsonb)`;

const rowIn = ({ content }: SharedGame): Sql => sql`jsonb_populate_record(null::games, ${content}::jsonb)`;

const fieldsOf = (row: 'g' | 'e'): Sql =>
  sql.raw([...GAME_FIELDS.text.split(','), 'schedule_id'].map((name) => `${row}.${name.trim()}`).join(', '));

const gamesOf = (tx: Tx, schedules: readonly string[]): Promise<{ game_id: string; game_key: string }[]> =>
  tx.query(
    sql`select id as game_id, game_key from games where schedule_id = any(${[...schedules]}::uuid[]) order by id for update`,
  );

/** A game of this cell alone may have the key. */
async function add(tx: Tx, game: SharedGame): Promise<LoggedPart[]> {
  if (game.isDeleted) return [];
  const added = await tx.query(
    sql`insert into games (id, game_key, ${GAME_FIELDS}, schedule_id) select id, game_key, ${GAME_FIELDS}, schedule_id
      from ${rowIn(game)} on conflict do nothing returning id`,
  );
  if (added.length === 0) return [];
  await setParts(tx, game);
  const row = await lockRow(tx, game);
  return [{ subject: GAME_SUBJECTS.added(row.name), detail: { gameId: game.key, after: recordOf(toGame(row)) } }];
}

async function change(services: Services, tx: Tx, game: SharedGame, hasDraws: HasDraws): Promise<LoggedPart[]> {
  const row = await lockRow(tx, game);
  const isFixed = await hasDraws(tx, game.id);
  const before = recordOf(toGame(row));
  if (game.isDeleted && !isFixed && !(await hasTableBalance(tx, game.id))) {
    if (row.deleted_at) return [];
    const admins = await removeGame(services, tx, row, services.clock.now());
    return [{ subject: deletedSubject(row.name), detail: { gameId: game.key, admins, before } }];
  }
  // Draws here may have begun just after the first cell asked. They fix family and digits, and keep the game.
  const wanted = isFixed ? withOutcomesOf(row, game) : game;
  if (game.isDeleted)
    await tx.query(sql`update games set status = 'inactive' where id = ${game.id} and status <> 'inactive'`);
  else {
    await tx.query(
      sql`update games g set (${GAME_FIELDS}, schedule_id, deleted_at) = row(${fieldsOf('e')}, null) from ${rowIn(wanted)} as e
        where g.id = ${game.id} and (${fieldsOf('g')}, g.deleted_at) is distinct from (${fieldsOf('e')}, null::timestamptz)`,
    );
    await setParts(tx, wanted);
    await dropUnusedImages(tx, [
      ...row.images.map((of) => Buffer.from(of, 'hex')),
      ...[row.logo, row.image].filter((of) => of !== null),
    ]);
  }
  const difference = differenceOf(before, recordOf(toGame(await lockRow(tx, game))));
  if (!difference) return [];
  await gamePanelsChanged(services, tx, row);
  return [{ subject: GAME_SUBJECTS.changed(row.name), detail: { gameId: game.key, ...difference } }];
}

/** Pays and images are per outcome, so a game that keeps its outcomes keeps those too. */
function withOutcomesOf({ family, digits, pays, labelled, images }: CatalogueRow, game: SharedGame): SharedGame {
  const content = JSON.parse(game.content) as Record<string, unknown>;
  if (content['family'] === family && content['digits'] === digits) return game;
  return { ...game, images, content: JSON.stringify({ ...content, family, digits, pays, labelled }) };
}

async function setParts(tx: Tx, { id, seconds, images }: SharedGame): Promise<void> {
  const times = await tx.query<{ id: string }>(
    sql`select t.id from unnest(${[...seconds]}::int[]) with ordinality as wanted (seconds, nth) join times t using (seconds)
      order by nth`,
  );
  await setTimes(
    tx,
    id,
    times.map((time) => time.id),
  );
  await setOutcomeImages(
    tx,
    id,
    images.map((of) => Buffer.from(of, 'hex')),
  );
}

async function lockRow(tx: Tx, { id }: SharedGame): Promise<CatalogueRow & { readonly deleted_at: Date | null }> {
  const [row] = await tx.query<CatalogueRow & { deleted_at: Date | null }>(
    sql`select ${CATALOGUE}, g.deleted_at from games g where g.id = ${id} for update of g`,
  );
  return { ...row!, times: row!.times ?? [] };
}

async function dropUnused(tx: Tx, shared: SharedCatalogue): Promise<boolean> {
  const schedules = await tx.query(
    sql`delete from schedules s where id not in (select id from ${schedulesIn(shared)})
      and not exists (select from games where schedule_id = s.id) returning id`,
  );
  const times = await tx.query(
    sql`delete from times t where seconds <> all(${[...shared.seconds]}::int[])
      and not exists (select from game_times where time_id = t.id) returning id`,
  );
  return schedules.length + times.length > 0;
}
