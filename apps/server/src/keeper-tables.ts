import type { InClearing, TableOwner } from './table-owner.ts';

const OF_DRAWS: InClearing = { draw: 'they go with their draws' };

/** The tables of who keeps parts of the seeds of draws, beside the server. */
export const KEEPER_TABLES = {
  keeper_days: {
    owner: 'keepers',
    ofNetwork: false,
    backup: {
      left: 'places are handed out by this installation; what a draw’s proof takes of a day is in keeper_roots',
    },
    clearing: { stays: 'no place is handed out twice' },
  },
  keeper_roots: {
    owner: 'keepers',
    ofNetwork: true,
    backup: 'of the network',
    clearing: { stays: 'all draws of a day share the one there is' },
  },
  draw_keepers: { owner: 'keepers', ofNetwork: true, backup: 'of the network', clearing: OF_DRAWS },
  draw_beacons: { owner: 'keepers', ofNetwork: true, backup: 'of the network', clearing: OF_DRAWS },
  keeper_evidence: { owner: 'keepers', ofNetwork: true, backup: 'of the network', clearing: OF_DRAWS },
  knowable_draws: { owner: 'draws', ofNetwork: true, backup: 'of the network', clearing: OF_DRAWS },
} as const satisfies Readonly<Record<string, TableOwner>>;
