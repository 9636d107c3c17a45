import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { NOTICES } from '@drawhouse/contract/notices/notice-texts';
import { readConfig } from '../apps/server/src/config/config.ts';
import { SETTINGS } from '../apps/server/src/config/setting-names.ts';
import { PIECE_SIZES } from '../apps/server/src/settlement/pay/settle-in-pieces.ts';
import { checkDocs, checkNamedFiles, generatedParts } from './docs.ts';
import { root } from './run.ts';
import { readSources } from './source.ts';

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const pages = new Map(
  readSources(root)
    .filter((file) => file.path.endsWith('.md'))
    .map((file) => [file.path, file.text]),
);

/** Makes text lowercase, without punctuation, with hyphens for spaces. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-');
}

function deadLinks(from: string, text: string): string[] {
  const prose = text.replaceAll(/^```.*?^```/gms, '').replaceAll(/`[^`\n]*`/g, '');
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [file = '', anchor] = link.split('#');
    const to = file === '' ? from : path.posix.join(path.posix.dirname(from), file);
    if (!existsSync(path.join(root, to))) return true;
    const headings = [...(pages.get(to) ?? '').matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading!));
    return anchor !== undefined && !headings.includes(anchor);
  });
}

/** Returns rows below the given first heading, without markup. */
function rowsOf(page: string, head: string): string[][] {
  const lines = read(page).split('\n');
  const first = lines.findIndex((line) => line.startsWith(`| ${head} `)) + 2;
  const end = lines.findIndex((line, index) => index >= first && !line.startsWith('|'));
  return lines.slice(first, end).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

describe('links in the documents', () => {
  it.each([...pages])('of %s lead somewhere', (page, text) => {
    expect(deadLinks(page, text)).toEqual([]);
  });

  it('are found, and broken ones reported', () => {
    const text =
      'see [a](README.md), [b](gone.md), [c](README.md#gone), [d](#here), `[e](code.md)`, [f](https://example.org)\n# Here';
    expect(deadLinks('CONTRIBUTING.md', text)).toEqual(['gone.md', 'README.md#gone', '#here']);
    expect(pages.size).toBeGreaterThan(5);
  });
});

describe('the settings', () => {
  it("state the configuration's defaults", () => {
    const config = readConfig({});
    const defaults = [
      ['PORT', config.port],
      ['HOST', config.host],
      ['TRUST_PROXY', config.trustProxy],
      ['LOG_LEVEL', config.logLevel],
      ['BACKUP_QUOTA', config.backupQuota],
      ['RETENTION_DAYS', config.retentionDays],
      ['AUDIT_EVERY_DAYS', config.auditEveryDays],
      ['SUPERADMIN_BY_TOKEN', config.superadminByToken],
      ['BEACON_DEADLINE_SECONDS', config.beacons.deadlineMs / 1000],
      ['SETTLE_WHOLE_UP_TO', PIECE_SIZES.wholeUpTo],
      ['SETTLE_PIECE_PLAYERS', PIECE_SIZES.players],
    ] as const;
    expect(defaults.map(([name]) => [name, SETTINGS[name]!.defaultText])).toEqual(
      defaults.map(([name, value]) => [name, String(value)]),
    );
    expect(path.relative(process.cwd(), config.dataDir)).toBe(path.normalize(SETTINGS['DATA_DIR']!.defaultText));
  });
});

describe('generated parts of pages', () => {
  const files = generatedParts().map(({ page, name, text }) => ({
    path: page,
    text: `# A page\n\n<!-- ${name} -->\n\n${text}\n\n<!-- /${name} -->\n`,
  }));

  it('pass if the page matches', () => expect(checkDocs(files)).toEqual([]));

  it('fail if a line differs or the marks are missing', () => {
    const changed = files.map((file) => ({
      ...file,
      text: file.text.replace('PORT', 'PART').replace('ledger', 'edger'),
    }));
    expect(checkDocs(changed).map(({ line, message }) => [line, message])).toEqual([
      [5, 'the map differs from the code: run npm run docs'],
      [5, 'the settings differs from the code: run npm run docs'],
    ]);
    expect(checkDocs([]).map(({ rule }) => rule)).toEqual(['generated-docs', 'generated-docs']);
  });
});

it('finds files that a page names and that do not exist', () => {
  const page = {
    path: 'a.md',
    text: 'see `tickets/judge.ts`,\n`judge.ts`, `gone.ts`, `<feature>.sql.ts` and `npm start`',
  };
  const found = checkNamedFiles([page, { path: 'apps/server/src/tickets/judge.ts', text: '' }]);
  expect(found.map(({ line, message }) => [line, message])).toEqual([
    [2, 'there is no gone.ts: name the file that replaced it'],
  ]);
});

it('the manual lists exactly the existing notices', () => {
  const documented = rowsOf('docs/manual/notices.md', 'notice').map(([code]) => code!);
  expect(documented).toEqual(Object.keys(NOTICES).toSorted());
});

it('the manual lists exactly the existing commands', () => {
  // npm runs `prepare` itself.
  const { prepare: _, ...scripts } = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts;
  const documented = rowsOf('docs/manual/running.md', 'command').map(([command]) =>
    command!.replace(/^npm (?:run )?([\w:-]+).*/, '$1'),
  );
  expect(documented.toSorted()).toEqual(Object.keys(scripts).toSorted());
});

describe('docs/operations.md and the files of deploy', () => {
  const recipes = read('docs/operations.md');
  const deploy = readdirSync(path.join(root, 'deploy'));
  /** Settings occur in recipe blocks, inline code and deployment files. */
  const files = ['drawhouse.env', 'compose.yaml', 'Containerfile', 'drawhouse.service'];

  it('name existing commands', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const code = [...recipes.matchAll(/^```.*?^```|`[^`\n]+`/gms)].map(([text]) => text).join('\n');
    const named = [...code.matchAll(/npm run (?!NAME)([\w:-]+)|(?:^|[`]|&& )drawhouse (?!NAME)([a-z][\w-]*)/gm)];
    const unknown = named.map(([, npm, own]) => npm ?? own!).filter((name) => !Object.hasOwn(scripts, name));
    expect(named.length).toBeGreaterThan(8);
    expect(unknown).toEqual([]);
  });

  it('name existing settings', () => {
    const known = new Set(Object.keys(SETTINGS));
    const others = [
      'DRAWHOUSE_NAME',
      'DRAWHOUSE_SERVERS',
      'ADDRESS',
      'VERSION',
      'PASSWORD',
      'YOUR',
      'NAME',
      'EXPOSURE',
      'BASE',
      'FAILED_URL',
      'NOT_READY',
      'OUTCOME_UNKNOWN',
    ];
    const words = files.map((file) => read(`deploy/${file}`).replaceAll(/^\s*#.*$/gm, ''));
    const named = [
      ...recipes.matchAll(/`([A-Z][A-Z_]+)(?:=[^`]*)?`/g),
      ...recipes.matchAll(/^([A-Z_]+)=/gm),
      ...words.flatMap((text) => [...text.matchAll(/(?:^\s*|ENV | )([A-Z]+_[A-Z_]+|HOST|PORT)[=:] ?/gm)]),
    ].map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !known.has(name) && !others.includes(name))).toEqual([]);
  });

  it("state the connections per server and PostgreSQL's limit for two servers", () => {
    const [, ofOne] = /CONNECTIONS_OF_ONE = (\d+)/.exec(
      read('apps/server/src/platform/db/connection/dedicated-connections.ts'),
    )!;
    const [, most] = /^max_connections = (\d+)/m.exec(read('deploy/drawhouse-postgresql.conf'))!;
    expect(recipes).toContain(`Each opens up to ${ofOne} connections`);
    expect(recipes).toContain(`\`max_connections\` of ${most} is enough for two: add ${ofOne} for`);
    expect(Number(most)).toBeGreaterThan(2 * Number(ofOne));
  });

  it('name existing files, and all of them', () => {
    const named = [...recipes.matchAll(/deploy\/([\w.-]+)/g)].map(([, name]) => name!.replace(/\.$/, ''));
    const wanted = named.filter((name) => name !== 'secrets' && !name.startsWith('.'));
    expect(wanted.filter((name) => !deploy.includes(name))).toEqual([]);
    const units = deploy.filter((name) => /\.(?:service|timer)$/.test(name));
    expect(deploy.filter((name) => !wanted.includes(name) && !units.includes(name))).toEqual([]);
    expect(recipes).toContain('deploy/*.service');
  });
});
