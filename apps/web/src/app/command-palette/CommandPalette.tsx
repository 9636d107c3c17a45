import { find, type Found } from '@drawhouse/contract/reports/find';
import { ActionIcon, Modal, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useMounted, useDebouncedValue } from '@mantine/hooks';
import { IconKeyboard, IconLogout, IconMoon, IconSearch, IconSun, IconX } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useState, type KeyboardEvent } from 'react';
import { useSingleKeys } from '../../lib/devicePreferences.ts';
import { go } from '../../lib/navigation.ts';
import { useUser } from '../../lib/session/session.ts';
import { useSignOut } from '../../lib/session/sessionCalls.ts';
import { commonTexts } from '../../commonTexts.ts';
import {
  addItems,
  inGroups,
  matchItems,
  pageItems,
  panelItems,
  voidItems,
  type Matches,
  type PaletteItem,
  PALETTE_GROUPS,
} from './paletteItems.ts';
import { commandItems, foundItems, readCommand, rememberFind, useRecentFinds } from './paletteFinds.ts';
import { useIsPhone } from '../../ui/useWidth.ts';
import { useLivePairs } from '../shell/live-menu/livePairs.ts';
import classes from './CommandPalette.module.css';
import { callQuery } from '../../lib/server/api.ts';
import { commandPaletteTexts } from '../shell/shellTexts.ts';
import { formatCount } from '../../lib/format/format.ts';

const LIST_ID = 'palette-list';
const LABEL = commandPaletteTexts.findAnything;
const PLACEHOLDER = commandPaletteTexts.nameNumberPageOr;

interface CommandPaletteProps {
  opened: boolean;
  query: string;
  onQuery: (query: string) => void;
  onClose: () => void;
  onHelp: () => void;
}

export function CommandPalette({ opened, query, onQuery, onClose, onHelp }: CommandPaletteProps) {
  const [leads, setLeads] = useState(false);
  const isSheet = useIsPhone();
  function close(leadsElsewhere: boolean) {
    setLeads(leadsElsewhere);
    onClose();
  }
  return (
    <Modal
      // It must see `opened` change, to record the previous focus.
      opened={useMounted() && opened}
      onClose={() => close(false)}
      onEnterTransitionEnd={() => setLeads(false)}
      // The opened page takes the focus itself.
      returnFocus={!leads}
      transitionProps={{ duration: 0 }}
      withCloseButton={false}
      padding={0}
      size={640}
      centered={false}
      yOffset="12dvh"
      fullScreen={isSheet}
      attributes={{ content: { 'aria-label': LABEL } }}
      classNames={{ body: classes.body, content: classes.content }}
    >
      <Palette query={query} onQuery={onQuery} onLeave={close} onHelp={onHelp} isSheet={isSheet} />
    </Modal>
  );
}

interface PaletteProps extends Pick<CommandPaletteProps, 'query' | 'onQuery' | 'onHelp'> {
  onLeave: (leadsElsewhere: boolean) => void;
  isSheet: boolean;
}

function Palette({ query, onQuery, onLeave, onHelp, isSheet }: PaletteProps) {
  const { _id } = useUser();
  const { items, more, searching, isKnown } = useItems(query, onHelp);
  const [wanted, setWanted] = useState(0);
  const active = Math.min(wanted, items.length - 1);

  const activeId = items[active] && `palette-${items[active].id}`;

  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  function choose(item: PaletteItem) {
    onLeave(true);
    rememberFind(_id, item);
    if (item.href !== undefined) go.to(item.href);
    item.run?.();
  }

  const { enter, forget } = useEnter(items[active], searching, isKnown, choose);

  function press(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && items.length > 0) {
      event.preventDefault();
      setWanted((active + step + items.length) % items.length);
    }
    if (event.key !== 'Enter') return;
    event.preventDefault();
    enter();
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
          placeholder={PLACEHOLDER}
          data-autofocus
          value={query}
          onChange={(event) => {
            onQuery(event.currentTarget.value);
            setWanted(0);
            forget();
          }}
          onKeyDown={press}
        />
        {isSheet && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="xl"
            aria-label={commandPaletteTexts.close}
            onClick={() => onLeave(false)}
          >
            <IconX size={20} aria-hidden />
          </ActionIcon>
        )}
      </div>
      <PaletteList id={LIST_ID} label={LABEL} items={items} more={more} active={active} onChoose={choose} />
      <output className={classes.state}>
        {searching
          ? commandPaletteTexts.searching
          : items.length === 0
            ? commandPaletteTexts.noResultsFor(query.trim())
            : ''}
      </output>
      {query === '' && <p className={classes.tip}>{TIP}</p>}
    </>
  );
}

