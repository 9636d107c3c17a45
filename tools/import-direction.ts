import { findCycles, importsOf, isTest, type Finding, type SourceFile } from './source.ts';

/** Places separated by spaces. A file named in the contents exists in its place. */
type MapRow = readonly [places: string, holds: string];

/**
 * Lowest first. Each imports only itself and the rows above it, and within a row the places to its left. The map of
 * CONTRIBUTING.md is made of these rows; a new folder gets its place here.
 */
const SERVER: readonly MapRow[] = [
  [
    'config',
    'setting-names.ts describes the settings, config.ts reads them; tables/table-owners.ts: who writes, saves and clears each table',
  ],
  [
    'platform',
    'cluster (serving processes), db, http, lists, log, time. lists/write-list-file.ts writes Excel and CSV',
  ],
  ['cells', 'directory.ts: where names and networks of a group of cells live; read-all-cells.ts: sums over all cells'],
  ['transparency', 'seals: log of committed records, in files'],
  [
    'activity',
    'activity log; run-command.ts wraps every command, idempotency.ts repeats its answer; network-work: one job per network',
  ],
  ['ledger', 'write-transfers.ts writes transfers'],
  ['accounts', 'account tree, authority, commission rules'],
  ['protection', "player limits, breaks, exclusions; own-limits.ts checks a bet against a player's limits"],
  ['auth', 'sign-in, passwords, elevations, rate limits; sessions/sessions.ts opens, finds and expires sessions'],
  ['approvals', 'request-approval.ts holds back actions that need a second person, decide-approval.ts runs them'],
  ['api-keys', 'keys for programs that bet for players'],
  ['credit', 'transfer-credit.ts, daily limits, payouts, statements; across/: networks in other cells'],
  ['games', 'catalogue, times, win percentages, limits, game balance'],
  ['house', 'name, logo and color of the installation; dress-page.ts writes them into pages'],
  ['draws', 'terms, openings, seeds; results/generate-result.ts draws. Does not know tickets'],
  ['tickets', 'place/take-batch.ts takes bets, place/judge-bets.ts judges each; claims, receipts'],
  ['settlement', 'draw-machine.ts runs due draws, settle-draw.ts pays them, save-result.ts declares'],
  ['live', 'Socket.IO: panels, player news'],
  ['players', "player's start and landing page"],
  ['first-steps', 'make-chain.ts creates the first chain; simulated-players.ts bets in test networks'],
  ['liability', 'what each network holds, by day'],
  ['weeks', 'weekly sheets between an account and its parent; read-week.ts computes one'],
  ['standing-orders', 'temporary credit, refills, floors; run-standing-orders.ts runs each slot once'],
  ['clearing', 'clears history (leaf)'],
  ['reports', 'turnover/turnover.sql.ts sums the turnover (leaf)'],
  [
    'backup',
    'back up, restore, move, transfer; restore/audit-and-swap.ts audits a staged copy, then swaps it in (leaf)',
  ],
];

/** Imports everything, and only its own members import it. */
const COMPOSITION: readonly MapRow[] = [
  [
    'operations',
    'health, metrics, doctor, support bundle; notices/notice-watch.ts finds notices, notices/webhook.ts sends them',
  ],
  ['commands', 'shell commands: run-backup.ts, run-restore.ts, run-network.ts, run-doctor.ts …'],
  ['compose', 'serve.ts starts a server; app.ts lists its features, recurring-jobs.ts its recurring work'],
  ['main.ts', 'the server as a program'],
];

const placesOf = (rows: readonly MapRow[]): string[] => rows.flatMap(([places]) => places.split(' '));

/** Lowest first. */
export const serverOrder: readonly string[] = placesOf(SERVER);
export const serverComposition: readonly string[] = placesOf(COMPOSITION);

/**
 * Imports only packages and `platform/db`, never the code it audits. Imported only by the composition and by
 * `transparency`, whose findings share its format.
 */
const AUDITOR = 'audit';
const REPORTS_TO_AUDITOR = 'transparency';

const serverLeaves: readonly string[] = ['clearing', 'reports', 'backup'];

interface ClientPart {
  readonly imports: readonly string[];
  readonly holds: string;
}

const WEB: Readonly<Record<string, ClientPart>> = {
  'firstTexts.ts': { imports: [], holds: 'texts of the sign-in' },
  'commonTexts.ts': { imports: ['firstTexts.ts'], holds: 'texts of several features' },
  lib: {
    imports: ['commonTexts.ts', 'firstTexts.ts'],
    holds: 'api.ts (typed client), live socket, formats, useList.ts',
  },
  ui: {
    imports: ['lib', 'commonTexts.ts', 'firstTexts.ts'],
    holds: 'ListPage.tsx, tables, forms, charts. Fetches nothing',
  },
  features: {
    imports: ['ui', 'lib', 'commonTexts.ts', 'firstTexts.ts'],
    holds: 'pages, forms; never imports a sister',
  },
  app: {
    imports: ['features', 'ui', 'lib', 'commonTexts.ts', 'firstTexts.ts'],
    holds: 'staffPages.ts declares each page, its menu entry and its roles',
  },
};

