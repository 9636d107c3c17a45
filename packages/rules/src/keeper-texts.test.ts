import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keeperDayText, keeperReleaseText, operatorCloseText, questionProblem } from './keeper-texts.ts';
import type { ReleaseQuestion } from './keeper-texts.ts';

const root = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const question: ReleaseQuestion = {
  day: '2026-11-26',
  index: 7,
  drawId: '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d',
  closesAt: '2026-11-26T11:59:55.000Z',
  commitment: 'cd'.repeat(32),
  tickets: 0,
  ticketRoot: root,
};
const releasedAt = '2026-11-26T11:59:56.789Z';
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

describe('what the server and a keeper sign', () => {
  it('is these texts for ever: what was signed must stay checkable', () => {
    expect(text(keeperDayText({ name: 'keeper-1', day: '2026-11-26', size: 200_000, root }))).toBe(
      `drawhouse keeper day\nkeeper-1\n2026-11-26\n200000\n${root}\n`,
    );
    expect(text(keeperReleaseText('keeper-1', question, releasedAt))).toBe(
      `drawhouse keeper release\nkeeper-1\n2026-11-26\n7\n0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d\n2026-11-26T11:59:55.000Z\n${'cd'.repeat(32)}\n0\n${root}\n2026-11-26T11:59:56.789Z\n`,
    );
    expect(text(operatorCloseText('ab'.repeat(32), question))).toBe(
      `drawhouse operator close\n${'ab'.repeat(32)}\n0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7d\n2026-11-26\n7\n2026-11-26T11:59:55.000Z\n${'cd'.repeat(32)}\n0\n${root}\n`,
    );
  });

  it('says which field is wrong', () => {
    const wrong: [Record<string, unknown>, RegExp][] = [
      [{ day: '2026-13-01' }, /^day /],
      [{ day: 20261126 }, /^day /],
      [{ index: -1 }, /^index /],
      [{ index: '7' }, /^index /],
      [{ drawId: `${question.drawId}\n` }, /^drawId /],
      [{ closesAt: '2026-11-26T11:59:55Z' }, /^closesAt /],
      [{ closesAt: '2026-02-31T11:59:55.000Z' }, /^closesAt /],
      [{ closesAt: 1 }, /^closesAt /],
      [{ commitment: 'x' }, /^commitment /],
      [{ tickets: 0.5 }, /^tickets /],
      [{ ticketRoot: root.toUpperCase() }, /^ticketRoot /],
      [{ ticketRoot: undefined }, /^ticketRoot /],
    ];
    expect(questionProblem(question)).toBeNull();
    for (const [more, problem] of wrong) {
      const asked = { ...question, ...more } as ReleaseQuestion;
      expect(questionProblem(asked)).toMatch(problem);
      expect(() => keeperReleaseText('keeper-1', asked, releasedAt)).toThrow(RangeError);
      expect(() => operatorCloseText('ab'.repeat(32), asked)).toThrow(RangeError);
    }
    for (const name of ['', 'a\nb', 'ä', 'k'.repeat(65)])
      expect(() => keeperReleaseText(name, question, releasedAt)).toThrow(RangeError);
    expect(() => keeperReleaseText('keeper-1', question, 'now')).toThrow(RangeError);
    expect(() => operatorCloseText('keeper-1', question)).toThrow(RangeError);
    expect(() => keeperDayText({ name: 'k', day: '2026-11-26', size: 0, root })).toThrow(RangeError);
  });

  it('is another text for another question, whatever it is', () => {
    const questions = fc.record({
      day: fc.constantFrom('2026-11-26', '2026-11-27'),
      index: fc.nat(20),
      drawId: fc.constantFrom(question.drawId, '0190b5a2-8f4c-7c3e-9d5b-2f6a1c0e4b7e'),
      closesAt: fc.constantFrom('2026-11-26T11:59:55.000Z', '2026-11-26T12:59:55.000Z'),
      commitment: fc.constantFrom(root, 'ef'.repeat(32)),
      tickets: fc.nat(20),
      ticketRoot: fc.constantFrom(root, 'ab'.repeat(32)),
    });
    fc.assert(
      fc.property(questions, questions, (one, other) => {
        const isSame = Object.values(one).join() === Object.values(other).join();
        expect(text(keeperReleaseText('k', one, releasedAt)) === text(keeperReleaseText('k', other, releasedAt))).toBe(
          isSame,
        );
        expect(text(operatorCloseText(root, one)) === text(operatorCloseText(root, other))).toBe(isSame);
      }),
    );
  });
});