/** Enter waits for the server unless the page itself knows the item: results of the previous text may still be listed. */
function useEnter(
  item: PaletteItem | undefined,
  searching: boolean,
  isKnown: Items['isKnown'],
  choose: (item: PaletteItem) => void,
) {
  const [isEntered, setIsEntered] = useState(false);
  const chooseIt = useEffectEvent(() => item && choose(item));
  useEffect(() => {
    if (isEntered && !searching) chooseIt();
  }, [isEntered, searching]);
  return {
    enter: () => {
      if (searching && !(item && isKnown(item))) setIsEntered(true);
      else if (item) choose(item);
    },
    forget: () => setIsEntered(false),
  };
}

const TIP = commandPaletteTexts.alsoTicketOrDraw;

interface Items extends Matches {
  searching: boolean;
  /** Found without the server. */
  isKnown: (item: PaletteItem) => boolean;
}

function useItems(query: string, onHelp: () => void): Items {
  const { _id, role, username } = useUser();
  const { pairs } = useLivePairs();
  const actions = useActions(onHelp);
  const recent = useRecentFinds(_id);
  const command = readCommand(query);
  const { found, searching } = useFound(command?.account ?? query);
  const known = useMemo(
    () => [...pageItems(role, username), ...panelItems(role, pairs ?? []), ...actions, ...addItems(role)],
    [role, username, pairs, actions],
  );
  const voids = query.trim().toLowerCase().startsWith('void') ? voidItems(role, pairs ?? []) : [];
  const { items: matched, more } = matchItems([...recent, ...known, ...voids], query);
  const isKnown = (item: PaletteItem) => matched.includes(item);
  if (!found) return { items: matched, more, searching, isKnown };
  const finds = command ? commandItems(role, command, found.accounts) : foundItems(role, found);
  return { items: inGroups([...matched, ...finds]).items, more, searching, isKnown };
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
        label: dark ? commandPaletteTexts.lightTheme : commandPaletteTexts.darkTheme,
        icon: dark ? IconSun : IconMoon,
        run: () => setColorScheme(dark ? 'light' : 'dark'),
      },
      {
        id: 'keys',
        group: 'Actions',
        label: commandPaletteTexts.keyboardShortcuts,
        ...(singleKeys && { hint: '?' }),
        icon: IconKeyboard,
        run: onHelp,
      },
      {
        id: 'sign-out',
        group: 'Actions',
        label: commonTexts.auth.logout,
        hint: commandPaletteTexts.signOut,
        icon: IconLogout,
        run: () => void signOut(),
      },
    ],
    [dark, onHelp, singleKeys, setColorScheme, signOut],
  );
}

const SETTLE_MS = 200;
const SHORTEST_QUERY = 2;

function useFound(typed: string): { found: Found | undefined; searching: boolean } {
  const text = typed.trim();
  const [query] = useDebouncedValue(text, SETTLE_MS);
  const isLong = text.length >= SHORTEST_QUERY;
  const asks = isLong && query.length >= SHORTEST_QUERY;
  const { data, isFetching } = useQuery({
    ...callQuery(['accounts', 'find', query], find, { query: { text: query } }),
    enabled: asks,
    placeholderData: keepPreviousData,
  });
  return { found: asks ? data : undefined, searching: isLong && (query !== text || isFetching) };
}

/* oxlint-disable jsx-a11y/prefer-tag-over-role -- HTML has no element for a list below its own search field */
interface PaletteListProps {
  id: string;
  label: string;
  items: readonly PaletteItem[];
  more: Matches['more'];
  active: number;
  onChoose: (item: PaletteItem) => void;
}

function PaletteList({ id, label, items, more, active, onChoose }: PaletteListProps) {
  return (
    <div id={id} role="listbox" aria-label={label} className={classes.list} hidden={items.length === 0}>
      {PALETTE_GROUPS.map((group, index) => {
        const found = items.filter((item) => item.group === group);
        if (found.length === 0) return null;
        return (
          <div key={group} role="group" aria-labelledby={`palette-group-${index}`}>
            <p id={`palette-group-${index}`} role="presentation" className={classes.heading}>
              {group}
            </p>
            {found.map((item) => (
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the search takes the keys for it
              <div
                key={item.id}
                id={`palette-${item.id}`}
                role="option"
                tabIndex={-1}
                aria-selected={items[active] === item}
                className={classes.option}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onChoose(item)}
              >
                <item.icon size={18} stroke={1.6} aria-hidden />
                <span className={classes.label}>{item.label}</span>
                {item.hint !== undefined && <span className={classes.hint}>{item.hint}</span>}
              </div>
            ))}
            {more.has(group) && (
              <p role="presentation" className={classes.more}>
                {commandPaletteTexts.moreTypeGameAnd(formatCount(more.get(group)!))}
              </p>
            )}
          </div>
        );
      })}
    </div>
  );
}
