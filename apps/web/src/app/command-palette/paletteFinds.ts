import { drawName } from '@drawhouse/rules/time/draw-name';
import { addDays } from '@drawhouse/rules/time/zone-days';
import type { Found, FoundAccount, FoundDraw, FoundTicket } from '@drawhouse/contract/reports/find';
import type { Role } from '@drawhouse/contract/core/primitives';
import type { Transaction } from '@drawhouse/contract/reports/transactions';
import {
  IconArrowsExchange,
  IconDice5,
  IconPencil,
  IconReceipt,
  IconReceipt2,
  IconSend,
  IconUser,
  IconHistory,
  type Icon,
} from '@tabler/icons-react';
import { useMemo, useSyncExternalStore } from 'react';
import { commonTexts } from '../../commonTexts.ts';
import { formatDateTime, formatPoints, ownTimeZone, parsePoints } from '../../lib/format/format.ts';
import { dayOf, YESTERDAY } from '../../lib/format/periods.ts';
import { minuteCursor, minuteIn, readMinute } from '../../lib/list/minuteCursor.ts';
import { may } from '../../lib/session/rights.ts';
import { ACTION_RIGHTS, accountPath, detailsPath, pagePath, withSearch, type AccountAction } from '../../lib/paths.ts';
import { STAFF_PAGES } from '../staffPages.ts';
import { readStored, subscribeStored, writeStored } from '../../lib/devicePreferences.ts';
import type { PaletteItem, PaletteGroup } from './paletteItems.ts';
import { commandPaletteTexts } from '../shell/shellTexts.ts';

const KEY = 'recent-finds';
const MOST = 6;

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

/** Recent searches of one user; another user's replace them. */
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

interface Verb {
  readonly typed: readonly string[];
  readonly action: AccountAction;
  readonly label: (account: string, amount: string) => string;
  readonly takesAmount?: true;
  readonly hint: string;
  readonly icon: Icon;
}

const VERBS: readonly Verb[] = [
  {
    typed: ['top up', 'topup', 'transfer', 'give'],
    action: 'credittransfer',
    label: (account, amount) => `${commonTexts.credit.topUp} ${account}${amount && ` by ${amount}`}`,
    takesAmount: true,
    hint: commonTexts.credit.transfer,
    icon: IconSend,
  },
  {
    typed: ['adjust'],
    action: 'creditadjust',
    label: (account, amount) =>
      amount ? commandPaletteTexts.adjustBy(account, amount) : commandPaletteTexts.adjust(account),
    takesAmount: true,
    hint: commonTexts.credit.adjust,
    icon: IconArrowsExchange,
  },
  {
    typed: ['statement of', 'statement'],
    action: 'statement',
    label: (account) => commandPaletteTexts.statement(account),
    hint: commonTexts.statement.title,
    icon: IconReceipt,
  },
  {
    typed: ['edit'],
    action: 'edit',
    label: (account) => commandPaletteTexts.edit(account),
    hint: commonTexts.accounts.editLabel,
    icon: IconPencil,
  },
];

interface AccountCommand {
  readonly verb: Verb;
  readonly account: string;
  readonly amount: string;
}

interface TicketsCommand {
  readonly account: string;
  readonly minute: string;
}

export type PaletteCommand = AccountCommand | TicketsCommand;

/** Reads `aarav101 03:49` (a player's tickets) or `top up aarav101 500`. */
export function readCommand(text: string): PaletteCommand | null {
  const [, account, time = ''] = /^(?:tickets? (?:of )?)?(\S+) (?:at )?(\d{1,2}:\d\d)$/i.exec(text.trim()) ?? [];
  const minute = readMinute(time);
  if (account !== undefined && minute !== null) return { account, minute };
  const words = text.trim().split(/\s+/);
  for (const verb of VERBS)
    for (const typed of verb.typed) {
      const { length } = typed.split(' ');
      if (words.slice(0, length).join(' ').toLowerCase() !== typed) continue;
      const rest = words.slice(length).filter((word) => !/^(?:by|to|for|of)$/i.test(word));
      if (rest.length === 0) return null;
      const last = rest.length > 1 ? rest.at(-1)! : '';
      const amount = verb.takesAmount && parsePoints(last) !== null ? last : '';
      return { verb, account: (amount ? rest.slice(0, -1) : rest).join(' '), amount };
    }
  return null;
}

