import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { playNetwork } from '../../test/worlds/audit-world.ts';
import { readBack } from '../../test/backups/read-backup.ts';
import { orderOf } from '../../test/backups/backup-order.ts';
import { TestApp, type Network } from '../../test/harness.ts';
import { MANIFEST, type Manifest } from './take/archive/manifest.ts';
import { takeBackup, type BackupOrder } from './take/take-backup.ts';
import { verifyBackup } from './keep/verify-backup.ts';

let t: TestApp;
let net: Network;
let into: string;
const RIGHT = { problems: [], areRowsCounted: true };

beforeAll(async () => {
  t = await TestApp.start();
  ({ net } = await playNetwork(t));
  await t.give(net.superadmin, net.superadmin, 500);
  into = await mkdtemp(path.join(tmpdir(), 'backups-'));
});
afterAll(async () => {
  await rm(into, { recursive: true, force: true });
  await t.close();
});

function take(order: Partial<BackupOrder> = {}): Promise<Manifest> {
  return takeBackup(orderOf(t, net, into, order));
}

describe('the contents of a backup', () => {
  it('come from one moment while bets continue', async () => {
    const player = await t.create(net.retailer);
    await t.give(net.superadmin, player, 400);
    let done = false;
    async function keepBetting(): Promise<number> {
      let bets = 0;
      for (; !done; bets++) expect(await t.bet(player, { [bets % 10]: 1 })).toMatchObject({ status: 201 });
      return bets;
    }
    const betting = keepBetting();
    await expect.poll(() => t.credit(player)).toBeLessThan(400);
    await take({ name: 'busy' });
    done = true;
    expect(await betting).toBeGreaterThan(0);
    await readBack(t, path.join(into, 'busy'), async (client, { wallets }) => {
      const { rows } = await client.query<{ balance: string; moved: string; staked: string; laid: string }>(
        `select sum(w.balance)::text as balance,
                (select count(*)::text from pg_temp.wallets w2 where w2.balance <>
                  coalesce((select sum(amount) from pg_temp.transfers where to_wallet = w2.id), 0)
                  - coalesce((select sum(amount) from pg_temp.transfers where from_wallet = w2.id), 0)
                  + coalesce((select sum(closing - opening) from pg_temp.wallet_gaps where wallet_id = w2.id), 0)) as moved,
                -- Clearing may have left only one of the two.
                (select sum(amount)::text from pg_temp.transfers
                  where kind = 7 and reference in (select id from pg_temp.tickets)) as staked,
                (select sum(stake)::text from pg_temp.tickets where id in (select reference from pg_temp.transfers where kind = 7)) as laid
         from pg_temp.wallets w`,
      );
      expect(rows[0]).toMatchObject({ balance: '0', moved: '0', staked: rows[0]!.laid });
      const { rows: kinds } = await client.query<{ balance: string }>(
        'select sum(balance)::text as balance from pg_temp.wallets group by kind order by kind',
      );
      expect(wallets.map(({ balance }) => balance)).toEqual(kinds.map(({ balance }) => balance));
    });
  });

  it('report progress never above the total', async () => {
    const progressCalls: (readonly [string, number, number])[] = [];
    await take({ name: 'told', progress: (...far) => void progressCalls.push(far) });
    expect(new Set(progressCalls.map(([step]) => step))).toEqual(new Set(['Copying rows']));
    const shares = progressCalls.map(([, done, total]) => done / total);
    expect(shares.length).toBeGreaterThan(10);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares[0]).toBeLessThan(1);
    expect(shares.at(-1)).toBeCloseTo(1);
    const read: number[] = [];
    await verifyBackup(path.join(into, 'told'), { progress: (_step, done, total) => void read.push(done / total) });
    expect(read.at(-1)).toBe(1);
  });
});

describe('an encrypted backup', () => {
  it("is readable only by its recipient's identity", async () => {
    const [mine, others] = [await generateX25519Identity(), await generateX25519Identity()];
    const recipient = await identityToRecipient(mine);
    for (const [name, key] of [
      ['by-identity', mine],
      ['for-recipient', recipient],
    ] as const) {
      const { files, recipient: told } = await take({ name, key });
      const folder = path.join(into, name);
      expect(told).toBe(recipient);
      expect(await verifyBackup(folder, { key: mine })).toEqual(RIGHT);
      for (const noKey of [undefined, others, recipient])
        expect(await verifyBackup(folder, { key: noKey })).toEqual({ problems: [], areRowsCounted: false });
      const content = await readFile(path.join(folder, 'accounts.zst.age'));
      expect(content.subarray(0, 22).toString()).toBe('age-encryption.org/v1\n');
      const names = await readdir(folder);
      expect(names.filter((one) => !one.endsWith('.zst.age'))).toEqual([MANIFEST]);
      expect(names).toHaveLength(files.length + 1);
    }
  });
});

describe('an aborted backup', () => {
  it('leaves nothing when canceled or without database', async () => {
    const stop = new AbortController();
    const given = take({
      name: 'given-up',
      signal: stop.signal,
      disk: {
        free: () => {
          stop.abort(new Error('given up'));
          return Promise.resolve(1e12);
        },
        checkEveryBytes: Infinity,
      },
    });
    await expect(given).rejects.toThrow('given up');
    const cut = take({
      name: 'cut',
      disk: {
        free: async () => {
          await t.db.query(
            `select pg_terminate_backend(pid) from pg_stat_activity
             where application_name = 'drawhouse backup' and datname = current_database()`,
          );
          return 1e12;
        },
        checkEveryBytes: Infinity,
      },
    });
    await expect(cut).rejects.toThrow(/^The database did not answer/);
    expect(await readdir(into)).not.toEqual(expect.arrayContaining([expect.stringMatching(/given-up|cut/)]));
  });
});
