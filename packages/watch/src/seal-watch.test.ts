import { newPrivateKey, signerOf } from '@drawhouse/tlog/on-node-ed25519';
import { describe, expect, it, vi } from 'vitest';
import { checkpointIn } from './log-look.ts';
import { heardSeals, noteHeardSeal } from './heard-seal.ts';
import { ModelLogs } from './model-logs.ts';
import { watchInPage } from './page-watch.ts';
import { createSealWatch } from './seal-watch.ts';

const MINUTE_MS = 60_000;

/** What a browser keeps, for all its tabs. */
function storageOf(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  } as Storage;
}

/** A browser of a server with some records; `tab` opens a page more. */
function browser() {
  const server = new ModelLogs(signerOf(newPrivateKey()));
  server.append(['a\n', 'b\n', 'c\n']);
  const storage = storageOf();
  const clock = { ms: MINUTE_MS };
  const get = vi.fn(server.get);
  const tab = () => createSealWatch({ get, storage, nowMs: () => clock.ms });
  return { server, storage, clock, get, tab };
}

const sizeKnown = (note: string | undefined): number | undefined => checkpointIn(note ?? '')?.size;

/** The newest checkpoint of a server that seals another record in place of its last one. */
function forked(server: ModelLogs): string {
  const log = server.logs.at(-1)!;
  const last = log.splice(-1, 1, 'another\n');
  const note = server.checkpoint();
  log.splice(-1, 1, ...last);
  return note;
}

describe('a browser’s watch', () => {
  it('is kept for all tabs, and none looks again that another has looked at within a minute', async () => {
    const { server, clock, get, tab } = browser();
    const [one, other] = [tab(), tab()];
    const changed = vi.fn();
    other.subscribe(changed);
    await one.look();
    expect(sizeKnown(one.known()?.note)).toBe(3);
    get.mockClear();
    server.append(['d\n']);
    clock.ms += MINUTE_MS - 1;
    await other.look();
    expect(get).not.toHaveBeenCalled();
    expect(changed).toHaveBeenCalledOnce();
    expect(other.known()).toEqual(one.known());
    clock.ms++;
    await other.look();
    expect(sizeKnown(other.known()?.note)).toBe(4);
    one.reread();
    expect(one.known()).toEqual(other.known());
  });

  it('compares every checkpoint that came with a bet, also the first of several', async () => {
    const { server, storage, tab } = browser();
    const watch = tab();
    await watch.look();
    server.append(['d\n']);
    const bad = forked(server);
    noteHeardSeal(storage, bad);
    noteHeardSeal(storage, undefined);
    noteHeardSeal(storage, server.checkpoint());
    noteHeardSeal(storage, server.checkpoint());
    expect(heardSeals(storage)).toEqual([bad, server.checkpoint()]);
    await watch.look();
    expect(watch.known()!.found).not.toBeNull();
    expect(heardSeals(storage)).toEqual([]);
  });

  it('keeps what it has heard until the server has answered for it, also before its first look', async () => {
    const { server, storage, clock, tab } = browser();
    const watch = tab();
    const bad = forked(server);
    noteHeardSeal(storage, bad);
    server.status = 503;
    await watch.look();
    expect(heardSeals(storage)).toEqual([bad]);
    server.status = null;
    await watch.look();
    expect(watch.known()!.found).toMatchObject({ misfit: 'forked', now: bad });
    watch.settle();
    await watch.look();
    expect(watch.known()!.found).toBeNull();
    const older = server.checkpoint();
    server.append(['d\n', 'e\n']);
    clock.ms += MINUTE_MS;
    await watch.look();
    noteHeardSeal(storage, older);
    noteHeardSeal(storage, server.checkpoint());
    noteHeardSeal(storage, 'nothing that is one');
    server.status = 500;
    await watch.look();
    // Of the others nothing has to be asked: one is the newest that is known, and one says nothing.
    expect(heardSeals(storage)).toEqual([older]);
    server.status = null;
    await watch.look();
    expect(heardSeals(storage)).toEqual([]);
    expect(watch.known()!.found).toBeNull();
  });

  it('keeps what is heard while it looks, and no more than fifty', async () => {
    const { server, storage, get, tab } = browser();
    const watch = tab();
    noteHeardSeal(storage, server.checkpoint());
    get.mockImplementation(async (path) => {
      noteHeardSeal(storage, 'meanwhile');
      return server.get(path);
    });
    await watch.look();
    expect(heardSeals(storage)).toEqual(['meanwhile']);
    for (let nth = 0; nth < 60; nth++) noteHeardSeal(storage, `seal ${nth}`);
    expect(heardSeals(storage)).toHaveLength(50);
    storage.setItem('seal-heard', 'no list');
    expect(heardSeals(storage)).toEqual([]);
    const full = {
      getItem: () => null,
      setItem: () => {
        throw new Error('There is no room.');
      },
    };
    expect(() => noteHeardSeal(full, 'one')).not.toThrow();
  });
});

it('a page looks at once and every five minutes while it is seen, asks for nothing of anybody’s, and takes up what other tabs keep', async () => {
  const { server, storage, clock } = browser();
  const document = { visibilityState: 'visible' };
  const fetch = vi.fn(async (path: string, _init: RequestInit) => {
    const { status, text } = await server.get(path);
    return new Response(text, { status });
  });
  let [look, reread, everyMs] = [() => {}, () => {}, 0];
  const watch = watchInPage(
    {
      fetch,
      localStorage: storage,
      document,
      addEventListener: (_type, listener) => (reread = () => listener({ key: null })),
      setInterval(then, ms) {
        [look, everyMs] = [then, ms];
        return 1;
      },
    },
    () => clock.ms,
  );
  await watch.look();
  expect(watch.known()).not.toBeNull();
  expect(everyMs).toBe(5 * MINUTE_MS);
  expect(fetch.mock.calls[0]![1]).toMatchObject({ cache: 'no-store', credentials: 'omit' });
  fetch.mockClear();
  clock.ms += everyMs;
  document.visibilityState = 'hidden';
  look();
  expect(fetch).not.toHaveBeenCalled();
  document.visibilityState = 'visible';
  look();
  await watch.look();
  expect(fetch).toHaveBeenCalled();
  storage.removeItem('seals');
  reread();
  expect(watch.known()).toBeNull();
});
