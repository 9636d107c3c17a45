import type { LivePair } from '@drawhouse/contract/games/game-pair';
import type { Role } from '@drawhouse/contract/core/primitives';
import { IconBan, IconBroadcast, IconFileImport, IconPlus, IconReceipt, type Icon } from '@tabler/icons-react';
import { hasAllWords } from '../../lib/format/format.ts';
import { addPath, importPath, ownStatementPath, pagePath, panelPath, withSearch } from '../../lib/paths.ts';
import { pairKey } from '../shell/live-menu/livePairs.ts';
import { commonTexts, type Level } from '../../commonTexts.ts';
import { may } from '../../lib/session/rights.ts';
import { pagesOf } from '../staffPages.ts';
import { commandPaletteTexts } from '../shell/shellTexts.ts';

export interface PaletteItem {
  id: string;
  group: PaletteGroup;
  label: string;
  hint?: string;
  icon: Icon;
  href?: string;
  run?: () => void;
}

export const PALETTE_GROUPS = [
  'Do',
  'Recent',
  'Pages',
  'Live panels',
  'Accounts',
  'Tickets',
  'Draws',
  'Transactions',
  'Actions',
] as const;
export type PaletteGroup = (typeof PALETTE_GROUPS)[number];

export function pageItems(role: Role, username: string): PaletteItem[] {
  const pages = pagesOf(role).map((page) => ({
    id: `page-${page.page}`,
    group: 'Pages' as const,
    label: page.label,
    hint: page.group,
    icon: page.icon,
    href: pagePath(role, page.page),
  }));
  const ownStatement = {
    id: 'own-statement',
    group: 'Pages' as const,
    label: commandPaletteTexts.statement(username),
    hint: commandPaletteTexts.you,
    icon: IconReceipt,
    href: ownStatementPath(role),
  };
  return may('lists') ? [...pages, ownStatement] : pages;
}

export function panelItems(role: Role, pairs: readonly LivePair[]): PaletteItem[] {
  return pairs.map((pair) => ({
    id: `panel-${pairKey(pair)}`,
    group: 'Live panels',
    label: pair.gameName,
    hint: pair.username,
    icon: IconBroadcast,
    href: panelPath(role, pair.gameId, pair.adminId, pair.username),
  }));
}

/** If `void` is typed alone, lists every open panel. */
export function voidItems(role: Role, pairs: readonly LivePair[]): PaletteItem[] {
  return (may('results') ? pairs : []).map((pair) => ({
    id: `void-${pairKey(pair)}`,
    group: 'Do',
    label: commandPaletteTexts.voidDraw(pair.gameName),
    hint: pair.username,
    icon: IconBan,
    href: withSearch(panelPath(role, pair.gameId, pair.adminId, pair.username), { act: 'void' }),
  }));
}

export function addItems(role: Role): PaletteItem[] {
  const levels = may('accounts') ? levelsOf(role) : [];
  return [
    ...levels.map((level) => ({
      id: `add-${level}`,
      group: 'Actions' as const,
      label: commonTexts.accounts.add[level],
      icon: IconPlus,
      href: addPath(role, level),
    })),
    ...levels
      .filter((level) => level !== 'admin')
      .map((level) => ({
        id: `import-${level}`,
        group: 'Actions' as const,
        label: commandPaletteTexts.importAccounts(commonTexts.dashboard.cards[level]),
        icon: IconFileImport,
        href: importPath(role, level),
      })),
  ];
}

function levelsOf(role: Role): Level[] {
  return pagesOf(role).flatMap((page) => page.level ?? []);
}

export interface Matches {
  items: readonly PaletteItem[];
  /** Matching panels left out, by group. */
  more: ReadonlyMap<PaletteGroup, number>;
}

/** 20 admins with 32 games each make 640 panels. */
const PANELS_SHOWN = 12;

export function matchItems(items: readonly PaletteItem[], query: string): Matches {
  const found = items.filter(({ label, hint = '' }) => hasAllWords(`${label} ${hint}`, query));
  const [first = ''] = query.trim().toLowerCase().split(/\s+/);
  const rank = (item: PaletteItem) => (item.label.toLowerCase().startsWith(first) ? 0 : 1);
  return inGroups(found.toSorted((a, b) => rank(a) - rank(b)));
}

export function inGroups(items: readonly PaletteItem[]): Matches {
  const recent = new Set(items.filter((item) => item.group === 'Recent').map((item) => item.href));
  const more = new Map<PaletteGroup, number>();
  const shown = PALETTE_GROUPS.flatMap((group) => {
    const all = items.filter((item) => item.group === group);
    const once = group === 'Recent' ? all : all.filter(({ href }) => href === undefined || !recent.has(href));
    const most = group === 'Live panels' || group === 'Do' ? PANELS_SHOWN : once.length;
    if (once.length > most) more.set(group, once.length - most);
    return once.slice(0, most);
  });
  return { items: shown, more };
}
