import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { playerTicketOf, placeBet, betOfRequest } from '@drawhouse/contract/tickets/tickets';
import { placeBets } from '@drawhouse/contract/tickets/bulk-bets';
import { fairSeals } from '@drawhouse/contract/seals/seals';
import { formatCheckpoint, parseCheckpoint } from '@drawhouse/tlog/checkpoints';
import { noteKey, SIGNATURE_TYPES } from '@drawhouse/tlog/note-keys';
import { cosignText, signText } from '@drawhouse/tlog/note-signatures';
import { newPrivateKey, signerOf } from '@drawhouse/tlog/node/ed25519';
import { formatNote, formatSignatureLine, parseNote } from '@drawhouse/tlog/signed-notes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp, type Network } from '../../../test/harness.ts';
import { copierOn } from '../../platform/db/sql/copy-rows.ts';
import { connect } from '../../platform/db/database.ts';
import { CALL_TIMEOUTS } from '../../platform/db/connection/timeouts.ts';
import { withDedicatedConnections } from '../../platform/db/connection/dedicated-connections.ts';
import { TEXT_SETTINGS } from '@drawhouse/rules/records/sealed-records';
import { openNewestLog } from './open-newest-log.ts';
import { sealOnce } from './run/run-sealing.ts';
import { findNotices, isForged, noticesOf, readGrade } from './seal-grade.ts';
import { SizesByTime } from './run/watch-checkpoints.ts';
import type { SealLog } from './seal-log.ts';
import { Sealer } from './run/sealer.ts';
import { coSign, readCosigned } from '../witness/co-sign.ts';
import type { Witness } from '../../config/outside-services.ts';

const MINUTE_MS = 60_000;
const signer = signerOf(newPrivateKey());
const laptop = signerOf(newPrivateKey());
const witness: Witness = { key: noteKey('laptop', SIGNATURE_TYPES.cosignature, laptop.publicKey), url: undefined };

let t: TestApp;
let net: Network;
let dir: string;
let toBeWitnessed = 0;
let trouble: string | undefined;
let newest: string | undefined;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'drawhouse-grade-'));
  t = await TestApp.start({
    seals: (db) => ({
      served: { place: { dir, name: 'test', signer }, witnesses: [witness] },
      newest: () => newest,
      grade: () =>
        readGrade(db, {
          place: { dir, name: 'test', signer },
          witnesses: [witness],
          newest: () => newest,
          sizeToBeWitnessed: () => toBeWitnessed,
          trouble: () => trouble,
        }),
    }),
  });
  net = await t.network();
  await t.app.tick();
});
afterAll(async () => {
  await t.close();
  await rm(dir, { recursive: true, force: true });
});

async function seal(anew?: string): Promise<SealLog> {
  return withDedicatedConnections(t.database.serverUrl, 1, new AbortController().signal, async ([client]) => {
    const on = copierOn(client!);
    await on.query(TEXT_SETTINGS);
    const log = await openNewestLog(
      on,
      { dir, name: 'test', signer },
      anew === undefined ? undefined : { because: anew, found: [], lost: [] },
    );
    const sealer = new Sealer(log, () => 0);
    const { checkpoint } = await sealOnce(on, log, sealer, new AbortController().signal);
    newest = checkpoint ?? newest;
    return log;
  });
}

async function cosign(log: SealLog, time: number): Promise<void> {
  const { text, signatures } = parseNote(newest!);
  const note = formatNote({ text, signatures: [...signatures, cosignText(text, 'laptop', laptop, time)] });
  const { folder, origin, key, state } = log;
  await coSign({ folder, origin, key, size: state.size }, [witness], note);
}

