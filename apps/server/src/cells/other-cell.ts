import { CELL_HEADER } from '@drawhouse/contract/core/route';
import { pinnedCell } from '../platform/settings/pinned-settings.ts';
import type { BoundRoute, Caller } from '../platform/http/handler.ts';
import { CallError } from '../platform/http/http-errors.ts';
import type { Peer, Services } from '../platform/services.ts';
import { CELLS_TEXTS } from './cells-texts.ts';

type InGroup = Pick<Services, 'directory'>;

/** Cell name at the start of a session token, by which proxies route calls. */
const CELL_IN_TOKEN = /^([a-z][a-z0-9-]{0,15})\./;

export function tokenOfCell({ directory }: InGroup, secret: string): string {
  return directory ? `${directory.cell}.${secret}` : secret;
}

export function requireOwnToken({ directory }: InGroup, token: string): void {
  const cell = CELL_IN_TOKEN.exec(token)?.[1];
  if (directory && cell !== undefined && cell !== directory.cell) throw otherCell(cell);
}

/** Throws OTHER_CELL if another cell signs the name in, NOT_READY if the directory is down. */
export async function requireOwnName({ directory }: InGroup, username: string): Promise<void> {
  const cell = await directory?.cellOfName(username);
  if (cell !== undefined && cell !== directory!.cell) throw otherCell(cell);
}

export async function requireOwnNetwork({ directory }: InGroup, adminId: string): Promise<void> {
  const cell = await directory?.cellOf(adminId);
  if (cell !== undefined && cell !== directory!.cell) throw otherCell(cell);
}

const otherCell = (cell: string): CallError => new CallError('OTHER_CELL', { cell });

/** Number of the first network of the first cell. */
const FIRST = 1;

/** The cell that owns the catalogue. Undefined in that cell itself, and without a group. */
export async function firstCellElsewhere({
  db,
  directory,
}: Pick<Services, 'db' | 'directory'>): Promise<(() => Promise<Peer | undefined>) | undefined> {
  if (!directory || (await pinnedCell(db))?.firstNetwork === FIRST) return undefined;
  // A rebuilt directory may lack the first cell for now.
  return async () => (await directory.peers()).find(({ firstNetwork }) => firstNetwork === FIRST);
}

export function refuseOutsideFirstCell<C extends Caller>(
  services: Pick<Services, 'db' | 'directory'>,
  bound: BoundRoute<C>,
): BoundRoute<C> {
  if (!services.directory || bound.route.inFirstCell !== true) return bound;
  return {
    ...bound,
    handler: async (input, call) => {
      await requireFirstCell(services);
      return bound.handler(input, call);
    },
  };
}

export async function requireFirstCell(services: Pick<Services, 'db' | 'directory'>): Promise<void> {
  const findFirst = await firstCellElsewhere(services);
  if (!findFirst) return;
  const first = await findFirst().catch(() => undefined);
  throw new CallError('NOT_ALLOWED', { message: CELLS_TEXTS.inFirstCell(first?.cell) });
}

/**
 * For an object that this cell lacks: throws OTHER_CELL with the next cell to ask. The header of the call carries the
 * first cell asked, which ends the round.
 */
export async function nameNextCell({ directory }: InGroup, header: string | undefined): Promise<void> {
  if (!directory) return;
  const from = header?.split(';from=')[1] ?? directory.cell;
  const next = await directory.nextCell();
  if (next !== from) throw otherCell(`${next};from=${from}`);
}

export function askNextCell<C extends Caller>(services: InGroup, bound: BoundRoute<C>): BoundRoute<C> {
  if (!services.directory || bound.route.inAnyCell !== true) return bound;
  return {
    ...bound,
    handler: (input, call) =>
      bound.handler(input, call).catch(async (error: unknown) => {
        if (error instanceof CallError && error.code === 'NOT_FOUND')
          await nameNextCell(services, call.header(CELL_HEADER));
        throw error;
      }),
  };
}
