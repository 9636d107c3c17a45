import { fairDraw, playerState } from '@drawhouse/contract/draws/draws';
import { generateDraw, verifyDraw } from '@drawhouse/rules/fair';
import type { PublishedDraw } from '@drawhouse/rules/fair';
import { rulesFor } from '@drawhouse/rules/rules';
import { examineSeed } from '@drawhouse/rules/published-seed';
import { termsName } from '@drawhouse/rules/terms';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audit } from '../audit/audit.ts';
import { nameUuid } from '../db/name-uuid.ts';
import { TestApp } from '../../test/harness.ts';
import type { Network } from '../../test/harness.ts';
import { readTerms } from './draw-terms.ts';

let t: TestApp;
let net: Network;
const MINUTE_MS = 60_000;

const running = async (): Promise<string> =>
  (await t.ok(playerState, { query: { gameId: 'funtargetbingo' } }, net.user)).draw!._id;
const publicly = async (drawId: string) => t.ok(fairDraw, { params: { drawId } });

/** Makes a running draw one that an earlier server has opened: with the same terms, of version 1 of the rules. */
async function openedByVersion1(drawId: string): Promise<void> {
  const [draw] = await t.db.query<{ terms_id: string }>('select terms_id from draws where id = $1', [drawId]);
  const terms = { ...(await readTerms(t.db, new Set([draw!.terms_id]))).get(draw!.terms_id)!, rules_version: 1 };
  const id = nameUuid(termsName(terms));
  await t.byHand(
    `insert into draw_terms (id, rules_version, unit_price, pays, weights, result_mode, manual_claims)
     select $1, 1, unit_price, pays, weights, result_mode, manual_claims from draw_terms where id = $2 on conflict do nothing`,
    [id, draw!.terms_id],
  );
  await t.byHand('update draws set terms_id = $2 where id = $1', [drawId, id]);
}

describe('a draw of version 1 of the rules that is open when a server of version 2 begins', () => {
  beforeAll(async () => {
    t = await TestApp.start();
    net = await t.network({ credit: 500 });
  });
  afterAll(() => t.close());

  it('is concluded by version 1, and checks; the next one is of version 2', async () => {
    const drawId = await running();
    await openedByVersion1(drawId);
    await t.bet(net.user, { 7: 10 });
    expect(await publicly(drawId)).toMatchObject({ rulesVersion: 1, status: 'open' });
    const server = await t.beside();
    t.clock.advance(MINUTE_MS);
    await server.app.tick();

    const settled = await publicly(drawId);
    expect(settled).toMatchObject({ status: 'settled', source: 'generated', rulesVersion: 1, tickets: 1 });
    const published = settled as unknown as PublishedDraw;
    expect(verifyDraw(published)).toEqual({ ok: true });
    // By the seed as it was committed to, with nothing derived from it.
    const seed = Buffer.from(settled.seed!, 'hex');
    const rules = rulesFor({ gameId: published.gameId, family: published.family, digits: published.digits });
    expect(settled).toMatchObject(generateDraw({ rules, weights: published.weights, seed, drawId }));
    expect(examineSeed({ ...published, rulesVersion: 2 }).seed).not.toEqual(examineSeed(published).seed);

    const next = await running();
    expect(await publicly(next)).toMatchObject({ rulesVersion: 2 });
    t.clock.advance(MINUTE_MS);
    await server.app.tick();
    const after = await publicly(next);
    expect(after).toMatchObject({ status: 'settled', source: 'generated' });
    expect(verifyDraw(after as unknown as PublishedDraw)).toEqual({ ok: true });
    await server.close();
    await t.app.tick();
    // The audit finds what the test did, and nothing else: their openings were logged as those of version 2.
    const checks = await t.served.snapshot(audit);
    expect(checks.flatMap((check) => check.problems)).toEqual([
      expect.stringMatching(/what they were opened as was changed$/),
    ]);
  });
});
