import { ROOT_NETWORK } from '@drawhouse/rules/records/ledger-kinds';
import { appendActivity, SYSTEM } from '../activity/append-activity.ts';
import type { AskCell, CellRead } from '../cells/call-cell.ts';
import { fetchImages, findFirstCell, NotFollowed } from '../games/catalogue/follow-catalogue.ts';
import { keepImages } from '../games/catalogue/game-images.ts';
import { NOWHERE } from '../platform/http/handler.ts';
import type { Services } from '../platform/services.ts';
import { HOUSE_TEXTS } from './house-texts.ts';
import { changesOf, ONE_AT_A_TIME, readRow, writeRow, type HouseRow } from './house.routes.ts';

// All cells of a group show one house. Only the first cell changes it, as the catalogue.

const HOUSE_CALL = 'cells/house';

/** The logo by its hash. */
type SharedHouse = Omit<HouseRow, 'logo'> & { readonly logo: string | null };

const toShared = ({ logo, ...row }: HouseRow): SharedHouse => ({ ...row, logo: logo && logo.toString('hex') });

/** Answers another cell. Undefined for other calls. */
export function answerHouse({ db }: Pick<Services, 'db'>, { path }: CellRead): Promise<object> | undefined {
  return path === HOUSE_CALL ? readRow(db).then(toShared) : undefined;
}

/** `changed` forgets the cached house. */
export async function followHouse(services: Services, ask: AskCell, changed: () => void): Promise<void> {
  const found = await findFirstCell(services, ask);
  if (!found) return;
  const { first, call } = found;
  const shared = (await call(HOUSE_CALL)) as SharedHouse;
  const own = await readRow(services.db);
  if (Object.keys(own).some((name) => !Object.hasOwn(shared, name)))
    throw new NotFollowed(`${first.cell} has another version, which shares its house otherwise.`);
  const after = { ...shared, logo: shared.logo === null ? null : Buffer.from(shared.logo, 'hex') };
  if (changesOf(own, after).length === 0) return;
  const images = await fetchImages(services.db, call, [shared.logo]);
  await services.db.transaction(async (tx) => {
    await tx.query(ONE_AT_A_TIME);
    const before = await readRow(tx);
    const changes = changesOf(before, after);
    if (changes.length === 0) return;
    await keepImages(tx, images);
    await writeRow(tx, before, after);
    const by = { accountId: null, username: SYSTEM, origin: NOWHERE };
    await appendActivity(tx, ROOT_NETWORK, services, [{ ...by, subject: HOUSE_TEXTS.followed(first.cell), changes }]);
    tx.onCommit(changed);
  });
}