/** Besides features, which import `ui` and `lib`. The service worker imports nothing. */
const PLAYERS: Readonly<Record<string, ClientPart>> = {
  worker: { imports: [], holds: 'service worker: caches built files' },
  languages: {
    imports: ['features', 'shell', 'ui', 'lib'],
    holds: 'texts of languages other than English, each a script of its own',
  },
  lib: { imports: [], holds: 'router, client, session, live connection' },
  ui: { imports: ['lib'], holds: 'buttons, fields, sheets, results' },
  shell: { imports: ['features', 'ui', 'lib'], holds: 'composition: menu, pages, session watch' },
};
const PLAYERS_FEATURES: readonly MapRow[] = [
  ['house', 'help and terms'],
  ['sign-in', 'sign-in page'],
  ['welcome', 'public start page'],
  ['lobby', 'games and recent results'],
  ['play', 'board, slip, placing; screen/ResultMoment.tsx shows a result'],
  ['account', 'bets, tickets, statement, limits, sessions'],
];
const playersFeatures: readonly string[] = placesOf(PLAYERS_FEATURES);

const PACKAGES: Readonly<Record<string, ClientPart>> = {
  contract: {
    imports: [],
    holds: 'routes, schemas, errors, live events, as data',
  },
  rules: {
    imports: [],
    holds:
      "games/families/lottery3d.ts: 3D bets and wins; fair/derive-seed.ts derives a draw's seed, fair/fair.ts draws",
  },
  pictures: { imports: [], holds: 'pictures of outcomes' },
  session: { imports: ['contract'], holds: 'what both clients share: session, calls, live line' },
  tlog: { imports: ['rules'], holds: 'log of seals: tiles, proofs, signed notes' },
};

/** Draws the rows that this check applies. */
export function drawMap(): string {
  const clientRows = (parts: Readonly<Record<string, ClientPart>>): MapRow[] =>
    Object.entries(parts).map(([name, { holds }]) => [name, holds]);
  const sections: [title: string, rows: readonly MapRow[]][] = [
    ['packages/*/src    pure; shared by server and clients', clientRows(PACKAGES)],
    ['apps/server/src    a row imports only rows above it; only app.ts imports a leaf', SERVER],
    ['apps/server/src    composition', COMPOSITION],
    ['apps/server/src', [[AUDITOR, 'auditor: imports packages and platform/db only']]],
    ['apps/web/src    back-office client', clientRows(WEB)],
    ["apps/players/src    players' client", [...clientRows(PLAYERS), ...PLAYERS_FEATURES]],
  ];
  return sections
    .map(([title, rows]) => [title, ...rows.map(([places, holds]) => `  ${placesShown(places)}${holds}`)].join('\n'))
    .join('\n');
}

function placesShown(places: string): string {
  const names = places.split(' ');
  const areFiles = names.every((name) => name.includes('.'));
  const shown = areFiles && names.length > 1 ? `${names.length} files` : places;
  return `${shown.padEnd(15)}  `;
}

/** Files that a row names but that do not exist. */
export function checkMap(files: readonly Pick<SourceFile, 'path'>[]): readonly Finding[] {
  const paths = files.map(({ path }) => path);
  const isBelow = (folder: string, file: string): boolean =>
    paths.some((path) => path.startsWith(folder) && path.endsWith(`/${file}`));
  const homes: [home: string, rows: readonly MapRow[]][] = [
    ['apps/server/src', [...SERVER, ...COMPOSITION, [AUDITOR, 'audit.ts']]],
    ['apps/web/src', Object.entries(WEB).map(([name, { holds }]) => [name, holds])],
    ['apps/players/src', PLAYERS_FEATURES],
    ['packages', Object.entries(PACKAGES).map(([name, { holds }]) => [`${name}/src`, holds])],
  ];
  return homes.flatMap(([home, rows]) =>
    rows.flatMap(([places, holds]) =>
      [...holds.matchAll(/[\w./-]+\.tsx?\b/g)]
        .map(([file]) => file)
        .filter((file) => !places.split(' ').some((place) => place === file || isBelow(`${home}/${place}/`, file)))
        .map((file) => ({
          path: 'tools/import-direction.ts',
          line: 1,
          rule: 'true-map',
          message: `the row of ${places} names ${file}, which does not exist: name the file that replaced it`,
        })),
    ),
  );
}

