import { formatCheckpoint } from '@drawhouse/tlog/checkpoints';
import { signText } from '@drawhouse/tlog/note-signatures';
import { newPrivateKey, signerOf } from '@drawhouse/tlog/node/ed25519';
import { formatNote } from '@drawhouse/tlog/signed-notes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../../../../test/harness.ts';
import { makeSealsPlace, withNewestLog } from '../../../../test/worlds/sealed-app.ts';
import { watchCheckpoints } from './watch-checkpoints.ts';

let t: TestApp;
let place: Awaited<ReturnType<typeof makeSealsPlace>>;

beforeAll(async () => {
  t = await TestApp.start();
  place = await makeSealsPlace();
});
afterAll(async () => {
  await place.remove();
  await t.close();
});

async function checkpoints(): Promise<{ forged: string; own: string }> {
  await t.db.query('delete from seal_progress');
  const stranger = await makeSealsPlace();
  const signedAt = async (where: typeof place): Promise<string> => {
    let signed = '';
    await withNewestLog(t, where, async ({ log, look }) => {
      await look();
      signed = await log.sign();
    });
    await t.db.query('delete from seal_progress');
    return signed;
  };
  const forged = await signedAt({ ...stranger, signer: signerOf(newPrivateKey()) });
  await stranger.remove();
  return { forged, own: await signedAt(place) };
}

function older(): string {
  const text = formatCheckpoint({ origin: 'test/seals/1', size: 1, root: new Uint8Array(32) });
  return formatNote({ text, signatures: [signText(text, 'test/seals/1', place.signer)] });
}

it("ignores checkpoints unsigned by the installation's key or seen before", async () => {
  const { forged, own } = await checkpoints();
  let deliver: (text: string) => void = () => {};
  const news = watchCheckpoints(
    {
      query: (...asked) => t.served.query(...asked),
      listen(channel, listener) {
        deliver = (text) => listener.onMessage(text);
        return t.served.listen(channel, listener);
      },
    },
    place.signer.publicKey,
    () => 0,
  );
  try {
    for (const text of [forged, 'no checkpoint at all', '', own.replace('\n', 'x\n')]) deliver(text);
    expect(news.newest()).toBeUndefined();
    deliver(own);
    for (const text of [forged, older()]) deliver(text);
    expect(news.newest()).toBe(own);
  } finally {
    await news.close();
  }
});
