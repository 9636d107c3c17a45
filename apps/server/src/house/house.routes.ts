import type { Change } from '@drawhouse/contract/activity/activity';
import { imageAddress } from '@drawhouse/contract/games/game-catalogue';
import { DEFAULT_AGE_NOTICE, DEFAULT_GAMBLING_HELP, type GamblingHelp } from '@drawhouse/contract/house/gambling-help';
import * as contract from '@drawhouse/contract/house/house';
import type { House, HouseChange } from '@drawhouse/contract/house/house';
import type { Actor } from '../accounts/authority.ts';
import { decodeImage, dropUnusedImages, keepImages, type ImageFiles } from '../games/catalogue/game-images.ts';
import { handle, handleFiles, type BoundRoute, type Call } from '../platform/http/handler.ts';
import type { Services } from '../platform/services.ts';
import { changeOf } from '../activity/append-activity.ts';
import { runCommand } from '../activity/run-command.ts';
import type { Queryable, Tx } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { HOUSE_TEXTS } from './house-texts.ts';

export function houseRoutes(services: Services, house: HouseReader): BoundRoute<Actor>[] {
  return [
    handle(contract.readHouse, async () => ({ data: await house.read() })),
    handleFiles(contract.changeHouse, decodeImage, ({ body, files }, call: Call<Actor>) =>
      changeHouse(services, call, { body, files }, house.forget),
    ),
  ];
}

export interface HouseRow {
  name: string;
  color: string | null;
  help_line: string;
  age_notice: string;
  terms: string;
  gambling_help: GamblingHelp[] | null;
  logo: Buffer | null;
  logo_width: number | null;
  logo_height: number | null;
}

const UNSET: HouseRow = {
  name: 'Drawhouse',
  color: null,
  help_line: '',
  age_notice: DEFAULT_AGE_NOTICE,
  terms: '',
  gambling_help: null,
  logo: null,
  logo_width: null,
  logo_height: null,
};

function toHouse(row: HouseRow): House {
  return {
    name: row.name,
    logo: row.logo && {
      url: imageAddress(row.logo.toString('hex')),
      width: row.logo_width!,
      height: row.logo_height!,
    },
    color: row.color,
    helpLine: row.help_line,
    ageNotice: row.age_notice,
    terms: row.terms,
    gamblingHelp: [...(row.gambling_help ?? DEFAULT_GAMBLING_HELP)],
  };
}

export async function readRow(on: Queryable): Promise<HouseRow> {
  const [row] = await on.query<HouseRow>(
    sql`select name, color, help_line, age_notice, terms, gambling_help, logo, logo_width, logo_height
        from house_settings`.named('house'),
  );
  return row ?? UNSET;
}

/** Every page needs the house. */
const CACHE_MS = 5_000;

export interface HouseReader {
  read(this: void): Promise<House>;
  /** Never rejects: without a database, the last known house, or the defaults. */
  readForPage(this: void): Promise<House>;
  forget(this: void): void;
}

export function createHouseReader({ db, clock }: Services): HouseReader {
  let kept: { readonly atMs: number; readonly house: Promise<House> } | undefined;
  let last = toHouse(UNSET);
  const read = (): Promise<House> => {
    const atMs = clock.now().getTime();
    // The clock may have stepped back.
    if (kept && Math.abs(atMs - kept.atMs) < CACHE_MS) return kept.house;
    const reading = { atMs, house: readRow(db).then(toHouse) };
    kept = reading;
    reading.house.then(
      (house) => void (last = house),
      () => void (kept === reading && (kept = undefined)),
    );
    return reading.house;
  };
  return { read, readForPage: () => read().catch(() => last), forget: () => void (kept = undefined) };
}

const LOGO = 'logo';
/** Each change writes the whole row. */
export const ONE_AT_A_TIME = sql`select pg_advisory_xact_lock(738215006)`;

function changeHouse(
  services: Services,
  call: Call<Actor>,
  { body, files }: { readonly body: HouseChange; readonly files: ImageFiles },
  changed: () => void,
): Promise<{ message: string; data: House }> {
  return runCommand(services, call, async (tx) => {
    await tx.query(ONE_AT_A_TIME);
    const before = await readRow(tx);
    const logo = files.get(LOGO);
    await keepImages(tx, files);
    const after: HouseRow = {
      name: body.name ?? before.name,
      color: body.color === undefined ? before.color : body.color || null,
      help_line: body.helpLine ?? before.help_line,
      age_notice: body.ageNotice ?? before.age_notice,
      terms: body.terms ?? before.terms,
      gambling_help: body.gamblingHelp === undefined ? before.gambling_help : body.gamblingHelp,
      logo: logo ? logo.hash : body.logo === undefined ? before.logo : null,
      logo_width: logo ? logo.width : body.logo === undefined ? before.logo_width : null,
      logo_height: logo ? logo.height : body.logo === undefined ? before.logo_height : null,
    };
    const changes = changesOf(before, after);
    if (changes.length > 0) await writeRow(tx, before, after);
    tx.onCommit(changed);
    return {
      result: { message: HOUSE_TEXTS.changed, data: toHouse(after) },
      subject: changes.length === 0 ? null : HOUSE_TEXTS.subject,
      changes,
    };
  });
}

export async function writeRow(tx: Tx, before: HouseRow, after: HouseRow): Promise<void> {
  const help = after.gambling_help && JSON.stringify(after.gambling_help);
  const values = sql.join([
    after.name,
    after.color,
    after.help_line,
    after.age_notice,
    after.terms,
    sql`${help}::jsonb`,
    after.logo,
    after.logo_width,
    after.logo_height,
  ]);
  const columns = sql.raw('name, color, help_line, age_notice, terms, gambling_help, logo, logo_width, logo_height');
  await tx.query(
    sql`insert into house_settings (id, ${columns}) values (1, ${values})
        on conflict (id) do update set (${columns}) = row(${values})`,
  );
  await dropUnusedImages(tx, before.logo ? [before.logo] : []);
}

export function changesOf(before: HouseRow, after: HouseRow): Change[] {
  const wordsOf = ({ gambling_help: lines }: HouseRow): string =>
    lines === null
      ? 'The default list'
      : lines.map(({ country, name, contact }) => `${country}: ${name}, ${contact}`).join('; ') || 'None';
  const shownOf = (text: string): string | null => text || null;
  const hexOf = ({ logo }: HouseRow): string | null => logo && logo.toString('hex').slice(0, 12);
  return [
    ...changeOf('Name', before.name, after.name),
    ...changeOf('Color', before.color, after.color),
    ...changeOf('Help line', shownOf(before.help_line), shownOf(after.help_line)),
    ...changeOf('Age notice', shownOf(before.age_notice), shownOf(after.age_notice)),
    // Too long to repeat in the log.
    ...(before.terms === after.terms ? [] : changeOf('Terms', null, after.terms === '' ? 'Removed' : 'Changed')),
    ...changeOf('Gambling help lines', wordsOf(before), wordsOf(after)),
    ...changeOf('Logo', hexOf(before), hexOf(after)),
  ];
}
