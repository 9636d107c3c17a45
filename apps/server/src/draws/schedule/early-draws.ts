import type { Logger } from 'pino';
import type { DueDraw } from './due-draws.sql.ts';

/** Guards against early drawing: someone edited the database to obtain a seed ahead of time. */
interface EarlyDraws {
  /** Drops early draws and warns once per occurrence. They wait for their close without blocking others. */
  leave(due: readonly DueDraw[]): readonly DueDraw[];
}

export function createEarlyDraws(logger: Pick<Logger, 'warn'>): EarlyDraws {
  let told: ReadonlySet<string> = new Set();
  return {
    leave(due) {
      const early = due.filter((draw) => draw.early);
      if (early.length === 0 && told.size === 0) return due;
      const names = early.map(({ network_id: network, id }) => `draw ${id} of network ${network}`);
      for (const name of names)
        if (!told.has(name))
          logger.warn(
            `${name} has a draw time before its betting closes, which the server never schedules. It is skipped until then. The database may have been changed by hand: run npm run audit.`,
          );
      told = new Set(names);
      return due.filter((draw) => !draw.early);
    },
  };
}
