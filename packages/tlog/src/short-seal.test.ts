import { describe, expect, it } from 'vitest';
import { shortSeal } from './short-seal.ts';

const ROOT = 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=';
const note = (root: string): string => `example.org/seals/1\n42\n${root}\n\n— example.org/seals/1 AAAA\n`;

describe('a checkpoint for people', () => {
  it('shows the whole root: a part would not bind whoever makes both trees', () => {
    expect(shortSeal(note(ROOT))).toEqual({ origin: 'example.org/seals/1', size: 42, root: ROOT });
  });

  it('rejects other text', () => {
    for (const text of [undefined, '', note(ROOT.slice(0, 16)), note(ROOT.slice(1))])
      expect(shortSeal(text)).toBeNull();
  });
});
