import { mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { moveToCell } from '../backup/move/move-to-cell.ts';
import { undoMove } from '../backup/move/undo-move.ts';
import { problemsOf } from '../backup/restore/audit-and-swap.ts';
import { backUpNetwork } from '../backup/take/back-up-network.ts';
import { USUAL_WATCH } from '../backup/move/watch-cells.ts';
import type { MovingCell } from '../backup/move/cell-move.ts';
import type { Actor } from '../accounts/authority.ts';
import { readConfig, type Config } from '../config/config.ts';
import type { Database } from '../platform/db/database.ts';
import { sql } from '../platform/db/sql/sql.ts';
import { NOWHERE } from '../platform/http/handler.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { withExistingDatabase } from './command-line.ts';
import { NETWORK_COMMAND } from './commands-texts.ts';
import { networksOf, type NamedNetwork } from './run-backup.ts';
import { withRestoreTools, type RestoreTools } from './run-restore.ts';

export interface MoveWish {
  readonly what: 'move';
  readonly admin: string;
  readonly to: string;
  readonly settings: string;
  readonly under: string | undefined;
}

export interface UndoWish {
  readonly what: 'undo';
  readonly admin: string;
  readonly settings: string;
}

type Say = (sentence: string) => void;

const BY = 'npm run network';
const MOVE = { verb: 'move', noun: 'Move' };

export async function moveAdmin(config: Config, wish: MoveWish, say: Say): Promise<string> {
  const other = await readOther(wish.settings);
  if (other.cellName !== wish.to) throw new Error(NETWORK_COMMAND.otherCell(wish.settings, other.cellName!));
  return withTools(config, (from) => withTools(other, (to) => move(from, to, wish, say)));
}

/** Runs with the settings of the cell that gets its network back. */
export async function undoAdminMove(config: Config, { admin, settings }: UndoWish): Promise<string> {
  const other = await readOther(settings);
  return withTools(config, (to) =>
    withTools(other, async (from) => {
      const cell = sideOf(to).directory.cell;
      const [network] = await networksOf(from.address, [admin]).catch(() => networksOf(to.address, [admin]));
      const isUndone = await undoMove({ from: sideOf(from), to: sideOf(to), network: network!, by: BY });
      if (!isUndone) return NETWORK_COMMAND.finished(network!.username, cell);
      const [problem] = await problemsOf(to.parts, undefined, { signal: to.stop, progress: () => {} });
      if (problem !== undefined) throw new Error(NETWORK_COMMAND.movedUnsound(network!.username, cell, problem));
      const backup = await backUpThere(to, network!).catch((error: Error) =>
        NETWORK_COMMAND.notBackedUp(error.message),
      );
      return `${NETWORK_COMMAND.undone(network!.username, cell)}\n${backup}`;
    }),
  );
}

async function readOther(file: string): Promise<Config> {
  const other = readConfig(parseEnv(await readFile(file, 'utf8')));
  if (other.cellName === undefined) throw new Error(NETWORK_COMMAND.noCell(file));
  return other;
}

function withTools(config: Config, act: (tools: RestoreTools) => Promise<string>): Promise<string> {
  return withExistingDatabase(config, MOVE, (address, ownerAddress) =>
    withRestoreTools(config, { address, ownerAddress }, act),
  );
}

async function move(from: RestoreTools, to: RestoreTools, wish: MoveWish, say: Say): Promise<string> {
  const [source, destination] = [sideOf(from), sideOf(to)];
  const [network] = await networksOf(from.address, [wish.admin]);
  const actor = await superadminOf(to.services.db, wish.under);
  const folder = await mkdtemp(path.join(from.config.dataDir, 'drawhouse-moving-'));
  try {
    const { closedMs, problems } = await moveToCell({
      from: source,
      to: destination,
      network: network!,
      call: { actor, origin: { ...NOWHERE, url: BY }, isOperator: true },
      by: BY,
      folder,
      signal: from.stop,
      watch: { ...USUAL_WATCH, say },
    }).catch((error: Error) => endIfSilent(error, say));
    const { username } = network!;
    if (problems.length > 0) throw new Error(NETWORK_COMMAND.movedUnsound(username, wish.to, problems.join('\n')));
    if (closedMs === undefined) return NETWORK_COMMAND.finished(username, wish.to);
    const backup = await backUpThere(to, network!).catch((error: Error) => NETWORK_COMMAND.notBackedUp(error.message));
    return `${NETWORK_COMMAND.movedTo(username, wish.to, Math.round(closedMs))}\n${backup}`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function backUpThere({ work, services, parts, stop }: RestoreTools, network: NamedNetwork): Promise<string> {
  const { id: networkId, adminId } = network;
  const { name } = await work.run({ adminId, kind: 'backup', by: BY }, ({ signal, progress }) =>
    backUpNetwork(services, parts.settings, {
      admin: { id: adminId, networkId },
      by: BY,
      signal: AbortSignal.any([stop, signal]),
      progress,
    }),
  );
  return NETWORK_COMMAND.backedUp(name);
}

/** Closing would wait for the statements of a PostgreSQL that hangs. */
function endIfSilent(error: Error, say: Say): never {
  if (!(error instanceof CallError) || error.code !== 'NOT_READY') throw error;
  say(error.message);
  process.exit(1);
}

function sideOf({ services, work, parts, seedKey, directory }: RestoreTools): MovingCell {
  if (!directory) throw new Error(NETWORK_COMMAND.ownCell);
  return { services, work, parts, seedKey, directory };
}

export async function superadminOf(db: Database, username: string | undefined): Promise<Actor> {
  const usernameFilter = username ?? null;
  const all = await db.query<Actor & Record<string, unknown>>(
    sql`select id, network_id as "networkId", username, 0 as login, username as "personName", role, chain
     from accounts
     where role = 'superadmin' and deleted_at is null and (${usernameFilter}::text is null or lower(username) = lower(${usernameFilter}))
       order by lower(username) collate natural_order`,
  );
  const [first, ...others] = all;
  if (!first)
    throw new Error(
      username === undefined ? NETWORK_COMMAND.noSuperadmin : NETWORK_COMMAND.noSuperadminNamed(username),
    );
  if (others.length > 0) throw new Error(NETWORK_COMMAND.chooseSuperadmin(all.map((one) => one.username).join(' or ')));
  return first;
}
