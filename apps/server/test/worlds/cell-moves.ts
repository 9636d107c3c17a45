import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { accountRoutes } from '@drawhouse/contract/accounts/accounts';
import { login } from '@drawhouse/contract/auth/auth';
import { CELL_HEADER } from '@drawhouse/contract/core/route';
import { placeBets } from '@drawhouse/contract/tickets/bulk-bets';
import { claimWin, playerTickets } from '@drawhouse/contract/tickets/tickets';
import { expect } from 'vitest';
import type { Actor } from '../../src/accounts/authority.ts';
import { moveToCell } from '../../src/backup/move/move-to-cell.ts';
import type { CellMove, MovingCell } from '../../src/backup/move/cell-move.ts';
import { undoMove } from '../../src/backup/move/undo-move.ts';
import type { CellWatch } from '../../src/backup/move/watch-cells.ts';
import { settleFences } from '../../src/backup/move/settle-fences.ts';
import type { Database } from '../../src/platform/db/database.ts';
import { NOWHERE } from '../../src/platform/http/handler.ts';
import { toolsOf } from '../backups/move-tools.ts';
import type { Network, SignedIn } from '../harness.ts';
import { PASSWORD } from '../test-password.ts';
import { seedKeyOf, type TestGroup } from './cells.ts';

export type CellApp = TestGroup['cells'][number];

interface Trouble {
  readonly through?: (db: Database) => Database;
  readonly watch?: CellWatch;
  /** Finding of each trial audit. */
  readonly finding?: string;
  /** PostgreSQL's role for replication, instead of the owner. */
  readonly ownerUrlOf?: (cell: CellApp) => string;
}

/** Many moves die, so they are not audited. */
function sideOf(t: CellApp, { through, finding, ownerUrlOf }: Trouble): MovingCell {
  const { services, work, parts } = toolsOf(t, through);
  const directory = { ...t.directory, db: through?.(t.directory.db) ?? t.directory.db };
  const audit: typeof parts.audit = async (db, connections, trial) => {
    if (finding !== undefined) return trial ? [{ problems: [finding] }] : [];
    return through ? [] : parts.audit(db, connections, trial);
  };
  const settings = ownerUrlOf ? { ...parts.settings, ownerConnectionString: () => ownerUrlOf(t) } : parts.settings;
  return { services, work, parts: { ...parts, audit, settings }, directory, seedKey: seedKeyOf(t.directory.cell) };
}

export async function undoBetween(
  from: CellApp,
  to: CellApp,
  admin: SignedIn,
  trouble: Trouble = {},
): Promise<boolean> {
  const network = await networkOf(from, admin);
  return undoMove({ from: sideOf(from, trouble), to: sideOf(to, trouble), network, by: 'test' });
}

async function networkOf({ db }: CellApp, { _id: adminId, username }: SignedIn): Promise<CellMove['network']> {
  const [network] = await db.query<{ id: number }>('select id from networks where admin_id = $1', [adminId]);
  return { id: network!.id, adminId, username };
}

