import { Modal, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useMounted, useDebouncedValue } from '@mantine/hooks';
import { IconKeyboard, IconLogout, IconMoon, IconSearch, IconSun } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useSingleKeys } from '../lib/devicePreferences.ts';
import { useNavigation } from '../lib/navigation.ts';
import { useUser } from '../lib/session/session.ts';
import { useSignOut } from '../lib/session/sessionCalls.ts';
import { commonTexts } from '../commonTexts.ts';
import { addItems, matchItems, pageItems, panelItems, accountItem, levelsOf } from './paletteItems.ts';
import type { Matches, PaletteItem } from './paletteItems.ts';
import { PaletteList } from './PaletteList.tsx';
import { useLivePairs } from './shell/livePairs.ts';
import classes from './CommandPalette.module.css';
import { accountLists } from '@drawhouse/contract/accounts/account-lists';
import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { call } from '../lib/server/api.ts';
import { detailsPath } from '../lib/paths.ts';
import { queryKeys } from '../lib/server/queryKeys.ts';

const LIST_ID = 'palette-list';
const LABEL = 'Find a page, an account or an action';

interface CommandPaletteProps {
  opened: boolean;
  query: string;
  onQuery: (query: string) => void;
  onClose: () => void;
  onHelp: () => void;
}

export function CommandPalette({ opened, query, onQuery, onClose, onHelp }: CommandPaletteProps) {
  const [leads, setLeads] = useState(false);
  function close(leadsElsewhere: boolean) {
    setLeads(leadsElsewhere);
    onClose();
  }
  return (
    <Modal
      // Loaded on demand: it must see `opened` change to record the previous focus.
      opened={useMounted() && opened}
      onClose={() => close(false)}
      onEnterTransitionEnd={() => setLeads(false)}
      // The opened page takes the focus itself.
      returnFocus={!leads}
      // Without a fade-out it is empty by the next opening.
      transitionProps={{ duration: 0 }}
      withCloseButton={false}
      padding={0}
      size={560}
      yOffset="12dvh"
      attributes={{ content: { 'aria-label': LABEL } }}
      classNames={{ body: classes.body }}
    >
      <Palette query={query} onQuery={onQuery} onLeave={close} onHelp={onHelp} />
    </Modal>
  );
}

interface PaletteProps extends Pick<CommandPaletteProps, 'query' | 'onQuery' | 'onHelp'> {
  onLeave: (leadsElsewhere: boolean) => void;
}

function Palette({ query, onQuery, onLeave, onHelp }: PaletteProps) {
  const go = useNavigation();
  const { items, more, searching } = useItems(query, onHelp);
  const [wanted, setWanted] = useState(0);
  const active = Math.min(wanted, items.length - 1);

  const activeId = items[active] && `palette-${items[active].id}`;

  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  function choose(item: PaletteItem) {
    onLeave(true);
    if (item.href !== undefined) go.to(item.href);
    item.run?.();
  }

  function press(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && items.length > 0) {
      event.preventDefault();
      setWanted((active + step + items.length) % items.length);
    }
    const item = items[active];
    if (event.key === 'Enter' && item) {
      event.preventDefault();
      choose(item);
    }
  }

  return (
    <>
      <div className={classes.search}>
        <IconSearch size={18} aria-hidden />
        <input
          className={classes.input}
          role="combobox"
          aria-label={LABEL}
          aria-expanded="true"
          aria-controls={LIST_ID}
          aria-activedescendant={activeId}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder={LABEL}
          data-autofocus
          value={query}
          onChange={(event) => {
            onQuery(event.currentTarget.value);
            setWanted(0);
          }}
          onKeyDown={press}
        />
      </div>
      <PaletteList id={LIST_ID} label={LABEL} items={items} more={more} active={active} onChoose={choose} />
      <output className={classes.state}>
        {searching ? 'Searching accounts' : items.length === 0 ? `No results for "${query.trim()}"` : ''}
      </output>
    </>
  );
}

function useItems(query: string, onHelp: () => void): Matches & { searching: boolean } {
  const { role } = useUser();
  const { pairs } = useLivePairs();
  const actions = useActions(onHelp);
  const accounts = usePaletteAccounts(query);
  const known = useMemo(
    () => [...pageItems(role), ...panelItems(role, pairs ?? []), ...actions, ...addItems(role)],
    [role, pairs, actions],
  );
  const { items: matched, more } = matchItems(known, query);
  const actionsAt = matched.findIndex((item) => item.group === 'Actions');
  const split = actionsAt === -1 ? matched.length : actionsAt;
  const items = [...matched.slice(0, split), ...accounts.items, ...matched.slice(split)];
  return { items, more, searching: accounts.searching };
}

function useActions(onHelp: () => void): PaletteItem[] {
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  const singleKeys = useSingleKeys();
  const signOut = useSignOut();
  return useMemo(
    () => [
      {
        id: 'theme',
        group: 'Actions',
        label: dark ? 'Light theme' : 'Dark theme',
        icon: dark ? IconSun : IconMoon,
        run: () => setColorScheme(dark ? 'light' : 'dark'),
      },
      {
        id: 'keys',
        group: 'Actions',
        label: 'Keyboard shortcuts',
        ...(singleKeys && { hint: '?' }),
        icon: IconKeyboard,
        run: onHelp,
      },
      {
        id: 'sign-out',
        group: 'Actions',
        label: commonTexts.auth.logout,
        hint: 'Sign out',
        icon: IconLogout,
        run: () => void signOut(),
      },
    ],
    [dark, onHelp, singleKeys, setColorScheme, signOut],
  );
}

const SETTLE_MS = 200;
const SHORTEST_QUERY = 2;
const OF_EACH_LEVEL = 4;

function usePaletteAccounts(typed: string): { items: readonly PaletteItem[]; searching: boolean } {
  const { role } = useUser();
  const text = typed.trim();
  const [query] = useDebouncedValue(text, SETTLE_MS);
  const asks = query.length >= SHORTEST_QUERY && text.length >= SHORTEST_QUERY;
  const found = useQueries({
    queries: levelsOf(role).map((level) => ({
      queryKey: [queryKeys.accounts, level, 'palette', query],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call(
          accountLists[level].route,
          { query: { page: '1', pageSize: String(OF_EACH_LEVEL), search: query, sort: 'username' } },
          { signal },
        ),
      enabled: asks,
      placeholderData: keepPreviousData,
    })),
  });
  if (!asks) return { items: [], searching: false };
  const items = found.flatMap(({ data }) =>
    (data?.data ?? []).map((account) => accountItem(account, detailsPath(role, account.role, account._id))),
  );
  return { items, searching: query !== text || found.some((part) => part.isFetching) };
}
