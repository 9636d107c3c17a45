import { describe, expect, it } from 'vitest';
import { DELAY_P99_MS, judge, WATCHED } from './verdict.ts';
import type { Sample } from './verdict.ts';

const MINUTES = 20;
const SAMPLES = 400;
const MEBIBYTE = 1024 * 1024;
const noise = (index: number): number => Math.sin(index * 12.9898) * Math.cos(index * 78.233);

/** Healthy, with periodic collections; `change` overrides fields. */
const soak = (change: (hours: number, index: number) => Partial<Sample>): Sample[] =>
  Array.from({ length: SAMPLES }, (_, index) => {
    const minute = (MINUTES * index) / (SAMPLES - 1);
    return {
      minute,
      memory: (190 + 6 * noise(index)) * MEBIBYTE,
      heap: (50 + (index % 20)) * MEBIBYTE,
      heapRetained: index % 8 === 0 ? (48 + 2 * noise(index)) * MEBIBYTE : undefined,
      externalRetained: index % 8 === 0 ? (2 + noise(index)) * MEBIBYTE : undefined,
      handles: 60 + Math.round(20 * noise(index)),
      sockets: 30 + Math.round(10 * noise(index)),
      files: 70 + Math.round(20 * noise(index)),
      connections: 8 + Math.round(2 * noise(index)),
      delayP99Ms: 5,
      delayMaxMs: 60,
      totalDelayP99Ms: 8,
      ...change(minute / 60, index),
    };
  });
const failed = (samples: readonly Sample[]): string[] =>
  judge(samples)
    .filter(({ ok }) => !ok)
    .map(({ text }) => text.split(':')[0]!);

describe('judge', () => {
  it('passes a server whose memory fluctuates', () => expect(failed(soak(() => ({})))).toEqual([]));

  it('passes memory that levels off', () => {
    const levelling = soak((hours) => ({ memory: (250 - 100 * Math.exp(-30 * hours)) * MEBIBYTE }));
    expect(failed(levelling)).toEqual([]);
  });

  it('detects growth of 2 KiB per bet under noise', () => {
    const leakMiB = (hours: number): number => (hours * 3600 * 6 * 2) / 1024;
    const leaking = soak((hours, index) => ({
      heapRetained: index % 8 === 0 ? (48 + 2 * noise(index) + leakMiB(hours)) * MEBIBYTE : undefined,
      memory: (190 + 6 * noise(index) + leakMiB(hours)) * MEBIBYTE,
    }));
    expect(failed(leaking)).toEqual(['heap held']);
    const more = soak((hours, index) => ({ memory: (190 + 6 * noise(index) + 3 * leakMiB(hours)) * MEBIBYTE }));
    expect(failed(more)).toEqual(['memory']);
  });

  it('detects one leaked handle, socket and file per minute', () => {
    const leaking = soak((hours, index) => {
      const left = Math.floor(hours * 60) + Math.round(20 * noise(index));
      return { handles: 60 + left, sockets: 30 + left, files: 70 + left };
    });
    expect(failed(leaking)).toEqual(['handles', 'sockets', 'open files']);
  });

  it('detects leaked connections', () =>
    expect(failed(soak((hours) => ({ connections: 8 + Math.floor(hours * 60 * 0.5) })))).toEqual([
      'database connections',
    ]));

  it('detects excessive memory and a late event loop', () => {
    const { most } = WATCHED[0]!;
    expect(failed(soak(() => ({ memory: (most! + 1) * MEBIBYTE })))).toEqual(['memory']);
    expect(failed(soak(() => ({ totalDelayP99Ms: DELAY_P99_MS + 1 })))).toEqual(['event-loop delay']);
  });

  it('needs enough readings and tolerates figures the system does not report', () => {
    expect(failed(soak(() => ({})).slice(0, 9))).toContain('memory');
    expect(failed(soak((_hours, index) => ({ heapRetained: index === 0 ? MEBIBYTE : undefined })))).toEqual([
      'heap held',
    ]);
    expect(failed(soak(() => ({ files: undefined })))).toEqual([]);
  });
});
