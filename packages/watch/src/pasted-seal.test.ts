import { newPrivateKey, signerOf, verifyOnNode } from '@drawhouse/tlog/on-node-ed25519';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ModelLogs } from './model-logs.ts';
import { judgePasted, readPastedSeal } from './pasted-seal.ts';
import type { PastedFinding } from './pasted-seal.ts';
import { shortSeal } from './short-seal.ts';

const signer = signerOf(newPrivateKey());
const records = (count: number, of: string): string[] =>
  Array.from({ length: count }, (_, nth) => `tickets 1\n${of}\t${nth}\n`);

function serverWith(count: number): ModelLogs {
  const server = new ModelLogs(signer);
  server.append(records(count, 'first'));
  return server;
}

/** What a person may have of a checkpoint: each form in which the product gives it, and what stands around it. */
function formsOf(note: string): string[] {
  const { origin, size, root } = shortSeal(note)!;
  const count = size.toLocaleString('en-US');
  return [
    note,
    note.trimEnd(),
    `\r\n${note.replaceAll('\n', '\r\n')}`,
    JSON.stringify(
      { ticketId: '123456', placedAt: '2026-03-10T10:00:00.000Z', digest: 'ab'.repeat(32), seal: note },
      null,
      2,
    ),
    `Sealed in ${origin}: ${count} records, ${root} What the seals are`,
    `Sealed in ${origin}, ${count} records\n${root.slice(0, 22)} ${root.slice(22)}`,
    `${size}\n${root}`,
    `${count} ${root.slice(0, 22)}\n${root.slice(22)}`,
  ];
}

const check = (server: ModelLogs, text: string): Promise<PastedFinding> =>
  judgePasted(readPastedSeal(text)!, { get: server.get, verify: verifyOnNode });

describe('a seal that somebody pastes', () => {
  it('is read in each form in which the product gives it, whatever its size and root', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 2_000 }), async (size) => {
        const note = serverWith(size).checkpoint();
        const { root } = shortSeal(note)!;
        for (const text of formsOf(note)) {
          const read = readPastedSeal(text);
          expect([text, read?.size, Buffer.from(read?.root ?? []).toString('base64')]).toEqual([text, size, root]);
        }
      }),
      { numRuns: 20 },
    );
  });

  it.each([
    '',
    'hello',
    '1234',
    'A'.repeat(44),
    `${'A'.repeat(43)}=`,
    `12 of 34 ${'A'.repeat(43)}=`,
    '{"seal":7}',
    'null',
  ])('is none where the number of records or the fingerprint is not there, or not sure: %j', (text) =>
    expect(readPastedSeal(text)).toBeNull(),
  );

  it('is contained in the log of now, in whichever form, also of a log that was begun anew', async () => {
    const server = serverWith(70);
    const forms = formsOf(server.checkpoint());
    for (const text of forms) expect(await check(server, text)).toMatchObject({ is: 'in', now: 70, begun: null });
    server.append(records(333, 'later'));
    for (const text of forms) expect(await check(server, text)).toMatchObject({ is: 'in', now: 403, begun: null });
    server.beginAnew('A restore.');
    expect(await check(server, forms[0]!)).toMatchObject({ is: 'in', now: 1, begun: { why: 'A restore.' } });
  });

  it.each<[string, (server: ModelLogs) => void, string]>([
    ['a record was changed', (server) => void (server.logs[0]![3] = 'tickets 1\nother\n'), 'unproved'],
    ['records were taken out of its end', (server) => void server.logs[0]!.splice(50), 'rolled back'],
    ['a record was put in', (server) => void server.logs[0]!.splice(9, 0, 'tickets 1\nmore\n'), 'unproved'],
    ['a new log does not name it', (server) => server.beginAnew('A restore.', 'nothing'), 'other log'],
  ])('is not contained where %s', async (_, rewrite, misfit) => {
    const server = serverWith(70);
    const forms = formsOf(server.checkpoint());
    server.append(records(20, 'later'));
    rewrite(server);
    for (const text of forms.slice(0, 6)) expect(await check(server, text)).toMatchObject({ is: 'out', misfit });
  });

  it('is not contained where one digit of its root is another, and is foreign where another key signed it', async () => {
    const server = serverWith(70);
    const { size, root } = shortSeal(server.checkpoint())!;
    const changed = `${root[0] === 'A' ? 'B' : 'A'}${root.slice(1)}`;
    expect(await check(server, `${size} ${changed}`)).toMatchObject({ is: 'out', misfit: 'forked' });
    const other = new ModelLogs(signerOf(newPrivateKey()));
    other.append(records(70, 'first'));
    expect(await check(server, other.checkpoint())).toEqual({ is: 'foreign' });
  });

  it('is unknown while the server does not answer', async () => {
    const server = serverWith(7);
    const note = server.checkpoint();
    server.status = 503;
    expect(await check(server, note)).toEqual({ is: 'unknown' });
  });
});
