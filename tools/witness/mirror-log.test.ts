import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { formatBundle, parseBundle } from '@drawhouse/tlog/entry-bundles';
import { afterEach, describe, expect, it } from 'vitest';
import { LogMirror } from './mirror-log.ts';
import type { MirrorReader } from './mirror-log.ts';
import { sealsClient } from './seals-client.ts';
import { LogServer, send, TestLog } from './served-log.ts';
import { EvidenceBook, readEvidence } from './witness-evidence.ts';
import { readSigned, readWitnessedLog } from './witnessed-log.ts';

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

async function mirrored(log = new TestLog().add(300), token?: string) {
  const server = await LogServer.start(log);
  cleanUps.push(() => server.close());
  const dir = await mkdtemp(path.join(tmpdir(), 'mirror-'));
  cleanUps.push(() => rm(dir, { recursive: true }));
  const said: string[] = [];
  const clock = { ms: 0 };
  const start = async () => {
    const read: (string | null)[] = [];
    const wrong: string[] = [];
    const reader: MirrorReader = {
      begin: () => void read.splice(0),
      read: (_nth, entries) => read.push(...(entries?.map((entry) => Buffer.from(entry).toString()) ?? [null])),
      judge: () => ({ problems: wrong, news: [], summary: 'Recomputed: nothing.' }),
    };
    const mirror = new LogMirror({
      dir,
      log: readWitnessedLog(log.vkey),
      client: sealsClient(server.url, token ?? server.token),
      evidence: await EvidenceBook.open(dir, (sentence) => void said.push(sentence)),
      reader,
      say: (sentence) => said.push(sentence),
      now: () => clock.ms,
    });
    const follow = async (of = server.logs.at(-1)!) =>
      mirror.follow(await readSigned(readWitnessedLog(log.vkey), of.note()));
    return { follow, read, wrong };
  };
  return {
    server,
    log,
    dir,
    said,
    clock,
    start,
    entriesOf: (file: string) => path.join(dir, 'mirror', '1', 'tile', 'entries', file),
  };
}

const texts = (size: number): string[] => Array.from({ length: size }, (_, at) => `things 1\n${at}\n`);

