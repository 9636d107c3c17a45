import { IconHistory } from '@tabler/icons-react';
import { useMemo, useSyncExternalStore } from 'react';
import { readStored, subscribeStored, writeStored } from '../../lib/devicePreferences.ts';
import type { PaletteGroup, PaletteItem } from './paletteItems.ts';
import { commandPaletteTexts } from './commandPaletteTexts.ts';

const KEY = 'recent-finds';
const MOST = 6;

/** Groups whose finds are offered again, with a word for one. */
const KINDS: Partial<Record<PaletteGroup, string>> = {
  Pages: 'Page',
  'Live panels': commandPaletteTexts.livePanel,
  Accounts: '',
  Tickets: '',
  Transactions: '',
};

type Recent = Record<'id' | 'label' | 'hint' | 'href', string>;

function readRecent(userId: string, stored: string | null): readonly Recent[] {
  try {
    const { user, finds } = JSON.parse(stored ?? '{}') as { user?: string; finds?: Recent[] };
    return user === userId && Array.isArray(finds) ? finds : [];
  } catch {
    return [];
  }
}

/** A device keeps the finds of one user: another user's finds replace them. */
export function rememberFind(userId: string, { id, group, label, hint, href }: PaletteItem): void {
  const kind = KINDS[group];
  if (kind === undefined || href === undefined) return;
  const words = [kind, hint].filter((word) => word).join(' · ');
  const before = readRecent(userId, readStored(KEY)).filter((find) => find.href !== href);
  const finds = [{ id: `recent-${id}`, label, hint: words, href }, ...before].slice(0, MOST);
  writeStored(KEY, JSON.stringify({ user: userId, finds }));
}

export function useRecentFinds(userId: string): readonly PaletteItem[] {
  const stored = useSyncExternalStore(subscribeStored, () => readStored(KEY));
  return useMemo(
    () => readRecent(userId, stored).map((find) => ({ ...find, group: 'Recent', icon: IconHistory }) as const),
    [userId, stored],
  );
}
