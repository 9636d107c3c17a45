import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { UNUSED_REACT } from './setup/lean-packages.ts';
import { sourceFile } from './source.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const CONFIGS = ['apps/web/vite.config.ts', 'apps/players/vite.config.ts', 'tools/setup/lean-packages.ts'];
const SOURCES = [
  '{apps,packages}/*/src/**/*.{ts,tsx,css}',
  'node_modules/{@mantine,@noble,react-dom,@socket.io,@tabler/icons-react,@tanstack/query-core,dayjs}/**/*.{js,mjs}',
  'node_modules/{engine.io-client,engine.io-parser,socket.io-parser}/**/*.js',
];
const files = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).map((name) => `/${name}`);

/** Finds regular expressions with a class of slashes. */
function patternsIn(code: string): string[] {
  const literals = code.match(/(?<=[\s(,[!])\/(?:\[(?:\\.|[^\]\n])*\]|\\.|[^/[\n\\])+\//g) ?? [];
  return literals.map((literal) => literal.slice(1, -1)).filter((source) => source.includes(String.raw`[\\/]`));
}

/** Returns one pattern per choice. An excluded name counts as an alternative, since it must exist too. */
function alternativesOf(source: string): string[] {
  let rest = source;
  const take = (token: RegExp): string => {
    const [taken = ''] = token.exec(rest) ?? [];
    rest = rest.slice(taken.length);
    return taken;
  };
  const alternation = (): string[] => {
    const done: string[] = [];
    let heads = [''];
    while (rest !== '' && !rest.startsWith(')')) {
      if (take(/^\|/)) {
        done.push(...heads);
        heads = [''];
        continue;
      }
      const opening = take(/^\((?:\?[:!])?/);
      const inner = opening ? alternation() : [take(/^(?:\[(?:\\.|[^\]])*\]|\\.|.)/)];
      if (opening) take(/^\)/);
      const choices = opening === '(?!' ? ['', ...inner] : inner;
      heads = heads.flatMap((head) => choices.map((choice) => head + (opening ? `(${choice})` : choice)));
    }
    return [...done, ...heads];
  };
  return alternation();
}

it('splits a pattern into its alternatives', () => {
  expect(alternativesOf(String.raw`[\\/](?:a|b(c|d))\.ts|e[\\/](?!f)`)).toEqual([
    String.raw`[\\/](a)\.ts`,
    String.raw`[\\/](b(c))\.ts`,
    String.raw`[\\/](b(d))\.ts`,
    String.raw`e[\\/]()`,
    String.raw`e[\\/](f)`,
  ]);
});

// A pattern that matches nothing moves code into another chunk and breaks page budgets unseen.
it.each(CONFIGS)('each path pattern of %s matches a file', (config) => {
  const { code } = sourceFile(config, readFileSync(path.join(ROOT, config), 'utf8'));
  const patterns = patternsIn(code);
  expect(patterns.length).toBeGreaterThan(4);
  const stale = patterns
    .flatMap(alternativesOf)
    .filter((pattern) => !files.some((file) => new RegExp(pattern).test(file)));
  expect(stale).toEqual([]);
});

const FRAGMENT_REF = /<Fragment\b[^>]*\sref\b|Fragment, \{[^}]*\bref:/;
const OWN = 'packages/{pictures,session}/src/**/*.{ts,tsx}';
const MANTINE = 'node_modules/@mantine/{core,form,hooks,notifications}/esm/**/*.mjs';

it.each([
  ['players', [OWN, 'apps/players/src/**/*.{ts,tsx}'], []],
  ['staff', [OWN, 'apps/web/src/**/*.{ts,tsx}', MANTINE], ['Activity']],
])('pages of %s use no feature of React that their build leaves out', (_who, sources, kept) => {
  const read = sources.flatMap((pattern) => globSync(pattern, { cwd: ROOT }));
  expect(read.length).toBeGreaterThan(50);
  const used = read.flatMap((file) => {
    const code = readFileSync(path.join(ROOT, file), 'utf8');
    const isUsed = (feature: string) =>
      (feature === 'Fragment ref' ? FRAGMENT_REF : new RegExp(String.raw`\b${feature}\b`)).test(code);
    return UNUSED_REACT.filter((feature) => !kept.includes(feature) && isUsed(feature)).map(
      (feature) => `${file}: ${feature}`,
    );
  });
  expect(used).toEqual([]);
});
