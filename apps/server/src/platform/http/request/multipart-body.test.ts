import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { readMultipart } from './multipart-body.ts';

const turn = (): Promise<void> => new Promise((begin) => setImmediate(begin));

function requestWith(names: readonly string[]): FastifyRequest {
  async function* parts() {
    for (const name of names)
      yield { type: 'file', fieldname: 'images', filename: name, toBuffer: async () => Buffer.from(name), file: {} };
  }
  return { headers: {}, raw: { socket: { destroyed: false } }, parts } as unknown as FastifyRequest;
}

it("reads a form's files in turn with other forms'", async () => {
  const begun: string[] = [];
  const goOn: (() => void)[] = [];
  const take = (content: Buffer): Promise<void> => {
    begun.push(content.toString());
    return new Promise((done) => goOn.push(done));
  };
  const files = { names: { images: 9 }, maxBytes: 100 };
  const read = [
    readMultipart(requestWith(['a1', 'a2', 'a3']), files, take, 'a'),
    readMultipart(requestWith(['b1']), files, take, 'b'),
  ];
  const seen: string[][] = [];
  while (seen.flat().length < 4) {
    while (goOn.length === 0) await turn();
    await turn();
    seen.push(begun.splice(0));
    for (const done of goOn.splice(0)) done();
  }
  expect(seen).toEqual([['a1', 'b1'], ['a2'], ['a3']]);
  expect((await Promise.all(read)).map(({ files: found }) => found.size)).toEqual([3, 1]);
});
