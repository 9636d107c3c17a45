import { readFileSync } from 'node:fs';
import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import { session } from '@drawhouse/contract/auth/auth';
import { STAFF_ROLES, type Role } from '@drawhouse/contract/core/primitives';
import { loadGame } from '@drawhouse/contract/live/live';
import { listNotices } from '@drawhouse/contract/notices/notices';
import { dashboard } from '@drawhouse/contract/reports/dashboard';
import { BUILT_IN_GAMES } from '@drawhouse/rules/games/catalogue';
import { layoutOf, type PanelGrid } from '@drawhouse/rules/panel/layout';
import type { Rolldown } from 'vite';

/** Used by the script in `index.html`, before any other code has loaded. */
interface EarlyPage {
  readonly files: readonly string[];
  /** Rendered after the rest of the page. */
  readonly next: readonly string[];
  /** `:0` is the first path part behind the page. */
  readonly calls: readonly string[];
}

const SRC = new URL('../../apps/web/src/', import.meta.url);
const LIST = 'app/routes/AccountListRoute.tsx';
const PANEL = 'features/live/panel/LivePanelPage.tsx';
const FIRST_ROWS = '?page=1&pageSize=25';
const HAS_NOTICES: readonly Role[] = ['superadmin', 'admin'];

/** Other pages start only their code. */
function callsOf(role: Role, page: string): readonly string[] {
  const [level = ''] = page.split('/');
  if (page === 'game/3') return [`${loadGame.path}?gameId=:0&adminId=:1`];
  if (level === 'dashboard') return [dashboard.path, ...(HAS_NOTICES.includes(role) ? [listNotices.path] : [])];
  return level in accountLists ? [accountLists[level as keyof typeof accountLists].route.path + FIRST_ROWS] : [];
}

function modulesOf(): Readonly<Record<string, string>> {
  const declared = readFileSync(new URL('app/staffPages.ts', SRC), 'utf8').matchAll(
    /page: '(\w+)',[^}]*?import\('(?:\.\.\/|\.\/(?=routes))([^']+)'\)/g,
  );
  return {
    ...Object.fromEntries(
      [...declared].map(([, page, file]) => [`${page}/0`, file!.startsWith('routes') ? `app/${file}` : file!]),
    ),
    ...Object.fromEntries(Object.keys(accountLists).map((level) => [`${level}/0`, LIST])),
    'game/0': 'app/routes/LiveListRoute.tsx',
    'game/3': PANEL,
  };
}

/** Tiles are part of the panel. */
const GRIDS: Readonly<Partial<Record<PanelGrid, string>>> = {
  wheel: 'features/live/grids/wheel/WheelGrid.tsx',
  numbers: 'features/live/grids/numbers/NumberGrid.tsx',
  series: 'features/live/grids/series/SeriesGrid.tsx',
  tiers: 'features/live/grids/tiers/TiersGrid.tsx',
};

/**
 * Keys are role, page and number of path parts behind it: `admin/game/3`. Panels of games with a grid of its own add
 * the game: `admin/game/3/roulette`. The empty name is for all other pages.
 */
export function earlyPages(bundle: Rolldown.OutputBundle): Readonly<Record<string, EarlyPage>> {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const entry = filesOf(
    bundle,
    chunks.find((chunk) => chunk.isEntry && chunk.name === 'index')!,
  );
  const around = filesOf(
    bundle,
    chunks.find((chunk) => chunk.name === 'signed-in')!,
  );
  const early = (files: readonly string[], calls: readonly string[], next: readonly string[] = []): EarlyPage => ({
    files: [...new Set([...around, ...files])].filter((file) => !entry.includes(file)).map((file) => `/${file}`),
    next: next.filter((file) => !entry.includes(file) && !files.includes(file)).map((file) => `/${file}`),
    calls: [session.path, ...calls],
  });
  const chunkOf = (module: string) => {
    const chunk = chunks.find((each) => each.moduleIds.some((id) => id.endsWith(`/apps/web/src/${module}`)));
    if (!chunk) throw new Error(`No chunk has ${module}`);
    return chunk;
  };
  const pages = Object.entries(modulesOf()).flatMap(([page, module]) => {
    const chunk = chunkOf(module);
    const isLive = page.startsWith('game/');
    if (!isLive && filesOf(bundle, chunk).some((file) => /LivePanelPage.*\.js$/.test(file)))
      throw new Error(`${page} loads the panel's code. Move what they share to another group in vite.config.ts`);
    return STAFF_ROLES.map((role) => [`${role}/${page}`, early(filesOf(bundle, chunk), callsOf(role, page))] as const);
  });
  const panel = filesOf(bundle, chunkOf(PANEL));
  const panels = BUILT_IN_GAMES.flatMap((game) => {
    const grid = GRIDS[layoutOf(game).grid];
    if (grid === undefined) return [];
    const next = filesOf(bundle, chunkOf(grid));
    return STAFF_ROLES.map(
      (role) => [`${role}/game/3/${game.gameId}`, early(panel, callsOf(role, 'game/3'), next)] as const,
    );
  });
  return { '': early([], []), ...Object.fromEntries([...pages, ...panels]) };
}

/** Includes static imports, and the styles of all. */
function filesOf(bundle: Rolldown.OutputBundle, chunk: Rolldown.OutputChunk, found = new Set<string>()): string[] {
  if (found.has(chunk.fileName)) return [];
  found.add(chunk.fileName);
  for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
  for (const name of chunk.imports) {
    const imported = bundle[name];
    if (imported?.type === 'chunk') filesOf(bundle, imported, found);
  }
  return [...found];
}