export function commandItems(role: Role, command: PaletteCommand, accounts: readonly FoundAccount[]): PaletteItem[] {
  if ('minute' in command) return ticketsAt(role, command.minute, accounts);
  const { verb, amount } = command;
  if (!may(ACTION_RIGHTS[verb.action])) return [];
  return accounts.map((account) => ({
    id: `command-${account._id}`,
    group: 'Do',
    label: verb.label(account.username, amount),
    hint: `${verb.hint} · ${levelName(account.role)} · ${account.uniqueId}`,
    icon: verb.icon,
    href: withSearch(accountPath(role, account.role, verb.action, account._id), { amount }),
  }));
}

/** Complaints name a player and a time: the last one that showed that minute, today or yesterday. */
function ticketsAt(role: Role, minute: string, accounts: readonly FoundAccount[]): PaletteItem[] {
  if (!may('reports')) return [];
  const today = dayOf(new Date());
  const [now, before] = [today, addDays(today, -1)].map((day) => minuteIn(day, minute, ownTimeZone())) as [Date, Date];
  const isToday = now.getTime() <= Date.now();
  const search = { before: minuteCursor(isToday ? now : before), period: isToday ? undefined : String(YESTERDAY) };
  return accounts.map((account) => ({
    id: `tickets-${account._id}`,
    group: 'Do',
    label: commandPaletteTexts.ticketsAt(account.username, minute),
    hint: `${isToday ? commandPaletteTexts.today : commandPaletteTexts.yesterday} · ${levelName(account.role)} · ${account.uniqueId}`,
    icon: IconReceipt2,
    href: withSearch(pagePath(role, 'gamehistory'), { userId: account._id, ...search }),
  }));
}

export function foundItems(role: Role, { accounts, tickets, draws, transactions }: Found): PaletteItem[] {
  return [
    ...accounts.map((account) => accountItem(role, account)),
    ...tickets.map((ticket) => ticketItem(role, ticket)),
    ...draws.map((draw) => drawItem(role, draw)),
    ...transactions.map((transaction) => transactionItem(role, transaction)),
  ];
}

function levelName(role: Role): string {
  return role === 'superadmin' ? commandPaletteTexts.superadmin : commonTexts.accounts.titles[role];
}

function accountItem(role: Role, account: FoundAccount): PaletteItem {
  const state = account.userStatus ? '' : ' · not active';
  return {
    id: `account-${account._id}`,
    group: 'Accounts',
    label: account.username,
    hint: `${levelName(account.role)} · ${account.uniqueId}${state} · below ${account.reference}`,
    icon: STAFF_PAGES.find(({ level }) => level === account.role)?.icon ?? IconUser,
    href: detailsPath(role, account.role, account._id),
  };
}

function ticketItem(role: Role, ticket: FoundTicket): PaletteItem {
  const { winpoints, status } = ticket;
  const outcome =
    status === 'void'
      ? 'void'
      : winpoints === null
        ? 'open'
        : winpoints > 0
          ? `won ${formatPoints(winpoints)}`
          : 'lost';
  return {
    id: `ticket-${ticket._id}`,
    group: 'Tickets',
    label: ticket.ticketId,
    hint: `Ticket · ${ticket.username} · ${ticket.gameName} · ${formatPoints(ticket.playpoints)} · ${outcome}`,
    icon: IconReceipt2,
    href: pagePath(role, `ticket/${ticket.ticketId}`),
  };
}

function drawItem(role: Role, draw: FoundDraw): PaletteItem {
  const result = draw.status === 'void' ? 'void' : draw.drawno === null ? 'open' : `result ${draw.drawno}`;
  return {
    id: `draw-${draw._id}`,
    group: 'Draws',
    label: `${draw.gameName} ${drawName(draw.number)}`,
    hint: `Draw · ${draw.admin} · ${formatDateTime(draw.drawsAt)} · ${result}`,
    icon: IconDice5,
    href: pagePath(role, `draw/${draw._id}`),
  };
}

function transactionItem(role: Role, transaction: Transaction): PaletteItem {
  const { user, recipient, credit, debit, createdAt } = transaction;
  return {
    id: `transaction-${transaction._id}`,
    group: 'Transactions',
    label: `${user.name} → ${recipient.name}, ${formatPoints(credit || debit)}`,
    hint: `Transaction · ${formatDateTime(createdAt)}`,
    icon: IconArrowsExchange,
    href: pagePath(role, `transaction/${transaction._id}`),
  };
}
