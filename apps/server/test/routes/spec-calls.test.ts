import { expect, it } from 'vitest';
import { nameOf, ROUTES } from './contract-routes.ts';

/** Calls from both specifications' §7, by method and path. */
const CALLS = `
GET reports/turn?role&id&startDate&endDate
GET reports/findallusers?role&id
GET reports/transactionreport?status&id&date&currentid&type&role
GET reports/commissionpayout?role&id
GET reports/admincommissionpayout?role&id&startDate&endDate
GET counts/usercount?role&id&currentrole
GET credit/loadcredit?id
GET logs
GET logs/:userId
GET logs/getUserLogById/:id
POST logs/logUserActivity
GET logs/activityLogs
GET onlinePlayer
GET history/gamehistory?gameId&userId&startDate&endDate&id&tdate
GET history/loadUsers?id
GET history/loadGames?id
GET history/getdetailsbyticketid?ticketId&gameId
GET super
GET admins
GET superdistributors
GET distibutors
GET retailers
GET allusers
GET fetchUserById?id&currentrole
GET live/loadgame?adminId&gameId
POST live/addbalance
POST live/addresult
POST live/generateresult
GET result/lottojodicross?admin&gameId
GET app/gettimer?gameId
GET app/nextdrawnew?adminId&gameId
GET backup/list-backups
GET backup/exportbackup
GET backup/importbackup?folder
GET backup/downloadbackup?folder
GET backup/transferbackup?folder
DELETE backup/deletebackup?folder
POST backup/deleterecords
`;

it.each(CALLS.trim().split('\n'))('%s is in the contract with its query', (call) => {
  const [name, query = ''] = call.split('?') as [string, string?];
  const route = ROUTES.find((each) => nameOf(each) === name);
  expect(route, `no route ${name}`).toBeDefined();
  const shape = Object.keys((route!.query as { shape?: object } | undefined)?.shape ?? {});
  expect(query.split('&').filter((field) => field !== '' && !shape.includes(field))).toEqual([]);
});
