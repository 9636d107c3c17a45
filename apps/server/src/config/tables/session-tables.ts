import type { InBackup, TableOwner } from './table-owner.ts';

const SESSIONS_END: InBackup = { left: 'sessions end with what they were in' };

export const SESSION_TABLES = {
  sessions: {
    owner: 'auth',
    ofNetwork: false,
    backup: SESSIONS_END,
    readers: {
      accounts: 'a list of 100,000 accounts is sorted by who is online, in one statement',
      protection: 'a time limit counts how long a player is signed in, in one statement with what has ended today',
    },
    clearing: { stays: 'sessions run out by themselves' },
  },
  elevations: {
    owner: 'auth',
    ofNetwork: false,
    backup: SESSIONS_END,
    clearing: { stays: 'they end with their sessions' },
  },
  past_sessions: {
    owner: 'auth',
    ofNetwork: false,
    backup: SESSIONS_END,
    readers: { protection: 'a time limit counts the sessions of today that have ended' },
    clearing: { stays: 'they are forgotten by themselves' },
  },
  servers: {
    owner: 'auth',
    ofNetwork: false,
    backup: { left: 'servers are of this installation' },
    readers: { accounts: 'the sockets of a server that is silent make nobody online' },
    clearing: { stays: 'it has what is there now' },
  },
  open_sockets: {
    owner: 'auth',
    ofNetwork: false,
    backup: SESSIONS_END,
    readers: { accounts: 'a list of 100,000 accounts is sorted by who is online, in one statement' },
    clearing: { stays: 'it has what is there now' },
  },
  replaced_sessions: {
    owner: 'auth',
    ofNetwork: false,
    backup: SESSIONS_END,
    clearing: { stays: 'they are forgotten by themselves' },
  },
  attempts: {
    owner: 'auth',
    ofNetwork: false,
    backup: { left: 'what is counted of attempts is over within minutes' },
    clearing: { stays: 'they are forgotten by themselves' },
  },
  known_addresses: {
    owner: 'auth',
    ofNetwork: false,
    backup: { left: 'where people sign in from is of this installation' },
    clearing: { user: 'those of an account that was deleted' },
  },
  known_devices: {
    owner: 'auth',
    ofNetwork: false,
    backup: { left: 'where people sign in from is of this installation' },
    clearing: { user: 'those of an account that was deleted' },
  },
} satisfies Record<string, TableOwner>;
