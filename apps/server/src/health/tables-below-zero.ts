import { pointsText } from '@drawhouse/contract/frame/primitives';
import type { FoundNotice } from '@drawhouse/contract/notices/notices';
import { opensNoDraw } from '../liability/tables-below.ts';
import type { NetworkBelow } from '../liability/tables-below.ts';

/** A notice for each network of which a table is below zero. */
export function tableNotices(networks: readonly NetworkBelow[]): FoundNotice[] {
  return networks.map((network) => ({
    code: 'TABLE_BELOW_ZERO',
    about: network.username,
    detail: `${tablesText(network)}${opensNoDraw(network) ? ' No draw of the network opens.' : ''}`,
  }));
}

/** The tables with their balances, the lowest first: `Fun Target Bingo is at −80.00.` */
function tablesText({ tables }: Pick<NetworkBelow, 'tables'>): string {
  const [first] = tables;
  const others = tables.length - 1;
  const more = others === 0 ? '' : ` and ${others} more`;
  return `${first!.gameName} is at ${pointsText(first!.balance)}${more}.`;
}
