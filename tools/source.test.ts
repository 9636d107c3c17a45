import { describe, expect, it } from 'vitest';
import { formatFinding, isTest, lineAt, sourceFile } from './source.ts';

const code = (text: string) => sourceFile('a.ts', text).code.replace(/ +/g, ' ').trim();
const bare = (text: string) => sourceFile('a.ts', text).bare.replace(/ +/g, ' ').trim();

describe('sourceFile', () => {
  it('blanks comments without moving lines', () => {
    const file = sourceFile('a.ts', 'a; // one\n/* two\n three */ b;\n');
    expect(file.code).toBe('a;       \n      \n          b;\n');
    expect(file.code).toHaveLength(file.text.length);
  });

  it('ignores comment markers inside strings', () => {
    expect(code("const url = 'http://x'; // y")).toBe("const url = 'http://x';");
    expect(bare("const url = 'http://x'; f()")).toBe("const url = ' '; f()");
  });

  it('reads code inside nested templates', () => {
    expect(bare('f(`a ${g(`b ${c} d`) + { e: 1 }.e} h`); i')).toBe('f(` ${g(` ${c} `) + { e: 1 }.e} `); i');
  });

  it('distinguishes regular expressions from divisions', () => {
    expect(bare('const quote = /[\'"`/]/g; now()')).toBe('const quote = / g; now()');
    expect(bare('a / b / c')).toBe('a / b / c');
    expect(bare('x = a / 2; // half')).toBe('x = a / 2;');
  });

  it('handles apostrophes in page text', () => {
    expect(code("<p>Don't</p>\n<b>{a}</b> // c")).toBe("<p>Don't</p>\n<b>{a}</b>");
  });

  it('leaves other file types unchanged', () => {
    expect(sourceFile('a.md', 'see // here').code).toBe('see // here');
  });
});

describe('places', () => {
  it('counts lines from 1', () => {
    expect(lineAt('a\nb\nc', 4)).toBe(3);
    expect(formatFinding({ path: 'a.ts', line: 3, rule: 'r', message: 'do' })).toBe('a.ts:3  r: do');
  });

  it('recognizes tests', () => {
    expect(
      ['a/b.test.ts', 'a/b.test.tsx', 'apps/web/e2e/story.spec.ts', 'apps/server/test/harness.ts'].every(isTest),
    ).toBe(true);
    expect(isTest('apps/server/src/testing.ts')).toBe(false);
  });
});
