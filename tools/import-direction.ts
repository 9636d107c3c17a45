import { findCycles, importsOf } from './import-graph.ts';
import { isTest } from './source.ts';
import type { Finding, SourceFile } from './source.ts';

/** Server folders, lowest first. Each imports only itself and earlier ones. Every new folder needs a place. */
export const serverOrder: readonly string[] = [
  'transfer-target.ts',
  'backup-plan.ts',
  'seal-settings.ts',
  'notify-settings.ts',
  'beacon-settings.ts',
  'metrics-settings.ts',
  'config.ts',
  'caller-file.ts',
  'setting-names.ts',
  'require-folders.ts',
  'start-errors.ts',
  'version.ts',
  'clock.ts',
  'draw-states.ts',
  'period.ts',
  'recurring.ts',
  'semaphore.ts',
  'table-owner.ts',
  'cleared-tables.ts',
  'log-tables.ts',
  'notice-tables.ts',
  'restore-tables.ts',
  'undone-tables.ts',
  'player-tables.ts',
  'session-tables.ts',
  'table-owners.ts',
  'db',
  'log',
  'existing-database.ts',
  'over-networks.ts',
  'services.ts',
  'predicate.ts',
  'http',
  'lists',
  'settings',
  'transparency',
  'network-work',
  'activity',
  'ledger',
  'accounts',
  'protection',
  'auth',
  'api-keys',
  'credit',
  'games',
  'draws',
  'tickets',
  'settlement',
  'live',
  'players',
  'liability',
  'clearing',
  'reports',
  'health',
  'notices',
  'metrics',
  'backup',
];

/** Composition root: imports everything, imported only by itself. */
export const serverComposition: readonly string[] = [
  'app-options.ts',
  'create-backup-parts.ts',
  'watch-server.ts',
  'what-recurs.ts',
  'measure-app.ts',
  'app.ts',
  'main.ts',
  'command-line.ts',
  'run-audit.ts',
  'run-backup.ts',
  'run-restore.ts',
  'run-network.ts',
  'run-seals.ts',
  'run-admin.ts',
  'doctor',
  'run-doctor.ts',
  'support',
  'run-support-bundle.ts',
  'serve.ts',
];

/**
 * Imports only packages and `db`, never the code it audits. Imported only by the composition and by `transparency`,
 * whose findings share its format.
 */
const AUDITOR = 'audit';
const REPORTS_TO_AUDITOR = 'transparency';

const serverLeaves: readonly string[] = ['clearing', 'reports', 'backup'];

/** Allowed imports between parts of the web app. */
const webImports: Readonly<Record<string, readonly string[]>> = {
  'firstTexts.ts': [],
  'commonTexts.ts': ['firstTexts.ts'],
  lib: ['commonTexts.ts', 'firstTexts.ts'],
  ui: ['lib', 'commonTexts.ts', 'firstTexts.ts'],
  features: ['ui', 'lib', 'commonTexts.ts', 'firstTexts.ts'],
  app: ['features', 'ui', 'lib', 'commonTexts.ts', 'firstTexts.ts'],
};

/**
 * Allowed imports between parts of the players' client. Features import `ui` and `lib`; `frame` composes them. The
 * service worker stands alone.
 */
const playersParts: Readonly<Record<string, readonly string[]>> = {
  worker: [],
  lib: [],
  ui: ['lib'],
  frame: ['features', 'ui', 'lib'],
};
const playersFeatures: readonly string[] = ['sign-in', 'welcome', 'lobby', 'play', 'mine'];

const packagesBelow: Readonly<Record<string, readonly string[]>> = {
  session: ['contract'],
  tlog: ['rules'],
};

