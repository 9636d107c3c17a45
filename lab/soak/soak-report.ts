import type { Tally } from '../simulate/tally.ts';
import type { Work } from './soak-load.ts';
import type { Sample, Verdict } from './verdict.ts';

const MEBIBYTE = 1024 * 1024;

const COLUMNS: readonly { readonly head: string; readonly of: (sample: Sample) => number | undefined }[] = [
  { head: 'minute', of: ({ minute }) => minute },
  { head: 'memory MiB', of: ({ memory }) => memory / MEBIBYTE },
  { head: 'heap', of: ({ heap }) => heap / MEBIBYTE },
  { head: 'held', of: ({ heapRetained }) => heapRetained && heapRetained / MEBIBYTE },
  { head: 'outside', of: ({ externalRetained }) => externalRetained && externalRetained / MEBIBYTE },
  { head: 'handles', of: ({ handles }) => handles },
  { head: 'sockets', of: ({ sockets }) => sockets },
  { head: 'files', of: ({ files }) => files },
  { head: 'connections', of: ({ connections }) => connections },
  { head: 'delay p99 ms', of: ({ delayP99Ms }) => delayP99Ms },
  { head: 'most ms', of: ({ delayMaxMs }) => delayMaxMs },
];

export function tableHead(): string {
  return `| ${COLUMNS.map(({ head }) => head).join(' | ')} |\n|${COLUMNS.map(() => '--:').join('|')}|`;
}

export function tableLine(sample: Sample): string {
  const cells = COLUMNS.map(({ head, of }) =>
    (of(sample)?.toFixed(head === 'minute' ? 1 : 0) ?? '').padStart(head.length),
  );
  return `| ${cells.join(' | ')} |`;
}

/** Requires some of every kind of work and at most 1 % failures. */
export function judgeLoad(bets: Tally, works: ReadonlyMap<string, Work>): Verdict[] {
  return [
    { ok: bets.accepted > 0, text: `bets: ${bets.accepted} done, credit topped up ${bets.topUps} times` },
    ...[...works].map(([name, { done, waited, failures }]): Verdict => {
      const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
      const reasons = [...failures].map(([reason, count]) => `${count} × ${reason}`);
      const counts = `${name}: ${done} done, ${waited} told to come later, ${failed} failed`;
      return { ok: done > 0 && failed * 100 <= done, text: [counts, ...reasons].join('; ') };
    }),
  ];
}
