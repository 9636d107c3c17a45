import type { TableOwner, InBackup } from './table-owner.ts';

const KEEP_REASONS = { stays: 'player protection stays in force' };

export const PLAYER_TABLES = {
  protection_changes: { owner: 'protection', clearing: KEEP_REASONS },
  protections: { owner: 'protection', clearing: KEEP_REASONS },
  favorites: {
    owner: 'players',
    clearing: { user: 'favorites of deleted accounts' },
  },
  house_settings: {
    owner: 'house',
    backup: { left: 'belongs to this installation' },
    clearing: { stays: 'holds only the current state' },
  },
  landing_settings: {
    owner: 'players',
    clearing: { stays: 'holds only the current state' },
  },
  alert_thresholds: {
    owner: 'notices',
    clearing: { stays: 'holds only the current state' },
  },
  approval_rules: {
    owner: 'approvals',
    clearing: { stays: 'holds only the current state' },
  },
  approvals: {
    owner: 'approvals',
    ofRoot: { account_id: 'superadmin', decided_by: 'superadmin' },
    clearing: { stays: 'each says who approved a change of which the log tells' },
  },
  standing_orders: {
    owner: 'standing-orders',
    ofRoot: { giver_id: 'superadmin', ended_by: 'superadmin' },
    clearing: { stays: 'an order runs until it is ended, and then says why credit moved' },
  },
  api_keys: {
    owner: 'api-keys',
    clearing: { stays: 'tickets name their API key, even an ended one' },
  },
  api_key_days: {
    owner: 'api-keys',
    clearing: { stays: 'daily sums of bets by API key' },
  },
} satisfies Record<string, TableOwner>;

const ofWeeks = (stays: string): TableOwner => ({
  owner: 'weeks',
  ofRoot: { parent_id: 'superadmin', actor_id: 'superadmin' },
  clearing: { stays },
});

export const WEEK_TABLES = {
  week_payments: ofWeeks('balances are sums of payments'),
  week_terms: ofWeeks('closed weeks were computed by their terms'),
  week_closings: ofWeeks('the next week begins with the balance of a closed one'),
  week_notes: ofWeeks('notes belong to weeks, which stay'),
} satisfies Record<string, TableOwner>;

export const NOTICE_TABLES = {
  held_notices: {
    owner: 'notices',
    backup: { left: 'notices belong to this installation' },
    clearing: { stays: 'deleted by the server when old' },
  },
  notice_marks: {
    owner: 'notices',
    backup: { left: 'notices belong to this installation' },
    clearing: { stays: 'deleted by the server when old' },
  },
  notice_messages: {
    owner: 'notices',
    backup: { left: 'sent messages belong to this installation' },
    clearing: { stays: 'deleted by the server when old' },
  },
} satisfies Record<string, TableOwner>;

const SESSIONS_END: InBackup = { left: 'sessions end with their network' };

export const SESSION_TABLES = {
  logins: {
    owner: 'auth',
    clearing: { user: 'name, username and password of logins of deleted accounts' },
  },
  sessions: {
    owner: 'auth',
    backup: SESSIONS_END,
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
    clearing: { stays: 'deleted by the server when old' },
  },
  servers: {
    owner: 'auth',
    backup: { left: 'servers belong to this installation' },
    clearing: { stays: 'holds only the current state' },
  },
  open_sockets: {
    owner: 'auth',
    backup: SESSIONS_END,
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
