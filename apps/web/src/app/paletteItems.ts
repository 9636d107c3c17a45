import type { Account } from '@drawhouse/contract/accounts/accounts';
import type { LivePair } from '@drawhouse/contract/games/live-pairs';
import type { Role } from '@drawhouse/contract/frame/primitives';
import { IconBroadcast, IconPlus } from '@tabler/icons-react';
import type { Icon } from '@tabler/icons-react';
import { hasAllWords } from '../lib/format/hasAllWords.ts';
import { addPath, pagePath, panelPath } from '../lib/paths.ts';
import { pairKey } from './shell/livePairs.ts';
import { commonTexts } from '../commonTexts.ts';
import type { Level } from '../commonTexts.ts';
import { STAFF_PAGES } from './staffPages.ts';

export interface PaletteItem {
  id: string;
  group: PaletteGroup;
  label: string;
  hint?: string;
  icon: Icon;
  href?: string;
  run?: () => void;
}

export const PALETTE_GROUPS = ['Pages', 'Live panels', 'Accounts', 'Actions'] as const;
export type PaletteGroup = (typeof PALETTE_GROUPS)[number];

export function pageItems(role: Role): PaletteItem[] {
  return STAFF_PAGES.filter((page) => page.roles.includes(role)).map((page) => ({
    id: `page-${page.page}`,
    group: 'Pages',
    label: page.label,
    hint: page.group,
    icon: page.icon,
    href: pagePath(role, page.page),
  }));
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

export function addItems(role: Role): PaletteItem[] {
  return levelsOf(role).map((level) => ({
    id: `add-${level}`,
    group: 'Actions',
    label: commonTexts.accounts.add[level],
    icon: IconPlus,
    href: addPath(role, level),
  }));
}

export function accountItem(account: Account, href: string): PaletteItem {
  const level = STAFF_PAGES.find((page) => page.level === account.role);
  return {
    id: `account-${account._id}`,
    group: 'Accounts',
    label: account.username,
    hint: `${level?.level ? commonTexts.accounts.titles[level.level] : account.role} · ${account.uniqueId}`,
    icon: level?.icon ?? IconPlus,
    href,
  };
}

export function levelsOf(role: Role): Level[] {
  return STAFF_PAGES.flatMap((page) => (page.level && page.roles.includes(role) ? [page.level] : []));
}

export interface Matches {
  items: readonly PaletteItem[];
  more: number;
}

/** 20 admins with 32 games each make 640 panels. More words narrow the search. */
const PANELS_SHOWN = 12;

/** Prefix matches come first in each group. */
export function matchItems(items: readonly PaletteItem[], query: string): Matches {
  const found = items.filter(({ label, hint = '' }) => hasAllWords(`${label} ${hint}`, query));
  const [first = ''] = query.trim().toLowerCase().split(/\s+/);
  const rank = (item: PaletteItem) => (item.label.toLowerCase().startsWith(first) ? 0 : 1);
  const ordered = found.toSorted(
    (a, b) => PALETTE_GROUPS.indexOf(a.group) - PALETTE_GROUPS.indexOf(b.group) || rank(a) - rank(b),
  );
  const panels = ordered.filter((item) => item.group === 'Live panels');
  const left = new Set(panels.slice(PANELS_SHOWN));
  return { items: ordered.filter((item) => !left.has(item)), more: left.size };
}
