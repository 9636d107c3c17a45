/**
 * `npm run lab -- bench <name>`: measures one part of the server against its limits on a temporary embedded PostgreSQL.
 * Without a name, lists the benches.
 */
import { benchAccounts } from './bench/accounts.bench.ts';
import { benchAudit } from './bench/audit.bench.ts';
import { benchRestore } from './bench/restore.bench.ts';
import { benchPanels } from './bench/panels.bench.ts';
import { benchPlayers } from './bench/players.bench.ts';
import { benchCells } from './bench/cells.bench.ts';
import { benchDraws } from './bench/draws.bench.ts';
import { benchLogs } from './bench/reports/logs.bench.ts';
import { benchProtection } from './bench/protection.bench.ts';
import { benchReports } from './bench/reports.bench.ts';
import { benchSealed } from './bench/sealed.bench.ts';
import { benchSchedule } from './bench/schedule.bench.ts';
import { benchSeals } from './bench/seals.bench.ts';
import { benchServers } from './bench/servers.bench.ts';
import { benchStaff } from './bench/staff.bench.ts';
import { benchTickets } from './bench/tickets.bench.ts';

const BENCHES: Record<string, { label: string; run: () => Promise<void> }> = {
  accounts: { label: 'lists and exports of 100,000 players', run: benchAccounts },
  schedule: { label: 'timeliness of 3,200 draws per minute, and their CPU', run: benchSchedule },
  audit: { label: 'audit of 10 million transfers, and of 10 million tickets', run: benchAudit },
  restore: {
    label: 'restore of 10 million tickets and 100,000 accounts, during bets of another network',
    run: benchRestore,
  },
  tickets: {
    label: 'bets per second, settlement and growth, compared with alternatives',
    run: () => benchTickets(process.argv.slice(3)),
  },
  servers: {
    label: 'bets per second and CPU per bet with 1, 2 and 3 serving processes (--sockets)',
    run: () => benchServers(process.argv.slice(3)),
  },
  cells: {
    label: 'CPU per bet of two cells beside each other, and a move of a million tickets (thousands of tickets)',
    run: () => benchCells(process.argv.slice(3)),
  },
  panels: {
    label: 'bytes of a live panel, 2,000 sockets compared with bare Socket.IO, and delay from commit to client',
    run: () => benchPanels(process.argv.slice(3)),
  },
  players: { label: "load times of the players' pages on a cheap phone", run: benchPlayers },
  staff: { label: 'load times of staff pages on a cheap phone, beside an empty page', run: benchStaff },
  protection: {
    label: 'bets per second with and without player limits',
    run: () => benchProtection(process.argv.slice(3)),
  },
  seals: {
    label: 'bets per second with and without seals, and delay from commit to seal',
    run: () => benchSeals(process.argv.slice(3)),
  },
  reports: {
    label: 'turnover, Bet List, dashboard and an export, on 10 million tickets',
    run: () => benchReports(process.argv.slice(3)),
  },
  sealed: { label: '10 million records sealed, and audited against their seals', run: benchSealed },
  draws: { label: 'a million draws of each game, for the table in docs/fairness.md', run: benchDraws },
  logs: { label: 'pages and searches of a log of 10 million rows', run: benchLogs },
};

const bench = BENCHES[process.argv[2] ?? ''];
if (bench) await bench.run();
else {
  const list = Object.entries(BENCHES).map(([name, { label }]) => `  ${name.padEnd(12)}${label}`);
  const isAsked = process.argv.includes('--help') || process.argv.includes('-h');
  console[isAsked ? 'log' : 'error'](`Usage: npm run lab -- bench <name>\n${list.join('\n')}`);
  if (!isAsked) process.exitCode = 1;
}
