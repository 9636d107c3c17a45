import type { InBackup, TableOwner } from './table-owner.ts';

const SESSIONS_END: InBackup = { left: 'sessions end with their network' };

export const SESSION_TABLES = {
  logins: {
    owner: 'auth',
    readers: {
      accounts: 'accounts and logins share their names',
      cells: 'the directory of a group knows the usernames of logins',
      credit: 'the daily amount of a login is checked under the wallet lock',
      approvals: 'requests name the logins that asked and decided',
      reports: 'a correction names the logins that made it',
    },
    clearing: { user: 'name, username and password of logins of deleted accounts' },
  },
  sessions: {
    owner: 'auth',
    backup: SESSIONS_END,
    readers: {
      accounts: 'sorts 100,000 accounts by presence in one statement',
      protection: "time limits sum a player's current and ended sessions of today in one statement",
    },
    clearing: { stays: 'sessions expire' },
  },
  elevations: {
    owner: 'auth',
    backup: SESSIONS_END,
    clearing: { stays: 'deleted with their sessions' },
  },
  past_sessions: {
    owner: 'auth',
    backup: SESSIONS_END,
    readers: { protection: "time limits count today's ended sessions" },
    clearing: { stays: 'deleted by the server when old' },
  },
  servers: {
    owner: 'auth',
    backup: { left: 'servers belong to this installation' },
    readers: { accounts: 'sockets of a silent server do not count as online' },
    clearing: { stays: 'holds only the current state' },
  },
  open_sockets: {
    owner: 'auth',
    backup: SESSIONS_END,
    readers: { accounts: 'sorts 100,000 accounts by presence in one statement' },
    clearing: { stays: 'holds only the current state' },
  },
  replaced_sessions: {
    owner: 'auth',
    backup: SESSIONS_END,
    clearing: { stays: 'deleted by the server when old' },
  },
  attempts: {
    owner: 'auth',
    backup: { left: 'attempts expire within minutes' },
    clearing: { stays: 'deleted by the server when old' },
  },
  known_addresses: {
    owner: 'auth',
    backup: { left: 'where people sign in from is of this installation' },
    clearing: { user: 'those of deleted accounts' },
  },
  known_devices: {
    owner: 'auth',
    backup: { left: 'where people sign in from is of this installation' },
    clearing: { user: 'those of deleted accounts' },
  },
  factors: {
    owner: 'auth',
    clearing: { user: 'those of deleted accounts' },
  },
} satisfies Record<string, TableOwner>;
