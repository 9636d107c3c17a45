import { randomInt } from 'node:crypto';
import type { GameChange, GameToAdd } from '@drawhouse/contract/games/game-catalogue';
import type { Game } from '@drawhouse/contract/games/games';
import { FAMILIES, type FamilyName } from '@drawhouse/rules/games/catalogue';
import { rulesFor } from '@drawhouse/rules/games/rules';
import { canonicalJson } from '@drawhouse/rules/canonical-json';
import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import type { Actor } from '../../accounts/authority.ts';
import { runCommand } from '../../activity/run-command.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import type { Services } from '../../platform/services.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import type { Call } from '../../platform/http/handler.ts';
import { CATALOGUE, toGame, type CatalogueRow } from './catalogue-rows.ts';
import { dropUnusedImages, imagesAfter, keepImages, setOutcomeImages, type ImageFiles } from './game-images.ts';
import { readPays, readUnitPrice } from '../pairs/game-pays.ts';
import { gamePanelsChanged } from '../pairs/pairs.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import { GAME_FIELD_TEXTS } from '@drawhouse/contract/games/game-texts';
import { GAME_TEXTS, GAME_SUBJECTS } from '../games-texts.ts';

export type HasDraws = (on: Queryable, gameId: string) => Promise<boolean>;

type GameFields = Pick<
  CatalogueRow,
  | 'name'
  | 'family'
  | 'digits'
  | 'status'
  | 'unit_price'
  | 'pays'
  | 'result_mode'
  | 'manual_claims'
  | 'description'
  | 'publisher'
  | 'released'
  | 'labelled'
  | 'logo'
  | 'image'
>;

const KEY_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';
const KEY_LENGTH = 8;

/** Blocks opening and assignment until commit. */
export async function lockGame(tx: Tx, id: string): Promise<CatalogueRow> {
  const [row] = await tx.query<CatalogueRow>(
    sql`select ${CATALOGUE} from games g where g.id = ${id} and g.deleted_at is null for update of g`,
  );
  if (!row) throw new CallError('NOT_FOUND', { message: GAME_FIELD_TEXTS.notFound });
  return row;
}

/** Key: eight random characters. */
export function addGame(services: Services, call: Call<Actor>, body: GameToAdd, files: ImageFiles): Promise<Game> {
  return runCommand(services, call, async (tx) => {
    const game: GameFields = {
      name: body.gameName,
      family: (body.family ?? 'numbers') as FamilyName,
      digits: body.nodigit,
      status: body.gameStatus ?? body.status ?? 'active',
      unit_price: readUnitPrice(body.unitPrice ?? 1),
      pays: null,
      result_mode: body.resultMode ?? 'open',
      manual_claims: body.manualClaims === 'yes',
      description: (body.gameDescription ?? body.description)!,
      publisher: body.publisher,
      released: body.releaseDate,
      labelled: body.label === 'yes',
      logo: files.get('logo')?.hash ?? null,
      image: files.get('image')?.hash ?? null,
    };
    const gameKey = Array.from({ length: KEY_LENGTH }, () => KEY_LETTERS[randomInt(KEY_LETTERS.length)]).join('');
    requireFitting({ ...game, game_key: gameKey });
    game.pays = readPays({ ...game, game_key: gameKey }, body.pays ?? null);
    const images = imagesAfter(game, [], files);
    await keepImages(tx, files);
    const id = services.newId();
    await tx.query(
      sql`insert into games (id, game_key, ${GAME_FIELDS}) values (${id}, ${gameKey}, ${sql.join(columnsOf(game))})`,
    );
    await setTimes(tx, id, [body.timeId].flat());
    await setOutcomeImages(tx, id, images);
    const added = toGame(await lockGame(tx, id));
    return {
      result: added,
      subject: GAME_SUBJECTS.added(game.name),
      detail: { gameId: gameKey, after: recordOf(added) },
    };
  });
}

/**
 * The key is immutable; family and digits only change before the first draw (GAME_IN_USE). Open draws keep their terms.
 */
