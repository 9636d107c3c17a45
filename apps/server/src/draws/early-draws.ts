import type { Logger } from 'pino';
import type { DueDraw } from './due-draws.sql.ts';

/** What keeps draws from being drawn before their close: somebody changed the database past the server, to have a seed before its time. */
interface EarlyDraws {
  /** Leaves these out of what is due, and warns of each once while it is so. They wait for their close, and hold up no other. */
  leave(due: readonly DueDraw[]): readonly DueDraw[];
}

/** Makes it, with nothing told yet. */
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
            `${name} is to be drawn before betting on it closes, which the server never asks for: it is left alone until then. Somebody may have changed the database: run npm run audit.`,
          );
      told = new Set(names);
      return due.filter((draw) => !draw.early);
    },
  };
}