export async function moveBetween(from: CellApp, to: CellApp, admin: SignedIn, trouble: Trouble = {}): Promise<void> {
  const network = await networkOf(from, admin);
  const [actor] = await to.db.query<Actor & Record<string, unknown>>(
    `select id, network_id as "networkId", username, 0 as login, username as "personName", role, chain
     from accounts where role = 'superadmin'`,
  );
  const folder = await mkdtemp(path.join(tmpdir(), 'drawhouse-moving-'));
  try {
    await moveToCell({
      from: sideOf(from, trouble),
      to: sideOf(to, trouble),
      network,
      call: { actor: actor!, origin: { ...NOWHERE, url: 'test' }, isOperator: true },
      by: 'test',
      folder,
      signal: new AbortController().signal,
      ...(trouble.watch && { watch: trouble.watch }),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** All clocks of a group agree. Entries of one instant have no order. */
export async function advanceAll(cells: readonly CellApp[], byMs: number): Promise<void> {
  const latest = Math.max(...cells.map(({ clock }) => clock.now().getTime()));
  for (const { clock } of cells) clock.set(new Date(latest + byMs));
  for (const { app } of cells) await app.tick();
}

/** Settles interrupted moves as all servers do, and returns the only cell where the network is open. */
export async function openCell(cells: readonly CellApp[], { _id }: SignedIn): Promise<CellApp> {
  for (const cell of [...cells, ...cells]) await settleFences(cell.app.services, toolsOf(cell).work);
  const open: CellApp[] = [];
  for (const cell of cells) {
    expect(await cell.db.query('select network_id from fences'), 'no fence is left').toEqual([]);
    const here = await cell.db.query('select from networks where admin_id = $1 and not arrives', [_id]);
    if (here.length > 0) open.push(cell);
  }
  expect(open, 'one cell has the network').toHaveLength(1);
  expect(await open[0]!.directory.placeOf(_id)).toMatchObject({ cell: open[0]!.directory.cell, moveId: null });
  return open[0]!;
}

const BETWEEN_BETS_MS = 20;
const BETWEEN_CALLS_MS = 300;
const pauseMs = (ms: number): Promise<void> => new Promise((resume) => void setTimeout(resume, ms));

interface RepeatedBet {
  readonly key: string;
  readonly player: string;
  readonly gameId: string;
  readonly numbers?: readonly string[];
  readonly everyMs?: number;
}

/** A program that bets with an API key, follows OTHER_CELL and repeats what was refused for a moment. */
export class Bettor {
  readonly taken: string[] = [];
  #isEnding = false;
  readonly #done: Promise<void>;

  constructor(cells: readonly CellApp[], bet: RepeatedBet) {
    this.#done = this.#run(cells, bet);
  }

  async end(): Promise<readonly string[]> {
    this.#isEnding = true;
    await this.#done;
    return this.taken;
  }

  async #run(
    cells: readonly CellApp[],
    { key, player, gameId, numbers = ['7'], everyMs = BETWEEN_BETS_MS }: RepeatedBet,
  ): Promise<void> {
    let cell = cells[0]!;
    for (let nth = 0; !this.#isEnding;) {
      const lines = numbers.map((drawno) => ({ drawno, qty: 1 }));
      const bet = { player, gameId, requestId: `bettor-${nth}`, lines };
      const { status, body, headers } = await cell.call(placeBets, { body: { bets: [bet] } }, { token: key });
      const [answer] = body.answers ?? [];
      if (answer?.success) {
        this.taken.push(answer.ticket._id);
        nth++;
      } else if (status === 421) {
        const name = headers[CELL_HEADER.toLowerCase()];
        cell = cells.find(({ directory }) => directory.cell === name)!;
      } else expect(['NETWORK_RESTORING', 'BETTING_CLOSED', 'NOT_READY']).toContain(answer?.code ?? body.code);
      await pauseMs(everyMs);
    }
  }
}

const PASSING = [
  'CONFIRM_PASSWORD',
  'NETWORK_RESTORING',
  'NOT_READY',
  'OTHER_CELL',
  'SESSION_ENDED',
  'WRONG_CREDENTIALS',
  'ACCOUNT_INACTIVE',
];

interface Answer {
  readonly status: number;
  readonly body: { readonly code?: string };
}

interface Call {
  readonly cell: CellApp;
  readonly as: SignedIn;
  readonly nth: number;
}

/** Repeats calls as one account, signs in wherever its network lives, and retries refused calls. */
export class Repeater {
  taken = 0;
  #isEnding = false;
  readonly #done: Promise<void>;

  constructor(cells: readonly CellApp[], username: string, call: (call: Call) => Promise<Answer | undefined>) {
    this.#done = this.#run(cells, username, call);
  }

  async end(): Promise<number> {
    this.#isEnding = true;
    await this.#done;
    return this.taken;
  }

  async #run(
    cells: readonly CellApp[],
    username: string,
    call: ConstructorParameters<typeof Repeater>[2],
  ): Promise<void> {
    let as: SignedIn | undefined;
    for (; !this.#isEnding; await pauseMs(BETWEEN_CALLS_MS)) {
      as ??= await this.#signIn(cells, username);
      if (!as) continue;
      const { token } = as;
      const cell = cells.find(({ directory }) => token.startsWith(`${directory.cell}.`))!;
      const reply = await call({ cell, as, nth: this.taken });
      if (!reply) continue;
      if (reply.status < 300) this.taken++;
      else {
        expect(PASSING).toContain(reply.body.code);
        as = undefined;
      }
    }
  }

  async #signIn(cells: readonly CellApp[], username: string): Promise<SignedIn | undefined> {
    for (const cell of cells) {
      const { status, body } = await cell.call(login, { body: { username, password: PASSWORD, elevation: true } });
      if (status === 200) return { ...body.user, token: body.token, elevation: body.elevation! };
      expect(PASSING).toContain(body.code);
    }
    return undefined;
  }
}

export const repeatGift = (cells: readonly CellApp[], { retailer, user }: Network): Repeater =>
  new Repeater(cells, retailer.username, ({ cell, as, nth }) =>
    cell.call(
      accountRoutes.user.creditTransfer,
      { body: { toUserId: user._id, password: PASSWORD, transferAmount: 1 } },
      { ...as, idempotencyKey: `${user._id}-${nth}` },
    ),
  );

export const repeatClaim = (cells: readonly CellApp[], { user }: Network): Repeater =>
  new Repeater(cells, user.username, async ({ cell, as }) => {
    const waiting = await cell.call(playerTickets, { query: { claims: 'waiting' } }, as);
    if (waiting.status >= 300) return waiting;
    const [ticket] = waiting.body.data;
    return ticket && cell.call(claimWin, { body: { ticketId: ticket._id } }, as);
  });