export function changeGame(
  services: Services,
  call: Call<Actor>,
  { id, body, files }: { id: string; body: GameChange; files: ImageFiles },
  hasDraws: HasDraws,
): Promise<Game> {
  return runCommand(services, call, async (tx) => {
    const row = await lockGame(tx, id);
    const game: GameFields = {
      name: body.gameName ?? row.name,
      family: (body.family ?? row.family) as FamilyName,
      digits: body.nodigit ?? row.digits,
      status: body.status ?? body.gameStatus ?? row.status,
      unit_price: body.unitPrice === undefined ? row.unit_price : readUnitPrice(body.unitPrice),
      pays: row.pays,
      result_mode: body.resultMode ?? row.result_mode,
      manual_claims: body.manualClaims === undefined ? row.manual_claims : body.manualClaims === 'yes',
      description: body.description ?? body.gameDescription ?? row.description,
      publisher: body.publisher ?? row.publisher,
      released: body.releaseDate ?? row.released,
      labelled: body.label === undefined ? row.labelled : body.label === 'yes',
      logo: files.get('logo')?.hash ?? (body.logo === undefined ? row.logo : null),
      image: files.get('image')?.hash ?? (body.image === undefined ? row.image : null),
    };
    await requireUnfixed(tx, row, game, hasDraws);
    requireFitting({ ...game, game_key: row.game_key });
    if (body.pays !== undefined) game.pays = readPays({ ...game, game_key: row.game_key }, body.pays);
    else if (game.family !== row.family || game.digits !== row.digits) game.pays = null;
    const present = row.images.map((hash) => Buffer.from(hash, 'hex'));
    const images = imagesAfter(game, present, files);
    await keepImages(tx, files);
    await tx.query(sql`update games set (${GAME_FIELDS}) = row(${sql.join(columnsOf(game))}) where id = ${id}`);
    if (body.timeId !== undefined) await setTimes(tx, id, [body.timeId].flat());
    await setOutcomeImages(tx, id, images);
    await dropUnusedImages(tx, [...present, ...[row.logo, row.image].filter((hash) => hash !== null)]);
    const [before, changed] = [toGame(row), toGame(await lockGame(tx, id))];
    const difference = differenceOf(recordOf(before), recordOf(changed));
    await gamePanelsChanged(services, tx, row);
    return {
      result: changed,
      subject: difference ? GAME_SUBJECTS.changed(row.name) : null,
      detail: { gameId: row.game_key, ...difference },
      guarded: [
        ...(hasOtherPays(row, game) ? [{ kind: 'pays', networkId: ROOT_NETWORK } as const] : []),
        ...(isWeakerMode(row, game) ? [{ kind: 'guards', networkId: ROOT_NETWORK } as const] : []),
      ],
    };
  });
}

const STRICTNESS = ['open', 'two-person', 'generated'] as const;
const isWeakerMode = (before: GameFields, after: GameFields): boolean =>
  STRICTNESS.indexOf(after.result_mode) < STRICTNESS.indexOf(before.result_mode);

const hasOtherPays = (before: GameFields, after: GameFields): boolean =>
  before.unit_price !== after.unit_price || canonicalJson(before.pays) !== canonicalJson(after.pays);

/** After deactivation the current draw finishes and none follows. */
export function toggleGame(
  services: Services,
  call: Call<Actor>,
  { id, active }: { id: string; active: boolean },
): Promise<Game> {
  return runCommand(services, call, async (tx) => {
    const row = await lockGame(tx, id);
    const status = active ? 'active' : 'inactive';
    await tx.query(sql`update games set status = ${status} where id = ${id}`);
    await gamePanelsChanged(services, tx, row);
    return {
      result: toGame({ ...row, status }),
      subject: row.status === status ? null : GAME_SUBJECTS.toggled(active ? 'Activated' : 'Deactivated', row.name),
      detail: { gameId: row.game_key, before: { status: row.status }, after: { status } },
    };
  });
}

