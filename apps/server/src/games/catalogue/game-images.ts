import { imageAddress, LABELLED_DIGITS_MAX } from '@drawhouse/contract/games/game-catalogue';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { CallError } from '../../platform/http/http-errors.ts';
import { sql } from '../../platform/db/sql/sql.ts';
import type { DecodedImage } from './decode-image.ts';
import { GAME_TEXTS } from '../games-texts.ts';

/** Keys: `logo`, `image`, `images.0` upward. */
export type ImageFiles = ReadonlyMap<string, DecodedImage>;

/** Cleanup must never drop an image just assigned. */
const ONE_AT_A_TIME = 'select pg_advisory_xact_lock(738215004)';

/** Returns images by position. Labelled games need one per digit, others none. Throws INVALID_INPUT with the count. */
export function imagesAfter(
  game: { readonly labelled: boolean; readonly digits: number },
  present: readonly Buffer[],
  files: ImageFiles,
): Buffer[] {
  const sent = [...files].flatMap(([name, { hash }]) =>
    name.startsWith('images.') ? [[Number(name.slice('images.'.length)), hash] as const] : [],
  );
  if (!game.labelled) {
    if (sent.length > 0) throw wrong('images', GAME_TEXTS.imagesNeedLabel);
    return [];
  }
  if (game.digits > LABELLED_DIGITS_MAX)
    throw wrong('label', GAME_TEXTS.tooManyImages(LABELLED_DIGITS_MAX, game.digits));
  const after = new Map([...present.entries(), ...sent]);
  const missing = Array.from({ length: game.digits }, (_, index) => index).filter((index) => !after.has(index));
  const beyond = sent.filter(([index]) => index >= game.digits).length;
  if (missing.length > 0 || beyond > 0) {
    const there = game.digits - missing.length + beyond;
    throw wrong('images', GAME_TEXTS.wrongImageCount(game.digits, there));
  }
  return Array.from({ length: game.digits }, (_, index) => after.get(index)!);
}

function wrong(field: string, message: string): CallError {
  return new CallError('INVALID_INPUT', { fields: { [field]: message } });
}

export async function keepImages(tx: Tx, files: ImageFiles): Promise<void> {
  if (files.size === 0) return;
  await tx.query(ONE_AT_A_TIME);
  for (const { hash, content } of files.values())
    await tx.query(sql`insert into images (hash, content) values (${hash}, ${content}) on conflict do nothing`);
}

export async function setOutcomeImages(tx: Tx, gameId: string, hashes: readonly Buffer[]): Promise<void> {
  const hex = hashes.map((hash) => hash.toString('hex'));
  const wanted = sql`select nth - 1, decode(hash, 'hex') from unnest(${hex}::text[]) with ordinality as image (hash, nth)`;
  await tx.query(sql`delete from game_images where game_id = ${gameId} and (position, hash) not in (${wanted})`);
  await tx.query(
    sql`insert into game_images (game_id, position, hash) select ${gameId}::uuid, w.* from (${wanted}) as w on conflict do nothing`,
  );
}

export async function dropUnusedImages(tx: Tx, hashes: readonly Buffer[]): Promise<void> {
  if (hashes.length === 0) return;
  await tx.query(ONE_AT_A_TIME);
  await tx.query(
    sql`delete from images i where i.hash = any(select decode(hash, 'hex')
      from unnest(${hashes.map((hash) => hash.toString('hex'))}::text[]) as hash)
       and not exists (select from game_images o where o.hash = i.hash)
       and not exists (select from games g where g.logo = i.hash or g.image = i.hash)
       and not exists (select from house_settings h where h.logo = i.hash)`,
  );
}

export async function findImage(on: Queryable, hash: string): Promise<Buffer | undefined> {
  const [row] = await on.query<{ content: Buffer }>(
    sql`select content from images where hash = decode(${hash}, 'hex')`.named('image'),
  );
  return row?.content;
}

export async function outcomeImages(on: Queryable, gameId: string): Promise<string[]> {
  const rows = await on.query<{ hash: string }>(
    sql`select encode(hash, 'hex') as hash from game_images where game_id = ${gameId} order by position`.named(
      'outcome-images',
    ),
  );
  return rows.map(({ hash }) => imageAddress(hash));
}

export async function allOutcomeImages(on: Queryable): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await on.query<{ game_id: string; hashes: string[] }>(
    sql`select game_id, array_agg(encode(hash, 'hex') order by position) as hashes from game_images group by game_id`.named(
      'all-outcome-images',
    ),
  );
  return new Map(rows.map(({ game_id, hashes }) => [game_id, hashes.map((hash) => imageAddress(hash))]));
}