/** Returns the problem and its remedy, or `undefined` if allowed. */
export function forbidden(from: string, to: string): string | undefined {
  const [kind, name, part] = from.split('/');
  const home = `${kind}/${name}/`;
  if (kind === 'packages') {
    const below = packagesBelow[name!] ?? [];
    if (to.startsWith(home) || below.some((other) => to.startsWith(`packages/${other}/src/`))) return undefined;
    return `packages/${name} imports no app and no other package${below.map((other) => ` but ${other}`).join('')}: take it as an argument`;
  }
  if (kind !== 'apps' || isTest(from)) return undefined;
  if (/^packages\/[^/]+\/src\//.test(to)) return undefined;
  if (!to.startsWith(home)) return `${home} imports only the packages and itself: move what both need into a package`;
  if (isTest(to)) return 'code does not import its tests: move what both need beside the code';
  if (part !== 'src') return undefined;
  if (name === 'server') return forbiddenInServer(from, to);
  return name === 'players' ? forbiddenInPlayers(from, to) : forbiddenInWeb(from, to);
}

function forbiddenInServer(from: string, to: string): string | undefined {
  const [own, other] = [from.split('/')[3]!, to.split('/')[3]!];
  if (own === other || serverComposition.includes(own)) return undefined;
  if (own === AUDITOR && other !== 'db')
    return `the auditor imports the packages and db alone: move what it shares with ${other} to packages/rules, or write its own`;
  if (other === AUDITOR && own === REPORTS_TO_AUDITOR) return undefined;
  if (other === AUDITOR)
    return 'only app.ts and the commands import the auditor: take its finding as a function from there';
  if (serverComposition.includes(other)) return `nothing imports ${other}: pass in what is needed from there`;
  if (serverLeaves.includes(other))
    return `only app.ts imports ${other}: read the tables of your own feature, or move the query`;
  const [ownRank, otherRank] = [serverOrder.indexOf(own), serverOrder.indexOf(other)];
  if (ownRank < 0 || otherRank < 0 || otherRank < ownRank) return undefined;
  return `${own} stands before ${other} in serverOrder: let ${other} call ${own}, or pass in a function from app.ts`;
}

function forbiddenInWeb(from: string, to: string): string | undefined {
  const [[own, ownName], [other, otherName]] = [from.split('/').slice(3), to.split('/').slice(3)] as [
    string[],
    string[],
  ];
  const allowed = webImports[own!];
  if (!allowed) return undefined;
  if (own === 'ui' && /^api(?:$|[./])/.test(otherName ?? '')) {
    return 'ui fetches nothing: take the data and the calls as props';
  }
  if (own === other && (own !== 'features' || ownName === otherName)) return undefined;
  if (own === other)
    return `feature ${ownName} imports no sister: move what both need to ui or lib, or compose them in app`;
  if (allowed.includes(other!)) return undefined;
  return `${own} imports only ${[...allowed, 'packages and itself'].join(', ')}: take it as a prop or an argument from above`;
}

function forbiddenInPlayers(from: string, to: string): string | undefined {
  const [own, other] = [from.split('/')[3]!, to.split('/')[3]!];
  const isFeature = playersFeatures.includes(own);
  const allowed = isFeature ? ['ui', 'lib'] : playersParts[own];
  if (!allowed || own === other) return undefined;
  const isSister = playersFeatures.includes(other);
  if (isFeature && isSister)
    return `feature ${own} imports no sister: move what both need to ui or lib, or compose them in frame`;
  if (allowed.includes(isSister ? 'features' : other)) return undefined;
  return `${own} imports only ${[...allowed, 'packages and itself'].join(', ')}: take it as a prop or an argument from above`;
}

function withoutPlace(path: string): string | undefined {
  const [kind, name, src, part] = path.split('/');
  if (kind !== 'apps' || src !== 'src' || isTest(path)) return undefined;
  if (name === 'server' && ![...serverOrder, ...serverComposition, AUDITOR].includes(part!)) {
    return `apps/server/src/${part} has no place yet: put it into serverOrder of tools/import-direction.ts`;
  }
  if (name === 'web' && path.split('/').length > 4 && !Object.hasOwn(webImports, part!)) {
    return `apps/web/src/${part} is none of ${Object.keys(webImports).join(', ')}: move it into one of them`;
  }
  const playersPlaces = [...Object.keys(playersParts), ...playersFeatures];
  if (name === 'players' && path.split('/').length > 4 && !playersPlaces.includes(part!)) {
    return `apps/players/src/${part} is none of ${playersPlaces.join(', ')}: move it into one of them, or name it in playersFeatures`;
  }
  return undefined;
}

const BARREL = /^\s*(?:export\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s+from\s*['"][^'"]+['"]\s*;?\s*)+$/;

/** Finds places without files. */
export function checkPlaces(files: readonly Pick<SourceFile, 'path'>[]): readonly Finding[] {
  const paths = files.map((file) => file.path);
  const places = [
    ...[...serverOrder, ...serverComposition, AUDITOR, ...serverLeaves].map((place) => `apps/server/src/${place}`),
    ...Object.keys(webImports).map((place) => `apps/web/src/${place}`),
    ...[...Object.keys(playersParts), ...playersFeatures].map((place) => `apps/players/src/${place}`),
  ];
  return places
    .filter((place) => !paths.some((file) => file === place || file.startsWith(`${place}/`)))
    .map((place) => ({
      path: 'tools/import-direction.ts',
      line: 1,
      rule: 'place-without-folder',
      message: `${place} has a place in the order and does not exist: take the place out`,
    }));
}

/** Finds wrong directions, cycles, barrel files and folders without a place. */
export function checkImports(files: readonly SourceFile[]): readonly Finding[] {
  const scripts = files.filter(({ path }) => /\.(?:[cm]?[jt]s|tsx)$/.test(path));
  const known = new Set(scripts.map(({ path }) => path));
  const graph = new Map(scripts.map((file) => [file.path, importsOf(file, known)]));
  const homeless = new Set<string>();

  const findings = scripts.flatMap((file) => {
    const found: Finding[] = [];
    const add = (line: number, rule: string, message: string) => found.push({ path: file.path, line, rule, message });

    const place = withoutPlace(file.path);
    if (place && !homeless.has(place)) add(1, 'place-in-order', place);
    if (place) homeless.add(place);

    if (/\/index\.tsx?$/.test(file.path) && BARREL.test(file.code)) {
      add(1, 'no-barrels', 'this only re-exports a folder: import each file by its own name');
    }
    for (const { specifier, target, line } of graph.get(file.path) ?? []) {
      if (/^(?:[@~]?\/|#)/.test(specifier)) add(line, 'relative-imports', `write '${specifier}' as a relative import`);
      const message = target && forbidden(file.path, target);
      if (message) add(line, 'import-direction', message);
    }
    return found;
  });
  return [...findings, ...findCycles(graph)];
}