/** Returns the number of admins that had it. */
export async function removeGame(services: Services, tx: Tx, row: CatalogueRow, at: Date): Promise<number> {
  const taken = await gamePanelsChanged(services, tx, row);
  for (const networkId of taken)
    await tx.query(sql`delete from network_games where network_id = ${networkId} and game_id = ${row.game_id}`);
  await tx.query(sql`delete from game_times where game_id = ${row.game_id}`);
  const images = await tx.query<{ hash: Buffer }>(
    sql`delete from game_images where game_id = ${row.game_id} returning hash`,
  );
  await tx.query(
    sql`update games set deleted_at = ${at}, status = 'inactive', labelled = false, logo = null, image = null,
       schedule_id = null where id = ${row.game_id}`,
  );
  await dropUnusedImages(tx, [
    ...images.map(({ hash }) => hash),
    ...[row.logo, row.image].filter((hash) => hash !== null),
  ]);
  return taken.length;
}

function requireFitting({ game_key: gameId, family, digits }: GameFields & { game_key: string }): void {
  try {
    rulesFor({ gameId, family, digits });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const field = FAMILIES.includes(family) ? 'nodigit' : 'family';
    throw new CallError('INVALID_INPUT', { fields: { [field]: error.message } });
  }
}

async function requireUnfixed(tx: Tx, row: CatalogueRow, game: GameFields, hasDraws: HasDraws): Promise<void> {
  const fields = {
    ...(game.family !== row.family && { family: GAME_TEXTS.familyFixed(row.family) }),
    ...(game.digits !== row.digits && {
      nodigit: GAME_TEXTS.digitsFixed(row.digits),
    }),
  };
  if (Object.keys(fields).length > 0 && (await hasDraws(tx, row.game_id)))
    throw new CallError('GAME_IN_USE', { fields });
}

export async function setTimes(tx: Tx, gameId: string, timeIds: readonly string[]): Promise<void> {
  const known = await tx.query<{ id: string }>(
    sql`select id from times where id = any(${timeIds}::uuid[]) for key share`,
  );
  const unknown = timeIds.find((id) => !known.some((time) => time.id === id.toLowerCase()));
  if (unknown !== undefined) throw new CallError('INVALID_INPUT', { fields: { timeId: GAME_TEXTS.noTime(unknown) } });
  const wanted = sql`select id, row_number() over (order by min(nth))
    from unnest(${timeIds}::uuid[]) with ordinality as time (id, nth) group by id`;
  await tx.query(sql`delete from game_times where game_id = ${gameId} and (time_id, position) not in (${wanted})`);
  await tx.query(
    sql`insert into game_times (game_id, time_id, position) select ${gameId}::uuid, w.* from (${wanted}) as w on conflict do nothing`,
  );
}

export const GAME_FIELDS = sql`name, family, digits, status, unit_price, result_mode, description, publisher, release_date, labelled,
  logo, image, pays, manual_claims`;

function columnsOf(game: GameFields): unknown[] {
  const { name, family, digits, status, unit_price: price, result_mode: mode } = game;
  const { description, publisher, released, labelled, logo, image, pays, manual_claims: manual } = game;
  const texts = [description, publisher, released];
  return [
    name,
    family,
    digits,
    status,
    price,
    mode,
    ...texts,
    labelled,
    logo,
    image,
    pays && JSON.stringify(pays),
    manual,
  ];
}

export function recordOf({
  _id,
  gameId: _key,
  returns: _returns,
  timeId,
  pays,
  ...fields
}: Game): Record<string, unknown> {
  return {
    ...fields,
    times: timeId.map(({ timecount }) => timecount),
    pays: Object.fromEntries(pays.map(({ head, pay }) => [head, pay])),
  };
}

export function differenceOf(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): { before: object; after: object } | undefined {
  const changed = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  if (changed.length === 0) return undefined;
  const pick = (of: Record<string, unknown>): object => Object.fromEntries(changed.map((name) => [name, of[name]]));
  return { before: pick(before), after: pick(after) };
}
