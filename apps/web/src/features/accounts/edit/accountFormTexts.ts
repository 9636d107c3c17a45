import type { Role } from '@drawhouse/contract/core/roles';
import { SOMETHING_WENT_WRONG } from '../../../firstTexts.ts';
import { commonTexts } from '../../../commonTexts.ts';
import type { Level } from '../../../commonTexts.ts';

export const accountFormTexts = {
  ...commonTexts.accounts,
  edit: {
    admin: 'Edit Admin',
    superdistributor: 'Edit SuperDistributors',
    distributor: 'Edit Distributors',
    retailer: 'Edit Retailer',
    user: 'Edit Users',
  } satisfies Record<Level, string>,
  noParents: {
    superadmin: 'No superadmins available',
    admin: 'No admins available',
    superdistributor: 'No superSuperDistributorss available',
    distributor: 'No distributorss available',
    retailer: 'No retailerss available',
  } satisfies Record<Exclude<Role, 'user'>, string>,
  fields: {
    username: 'Username',
    password: 'Password',
    commission: 'Commission',
    commissionCeiling: 'Commission ceiling',
    note: 'Note',
    reference: 'Reference',
    dailyLimit: 'Daily limit',
    tableLine: 'Table line',
    tokenSessions: 'Let programs act without confirming the password',
    testNetwork: 'Test network',
    status: 'Status',
    games: 'Games',
  },
  commissionHint: 'A new rate applies from the next draw.',
  tableLineHint: 'How far one game table may fall below zero. Leave empty to use the credit given to the network.',
  beacons: 'Beacons of its games',
  commissionCeilingHint: 'Maximum total of commissions along one chain of the network.',
  dailyLimitHint: 'Points it may give per day. Leave empty for no limit.',
  tokenSessionsHint:
    'With this on, a program that signs in without asking for elevation can create accounts, save ' +
    'results and restore backups with its token alone. Turn it off when no such program is in use.',
  testNetworkHint:
    'For trying things out, also with simulated players. It is shown as a test everywhere. The first bet fixes the choice.',
  defaultNote: 'add notes',
  updating: 'Updating...',
  created: 'User created successfully!',
  updated: 'User updated successfully!',
  createFailed: {
    admin: 'Failed to create admin.',
    superdistributor: 'Failed to create superdistributors.',
    distributor: 'Failed to create superdistributors.',
    retailer: 'Failed to create superdistributors.',
    user: SOMETHING_WENT_WRONG,
  } satisfies Record<Level, string>,
  updateFailed: 'server error',
  unchanged: 'Nothing to save: no field was changed.',
  commissionRequired: 'Commission is required',
  noteRequired: 'Note is required',
  referenceRequired: 'Reference is required',
} as const;
