import { createHub, type Hub } from '../../src/platform/cluster/hub.ts';
import { createOutbox, type FromWorker, type ToWorker } from '../../src/platform/cluster/messages.ts';
import { createTeam, type Team } from '../../src/platform/cluster/team.ts';

/** All in one process: messages are copied and arrive later, as between processes. */
export interface TestTeams {
  readonly teams: readonly Team[];
  readonly hub: Hub;
  kill(this: void, slot: number): void;
  /** Waits for all messages, and those that they cause. */
  settle(this: void): Promise<void>;
}

/** `folder`: for private sockets. */
export function connectTeams(count: number, folder = '/nowhere', readMs?: number): TestTeams {
  const hub = createHub(readMs);
  const dead = new Set<number>();
  const teams = Array.from({ length: count }, (_, slot) => {
    const toHub = createOutbox<FromWorker>((messages) => {
      for (const message of structuredClone(messages)) if (!dead.has(slot)) hub.receive(slot, message);
    });
    const { team, receive } = createTeam({ slot, count, folder }, toHub);
    const toTeam = createOutbox<ToWorker>((messages) => {
      for (const message of structuredClone(messages)) if (!dead.has(slot)) receive(message);
    });
    hub.join(slot, toTeam);
    return team;
  });
  return {
    teams,
    hub,
    kill(slot) {
      dead.add(slot);
      hub.leave(slot);
    },
    async settle() {
      for (let turn = 0; turn < 8; turn++) await new Promise<void>((next) => setImmediate(next));
    },
  };
}