describe('the seal grade', () => {
  it('is none without seals, and bets are answered without one', async () => {
    expect(await t.ok(fairSeals, {})).toMatchObject({ seals: null });
    expect((await t.bet(net.user, { 3: 1 })).body).not.toHaveProperty('seal');
  });

  it('is sealed until a witness cosigns', async () => {
    await seal();
    const { seals } = await t.ok(fairSeals, {});
    const { size } = parseCheckpoint(parseNote(newest!).text);
    expect(seals).toMatchObject({ size, isStopped: false });
    expect(seals!.witnesses).toEqual([{ name: 'laptop', last: null, isSilent: false }]);
    expect(noticesOf(seals)).toEqual([{ code: 'SEALED_BY_ITSELF' }]);
  });

  it("comes with a bet's answer, and when a lost answer is looked up", async () => {
    await seal();
    const requestId = 'its answer was lost';
    expect((await t.bet(net.user, { 3: 1 }, { requestId })).body).toMatchObject({ seal: newest });
    expect(await t.ok(betOfRequest, { params: { requestId } }, net.user)).toMatchObject({ seal: newest });
  });

  it('is witnessed until the last cosignature', async () => {
    const log = await seal();
    await cosign(log, 1_800_000_000);
    await t.bet(net.user, { 3: 1 });
    await cosign(await seal(), 1_800_000_060);
    const { seals } = await t.ok(fairSeals, {});
    expect(seals!.witnesses).toEqual([{ name: 'laptop', last: '2027-01-15T08:01:00.000Z', isSilent: false }]);
    expect(noticesOf(seals)).toEqual([]);
    const cosigned = (): ReturnType<typeof readCosigned> => readCosigned(log.folder, [witness]);
    expect(await cosigned()).toMatchObject([{ size: seals!.size, time: 1_800_000_060, since: 1_800_000_000 }]);
    const file = join(dir, '1', 'witnesses', `${witness.key.id}.json`);
    const kept = await readFile(file, 'utf8');
    const { first, ...rest } = JSON.parse(kept) as { first: { text: string; line: string } };
    const forged = formatSignatureLine(cosignText(first.text, 'laptop', signer, 1_700_000_000));
    await writeFile(file, JSON.stringify({ ...rest, first: { ...first, line: forged }, since: 1_700_000_000 }));
    expect(await cosigned()).toMatchObject([{ since: 1_800_000_060 }]);
    await writeFile(file, kept);
  });

  it('names a witness that is late', async () => {
    await t.bet(net.user, { 3: 1 });
    await seal();
    const before = await t.ok(fairSeals, {});
    expect(before.seals!.witnesses[0]).toMatchObject({ isSilent: false });
    toBeWitnessed = before.seals!.size;
    const { seals } = await t.ok(fairSeals, {});
    expect(seals!.witnesses[0]).toMatchObject({ isSilent: true });
    expect(noticesOf(seals)).toEqual([
      { code: 'SEALED_BY_ITSELF' },
      { code: 'WITNESS_SILENT', detail: 'No new co-signature from laptop.', last: '2027-01-15T08:01:00.000Z' },
    ]);
  });

  it('reports stopped sealing without the reason', async () => {
    trouble = '/srv/secret-place has no room';
    const { body } = await t.call(fairSeals, {});
    expect(body).toMatchObject({ seals: { isStopped: true } });
    expect(JSON.stringify(body)).not.toContain('secret-place');
    trouble = undefined;
  });

  it('does not hold back other notices when its rows are locked', async () => {
    const hasty = connect(t.database.serverUrl, {
      onError: () => {},
      poolSize: 1,
      patience: { ...CALL_TIMEOUTS, lockMs: 50 },
    });
    const place = { dir, name: 'test', signer };
    const found = (): ReturnType<typeof findNotices> =>
      findNotices({ isForged: () => isForged(hasty, { place, newest: () => newest }), grade: async () => null });
    try {
      await t.served.transaction(async (tx) => {
        await tx.query('lock table seal_progress in access exclusive mode');
        expect(await found()).toEqual([]);
      });
    } finally {
      await hasty.close();
    }
  });

  it("follows the signed checkpoint, not the database's, and reports a difference", async () => {
    const place = { dir, name: 'test', signer };
    const isFalse = (): Promise<boolean> => isForged(t.served, { place, newest: () => newest });
    const [before, own] = [await t.ok(fairSeals, {}), newest!];
    const { text } = parseNote(own);
    expect(await isFalse()).toBe(false);
    for (const kept of [
      '',
      formatNote({ text, signatures: [signText(text, 'test/seals/1', laptop)] }),
      'nothing at all',
    ]) {
      await t.served.query('update seal_progress set checkpoint = $1', [kept]);
      expect(await t.ok(fairSeals, {})).toEqual(before);
      expect(await isFalse()).toBe(true);
    }
    newest = undefined;
    expect(await t.ok(fairSeals, {})).toMatchObject({ seals: null });
    expect(await isFalse()).toBe(true);
    newest = own;
    await t.served.query('update seal_progress set checkpoint = $1', [own]);
  });
});

describe('checkpoints in answers', () => {
  it('come with a bet, once with many, and with a ticket', async () => {
    const lines = [{ drawno: '3', head: 'number', qty: 1 }];
    const bet = { gameId: 'funtargetbingo', lines };
    const one = await t.ok(placeBet, { body: { ...bet, requestId: 'a' } }, net.user);
    expect(one.seal).toBe(newest);
    const many = await t.ok(
      placeBets,
      {
        body: {
          bets: [
            { ...bet, requestId: 'b' },
            { ...bet, requestId: 'c' },
          ],
        },
      },
      net.user,
    );
    expect(many.seal).toBe(newest);
    expect(many.answers[0]).not.toHaveProperty('seal');
    const own = await t.ok(playerTicketOf, { params: { ticketId: one.ticket._id } }, net.user);
    expect(own.seal).toBe(newest);
  });
});

describe('the checkpoint due for a cosignature', () => {
  const noteOf = (origin: string, size: number): string => {
    const text = formatCheckpoint({ origin, size, root: new Uint8Array(32) });
    return formatNote({ text, signatures: [signText(text, origin, signer)] });
  };

  it('is the log at that time, despite pauses', () => {
    const sizes = new SizesByTime();
    expect(sizes.at(0)).toBe(0);
    sizes.note(noteOf('a', 5), 1_000);
    sizes.note(noteOf('a', 7), 11_000);
    sizes.note(noteOf('a', 9), 60 * MINUTE_MS);
    expect(sizes.at(10 * MINUTE_MS)).toBe(7);
    expect(sizes.at(59 * MINUTE_MS)).toBe(7);
    expect(sizes.at(61 * MINUTE_MS)).toBe(9);
  });

  it('forgets old sizes and the previous log', () => {
    const sizes = new SizesByTime();
    for (let minute = 0; minute < 100; minute++) sizes.note(noteOf('a', minute), minute * MINUTE_MS);
    expect(sizes.at(89 * MINUTE_MS)).toBe(89);
    expect(sizes.at(88 * MINUTE_MS)).toBe(0);
    sizes.note(noteOf('b', 3), 100 * MINUTE_MS);
    expect(sizes.at(99 * MINUTE_MS)).toBe(0);
    expect(sizes.at(100 * MINUTE_MS)).toBe(3);
  });
});
