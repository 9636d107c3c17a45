import { pointsText } from '@drawhouse/contract/core/primitives';
import { opensNoDraw, type NegativeNetwork } from '../../liability/negative-tables.ts';
import { fault, ok, warning, type Finding } from './findings.ts';

const MEND =
  'The admins must add balance on the panels of these games, or the superadmin must set another table line for the admin.';

export function judgeTables(networks: readonly NegativeNetwork[]): Finding[] {
  const stopped = networks.filter(opensNoDraw);
  const count = networks.reduce((sum, { tables }) => sum + tables.length, 0);
  if (count === 0) return [ok('tables', 'No game table is below zero.')];
  const about = networks.flatMap(({ username, tables }) =>
    tables.map(({ gameName, balance }) => `${gameName} of ${username}: ${pointsText(balance)}`),
  );
  return stopped.length > 0
    ? [
        fault(
          'tables',
          `No draw opens in ${counted(stopped.length)}, because their tables are below their line.`,
          MEND,
          about,
        ),
      ]
    : [warning('tables', `${count === 1 ? 'A game table is' : `${count} game tables are`} below zero.`, MEND, about)];
}

function counted(count: number): string {
  return count === 1 ? 'a network' : `${count} networks`;
}