/** Includes the remedy; `undefined` if allowed. */
export function forbiddenImportReason(from: string, to: string): string | undefined {
  const [kind, name, part] = from.split('/');
  const home = `${kind}/${name}/`;
  if (kind === 'packages') {
    const below = PACKAGES[name!]?.imports ?? [];
    if (to.startsWith(home) || below.some((other) => to.startsWith(`packages/${other}/src/`))) return undefined;
    return `packages/${name} imports no app and no other package${below.map((other) => ` but ${other}`).join('')}: take it as an argument`;
  }
  if (kind !== 'apps' || isTest(from)) return undefined;
  if (/^packages\/[^/]+\/src\//.test(to)) return undefined;
  // The tools share the build of the clients.
  if (from === `${home}vite.config.ts` && to.startsWith('tools/')) return undefined;
  if (!to.startsWith(home)) return `${home} imports only the packages and itself: move what both need into a package`;
  if (isTest(to)) return 'code must not import its tests: move what both need beside the code';
  if (part !== 'src') return undefined;
  if (name === 'server') return forbiddenInServer(from, to);
  return name === 'players' ? forbiddenInPlayers(from, to) : forbiddenInWeb(from, to);
}

const DOOR = 'apps/server/src/transparency/transparency.ts';

function forbiddenInServer(from: string, to: string): string | undefined {
  const [own, other] = [from.split('/')[3]!, to.split('/')[3]!];
  if (other === 'transparency' && own !== other && to !== DOOR)
    return 'the rest of the server imports only transparency.ts of transparency: export it there';
  if (own === other || serverComposition.includes(own)) return undefined;
  if (own === AUDITOR && !to.startsWith('apps/server/src/platform/db/'))
    return (
      `the auditor imports only the packages and platform/db: move what it shares with ${other} to ` +
      'packages/rules, or write a separate version'
    );
  if (other === AUDITOR && own === REPORTS_TO_AUDITOR) return undefined;
  if (other === AUDITOR)
    return 'only app.ts and the commands import the auditor: pass its result as a function from there';
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
  const allowed = WEB[own!]?.imports;
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
  const allowed = isFeature ? ['ui', 'lib'] : PLAYERS[own]?.imports;
  if (!allowed || own === other) return undefined;
  const isSister = playersFeatures.includes(other);
  if (isFeature && isSister)
    return `feature ${own} imports no sister: move what both need to ui or lib, or compose them in shell`;
  if (allowed.includes(isSister ? 'features' : other)) return undefined;
  return `${own} imports only ${[...allowed, 'packages and itself'].join(', ')}: take it as a prop or an argument from above`;
}

function withoutPlace(path: string): string | undefined {
  const [kind, name, src, part] = path.split('/');
  if (kind !== 'apps' || src !== 'src' || isTest(path)) return undefined;
  if (name === 'server' && ![...serverOrder, ...serverComposition, AUDITOR].includes(part!)) {
    return `apps/server/src/${part} has no place yet: add it to serverOrder of tools/import-direction.ts`;
  }
  if (name === 'web' && path.split('/').length > 4 && !Object.hasOwn(WEB, part!)) {
    return `apps/web/src/${part} is not one of ${Object.keys(WEB).join(', ')}: move it into one of them`;
  }
  const playersPlaces = [...Object.keys(PLAYERS), ...playersFeatures];
  if (name === 'players' && path.split('/').length > 4 && !playersPlaces.includes(part!)) {
    return `apps/players/src/${part} is not one of ${playersPlaces.join(', ')}: move it into one of them, or add it to playersFeatures`;
  }
  return undefined;
}

const BARREL = /^\s*(?:export\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s+from\s*['"][^'"]+['"]\s*;?\s*)+$/;

export function checkPlaces(files: readonly Pick<SourceFile, 'path'>[]): readonly Finding[] {
  const paths = files.map((file) => file.path);
  const places = [
    ...[...serverOrder, ...serverComposition, AUDITOR, ...serverLeaves].map((place) => `apps/server/src/${place}`),
    ...Object.keys(WEB).map((place) => `apps/web/src/${place}`),
    ...[...Object.keys(PLAYERS), ...playersFeatures].map((place) => `apps/players/src/${place}`),
  ];
  return places
    .filter((place) => !paths.some((file) => file === place || file.startsWith(`${place}/`)))
    .map((place) => ({
      path: 'tools/import-direction.ts',
      line: 1,
      rule: 'place-without-folder',
      message: `${place} is in the order but does not exist: remove it`,
    }));
}

/** Finds wrong directions, cycles, barrel files and folders without a place. */
export function checkImports(files: readonly SourceFile[]): readonly Finding[] {
  const scripts = files.filter(({ path }) => /\.(?:[cm]?[jt]s|tsx)$/.test(path));
  const paths = new Set(scripts.map(({ path }) => path));
  const graph = new Map(scripts.map((file) => [file.path, importsOf(file, paths)]));
  const homeless = new Set<string>();

  const findings = scripts.flatMap((file) => {
    const found: Finding[] = [];
    const add = (line: number, rule: string, message: string) => found.push({ path: file.path, line, rule, message });

    const place = withoutPlace(file.path);
    if (place && !homeless.has(place)) add(1, 'place-in-order', place);
    if (place) homeless.add(place);

    if (/\/index\.tsx?$/.test(file.path) && BARREL.test(file.code)) {
      add(1, 'no-barrels', 'this only re-exports a folder: import each file directly');
    }
    for (const { specifier, target, line } of graph.get(file.path) ?? []) {
      if (/^(?:[@~]?\/|#)/.test(specifier)) add(line, 'relative-imports', `write '${specifier}' as a relative import`);
      const message = target && forbiddenImportReason(file.path, target);
      if (message) add(line, 'import-direction', message);
    }
    return found;
  });
  return [...findings, ...findCycles(graph)];
}
