import { describe, expect, it } from 'vitest';
import type { RefusedCall } from '../platform/http/handler.ts';
import {
  mergeSummary,
  countRefused,
  countForeignNotFound,
  holdNotFound,
  newSummary,
  refusedEntry,
  type RefusedSummary,
} from './refusals.ts';
import type { CommandActor } from './run-command.ts';

const ACTOR: CommandActor = { id: 'id', username: 'somebody', networkId: 1 } as never;
const call = (url: string, ...names: string[]): RefusedCall<CommandActor> => ({
  actor: ACTOR,
  code: 'NOT_FOUND',
  origin: { url, method: 'GET', ip: '192.0.2.1' },
  names,
});
const numbered = (count: number): string[] => Array.from({ length: count }, (_, n) => `name ${n}`);
function row(summary: RefusedSummary): unknown[] {
  const { subject, changes } = refusedEntry(summary);
  return [subject, changes![0]!.after];
}

describe('the summary of refusals', () => {
  it('names the first five calls and counts all', () => {
    const summary = newSummary(ACTOR, 0);
    for (let n = 1; n <= 7; n++) countRefused(summary, call(`/${n}`));
    expect(row(summary)).toEqual(['Refused 7 times: outside its authority', 'GET /1, GET /2, GET /3, GET /4, GET /5']);
    expect(refusedEntry(summary)).toMatchObject({
      origin: { url: '/1' },
      detail: { refused: 7, since: '1970-01-01T00:00:00.000Z' },
      changes: [{ what: 'First refused calls' }],
    });
  });

  it('counts every request for foreign ids and nothing else', () => {
    const summary = newSummary(ACTOR, 0);
    for (const name of ['theirs', 'nobody’s', 'theirs', 'own']) holdNotFound(summary, call('/x', name));
    expect(summary.times).toBe(0);
    countForeignNotFound(summary, new Set(['theirs']));
    expect(row(summary)).toEqual(['Refused 2 times: outside its authority', 'GET /x']);
    countForeignNotFound(summary, new Set(['theirs']));
    expect(summary.times).toBe(2);
  });

  it('counts names beyond the lookup limit, in one call or many', () => {
    const hidden = newSummary(ACTOR, 0);
    holdNotFound(hidden, call('/many', ...numbered(60)));
    expect(hidden.times).toBe(1);
    const summary = newSummary(ACTOR, 0);
    for (const name of numbered(53)) holdNotFound(summary, call('/one', name));
    expect([summary.times, summary.names.size]).toEqual([3, 50]);
  });

  it('loses nothing when merged back with later refusals', () => {
    const [summary, later] = [newSummary(ACTOR, 0), newSummary(ACTOR, 9)];
    countRefused(summary, call('/first'));
    holdNotFound(summary, call('/x', 'theirs'));
    countRefused(later, call('/second'));
    holdNotFound(later, call('/x', 'theirs'));
    holdNotFound(later, call('/y', 'theirs'));
    mergeSummary(summary, later);
    countForeignNotFound(summary, new Set(['theirs']));
    expect(row(summary)).toEqual(['Refused 5 times: outside its authority', 'GET /first, GET /second, GET /x, GET /y']);
    expect(summary.sinceMs).toBe(0);
  });
});