describe('a mirror', () => {
  it('keeps each record once, whatever it is asked for, and reads them again after a start', async () => {
    const { log, start, entriesOf } = await mirrored();
    const first = await start();
    for (const more of [0, 1, 200, 20, 600]) {
      log.add(more);
      expect(await first.follow()).toBeUndefined();
      expect(first.read).toEqual(texts(log.size));
    }
    expect(await readdir(entriesOf('.'))).toEqual(['000', '001', '002', '003', '004.p']);
    expect(await readdir(entriesOf('004.p'))).toEqual(['97']);
    const again = await start();
    log.add(3);
    expect(await again.follow()).toBeUndefined();
    expect(again.read).toEqual(texts(1_124));
  });

  it('asks for what is new alone', async () => {
    const { server, log, start } = await mirrored(new TestLog().add(2_000));
    await (await start()).follow();
    const again = await start();
    server.asked.length = 0;
    log.add(10);
    await again.follow();
    expect(server.asked.filter((asked) => asked.includes('entries'))).toEqual(['1/tile/entries/007.p/218']);
  });

  it('does not keep a record that is not the one that was sealed, and names it', async () => {
    const { server, log, start, dir, said } = await mirrored(new TestLog().add(1_000));
    server.instead = (asked, _request, reply) => {
      if (!asked.includes('entries/001')) return false;
      const entries = parseBundle(log.files.get('tile/entries/001')!);
      send(reply, 200, formatBundle(entries.with(44, Buffer.from('things 1\n300\tmore\n'))));
      return true;
    };
    const first = await start();
    expect(await first.follow()).toMatchObject({
      is: 'refused',
      says: expect.stringContaining('the record 300 is not the one that was sealed.'),
    });
    await first.follow();
    expect(first.read).toEqual(texts(256));
    expect(await readEvidence(dir)).toMatchObject([{ kind: 'records', shown: log.note() }]);
    expect(said).toEqual(['RECORDS of games.example/seals/1: the record 300 is not the one that was sealed.']);
    server.instead = () => false;
    expect(await first.follow()).toBeUndefined();
    expect(first.read).toEqual(texts(1_000));
  });

  it('takes no hashes from the server: tiles made to fit are found', async () => {
    const { server, log, start } = await mirrored(new TestLog().add(1_000));
    const other = new TestLog()
      .add(300)
      .add([Buffer.from('another one')])
      .add(699);
    server.instead = (asked, _request, reply) => {
      const bytes = other.files.get(asked.slice(2));
      if (!asked.includes('tile') || !bytes) return false;
      send(reply, 200, bytes);
      return true;
    };
    const first = await start();
    expect(await first.follow(log)).toMatchObject({
      is: 'refused',
      says: expect.stringContaining('don’t lead to the root'),
    });
    expect(first.read).toEqual([]);
  });

  it('keeps the hashes of what was cleared, and says so to what reads', async () => {
    const { server, log, start } = await mirrored(new TestLog().add(1_000));
    log.files.delete('tile/entries/001');
    const first = await start();
    expect(await first.follow()).toBeUndefined();
    const known = [...texts(256), null, ...texts(1_000).slice(512)];
    expect(first.read).toEqual(known);
    server.asked.length = 0;
    const again = await start();
    expect(await again.follow()).toBeUndefined();
    expect(again.read).toEqual(known);
    expect(server.asked).toEqual([]);
  });

  it('takes nothing for cleared that came since it looked, a short while ago', async () => {
    const { log, start, dir, clock } = await mirrored(new TestLog().add(512));
    await (await start()).follow();
    log.add(300);
    const withheld = log.files.get('tile/entries/002')!;
    log.files.delete('tile/entries/002');
    clock.ms = 599_999;
    const again = await start();
    const refused = { is: 'refused', says: expect.stringContaining('does not give the records 512 to 767') };
    expect(await again.follow()).toMatchObject(refused);
    expect(again.read).toEqual(texts(512));
    expect(await readEvidence(dir)).toMatchObject([{ kind: 'records', says: refused.says }]);
    clock.ms = 600_000;
    expect(await again.follow(), 'waiting does not make it older').toMatchObject(refused);
    expect(await (await start()).follow(), 'of a longer time nobody knows').toBeUndefined();
    log.files.set('tile/entries/002', withheld);
    expect(await again.follow()).toBeUndefined();
    expect(again.read).toEqual(texts(812));
  });

  it('finds hashes of what was cleared that are not those that were sealed', async () => {
    const { log, start } = await mirrored(new TestLog().add(1_000));
    log.files.delete('tile/entries/001');
    log.files.set('tile/0/001', log.files.get('tile/0/002')!);
    expect(await (await start()).follow()).toMatchObject({
      is: 'trouble',
      says: expect.stringContaining('remove that folder'),
    });
  });

  it('finds what was damaged in its own folder', async () => {
    const { start, entriesOf } = await mirrored(new TestLog().add(600));
    await (await start()).follow();
    const file = entriesOf('000');
    const kept = await readFile(file);
    kept[20]! ^= 1;
    await writeFile(file, kept);
    expect(await (await start()).follow()).toMatchObject({
      is: 'trouble',
      says: expect.stringContaining('is damaged'),
    });
    await writeFile(file, kept.subarray(0, 700));
    expect(await (await start()).follow()).toMatchObject({
      is: 'trouble',
      says: expect.stringContaining('is damaged'),
    });
  });

  it('gives each record once where reading its own folder stopped midway', async () => {
    const { start, entriesOf } = await mirrored(new TestLog().add(600));
    await (await start()).follow();
    const kept = await readFile(entriesOf('001'));
    await writeFile(entriesOf('001'), kept.subarray(0, 700));
    const again = await start();
    expect(await again.follow()).toMatchObject({ is: 'trouble' });
    await writeFile(entriesOf('001'), kept);
    expect(await again.follow()).toBeUndefined();
    expect(again.read).toEqual(texts(600));
  });

  it('goes on where it was killed between two files', async () => {
    const { log, start, entriesOf } = await mirrored();
    await (await start()).follow();
    // The longer bundle is there, and the shorter one not removed yet.
    log.add(6);
    await writeFile(entriesOf('001.p/50'), log.files.get('tile/entries/001.p/50')!);
    await writeFile(entriesOf('001.p/51.new'), 'half');
    const again = await start();
    expect(await again.follow()).toBeUndefined();
    expect(again.read).toEqual(texts(306));
    log.add(1);
    await again.follow();
    expect(await readdir(entriesOf('001.p'))).toEqual(['51']);
  });

  it('says what stands in the way: a wrong token, torn bundles, and what its records say', async () => {
    const { start: unknown } = await mirrored(new TestLog().add(5), 'wrong');
    expect(await (await unknown()).follow()).toMatchObject({ is: 'trouble', says: expect.stringContaining('--token') });
    const { server, log, start } = await mirrored();
    server.instead = (asked, _request, reply) => {
      if (!asked.includes('entries')) return false;
      send(reply, 200, log.files.get('tile/entries/000')!.subarray(0, 100));
      return true;
    };
    const first = await start();
    expect(await first.follow()).toMatchObject({ is: 'trouble' });
    server.instead = () => false;
    first.wrong.push('A wallet is wrong.');
    expect(await first.follow()).toEqual({
      is: 'refused',
      says: 'RECORDS of games.example/seals/1: A wallet is wrong.',
    });
  });
});
