import { randomUUID } from 'node:crypto';
import { formatNoteKey } from '@drawhouse/tlog/note-keys';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportOnSealed, type SealedReceipt } from '../../../../../tools/check-draw/ticket-reports.ts';
import { TestApp, type Network } from '../../../test/harness.ts';
import { makeSealsPlace, sealAll } from '../../../test/worlds/sealed-app.ts';
import { proveTicket } from './prove-ticket.ts';
import { verifierKey } from '../seal/seal-key.ts';

let t: TestApp;
let net: Network;
let place: Awaited<ReturnType<typeof makeSealsPlace>>;

beforeAll(async () => {
  t = await TestApp.start();
  net = await t.network();
  place = await makeSealsPlace();
  await t.bet(net.user, { 3: 2 });
  await t.db.query(
    `insert into tickets (stake, placed_at, id, draw_id, account_id, request, request_hash, network_id, digest, lines, ip)
     select stake, placed_at, gen_random_uuid(), draw_id, account_id, gen_random_uuid(), request_hash, network_id, digest,
       E'a\tb\\c\nd' || nth, case when nth > 3 then '10.0.0.1'::inet + nth end
     from tickets cross join generate_series(1, 6) as nth`,
  );
});
afterAll(async () => {
  await t.close();
  await place.remove();
});

const proved = (id: string) => proveTicket(t.db, { place, witnesses: [] }, { networkId: net.networkId, id });
const keyLine = (): string => formatNoteKey(verifierKey('test/seals/1', place.signer.publicKey));

async function receipts(): Promise<SealedReceipt[]> {
  const rows = await t.db.query<Omit<SealedReceipt, 'sealed'>>(
    `select id as _id, draw_id as "drawId", encode(digest, 'hex') as digest from tickets order by placed_at, written_by, id`,
  );
  return Promise.all(rows.map(async (row) => ({ ...row, sealed: (await proved(row._id))! })));
}

describe('the seal proof of a ticket', () => {
  it('is missing before sealing and for unknown tickets', async () => {
    const [ticket] = await t.db.query<{ id: string }>('select id from tickets limit 1');
    expect(await proved(ticket!.id)).toBeUndefined();
    await sealAll(t, place);
    expect(await proved(ticket!.id)).toBeDefined();
    expect(await proved(randomUUID())).toBeUndefined();
  });

  it('leads from ticket to batch to signed log', async () => {
    await sealAll(t, place);
    const all = await receipts();
    expect(all.map(({ sealed }) => sealed.size)).toEqual([1, 6, 6, 6, 6, 6, 6]);
    expect(new Set(all.slice(1).map(({ sealed }) => sealed.index)).size).toBe(6);
    for (const receipt of all) {
      const { code, lines, problems } = await reportOnSealed(receipt, keyLine());
      expect(problems).toEqual([]);
      expect(lines[0]).toMatch(/^OK: it is sealed as ticket \d of [16] of a batch \(record \d+ of test\/seals\/1/);
      expect(code).toBe(0);
    }
  });

  it('fails for anything else', async () => {
    await sealAll(t, place);
    const [alone, one, two] = (await receipts()) as [SealedReceipt, SealedReceipt, SealedReceipt];
    const { record, index, size, path, proof } = one.sealed;
    const others: SealedReceipt[] = [
      { ...one, _id: two._id },
      { ...one, digest: '00'.repeat(32) },
      { ...one, drawId: randomUUID() },
      { ...one, sealed: { ...one.sealed, record: two.sealed.record } },
      { ...two, sealed: { ...one.sealed, record: two.sealed.record } },
      { ...one, sealed: { record, index: (index + 1) % 6, size, path, proof } },
      { ...one, sealed: { record, index, size: 7, path, proof } },
      { ...one, sealed: { record, index, size, path: path.slice(1), proof } },
      { ...one, sealed: { record, index, size, path, proof: alone.sealed.proof } },
      { ...one, sealed: { record, index, size, path, proof: proof.replace('\nindex ', '\nindex 1') } },
    ];
    for (const receipt of others)
      expect((await reportOnSealed(receipt, keyLine())).problems).toEqual([
        expect.stringMatching(/^The proof that the ticket is sealed is not valid: /),
      ]);
    const other = await makeSealsPlace();
    await other.remove();
    const key = formatNoteKey(verifierKey('test/seals/1', other.signer.publicKey));
    expect((await reportOnSealed(one, key)).code).toBe(1);
  });

  it('stays valid as the log grows', async () => {
    const [before] = await receipts();
    await t.db.query("insert into pinned_settings (name, value) values ('later', 'x')");
    await sealAll(t, place);
    const [after] = await receipts();
    expect(after!.sealed.record).toBe(before!.sealed.record);
    expect(await reportOnSealed(before!, keyLine())).toMatchObject({ code: 0 });
  });
});
