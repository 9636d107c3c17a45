import { readFileSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { constants, getPriority, setPriority } from 'node:os';
import type pg from 'pg';

/** Whatever else runs goes first: beside one that does, such a process has a tenth of a processor. Where nothing does, it has all there is. */
const NICE = 10;
/** Linux takes one wish for a group of processes in a tenth of a second from whoever is not root. */
const ASK_AGAIN = { afterMs: 150, times: 20 };

/**
 * Has PostgreSQL's process of a connection leave the processors to others, as far as they want them, until the connection ends. Not for what locks rows that
 * others may wait for. It does so where that process runs on this machine and this one may say so, as of the embedded PostgreSQL on Linux; elsewhere it takes
 * its share.
 */
export function standBehind(client: pg.ClientBase): void {
  const { processID, connection } = client as unknown as {
    readonly processID: number | null;
    readonly connection: { readonly stream: Pick<Socket, 'localPort'> };
  };
  if (process.platform !== 'linux' || !processID) return;
  // The number may be that of a process of another machine; but only PostgreSQL's own names the other end of this connection.
  const other = `(${connection.stream.localPort})`;
  const isIts = (): boolean => {
    const title = readFileSync(`/proc/${processID}/cmdline`, 'latin1');
    return title.startsWith('postgres: ') && title.includes(other);
  };
  try {
    if (!isIts()) return;
    setPriority(processID, Math.min(constants.priority.PRIORITY_LOW, getPriority(processID) + NICE));
    lowerGroup(processID, isIts);
  } catch {
    // Then it takes its share.
  }
}

/**
 * Where nothing else groups processes, Linux shares the processors out among sessions first, and each of PostgreSQL's processes is a session of its own: among
 * the others its own priority counts for nothing (sched(7), "The autogroup feature").
 */
function lowerGroup(pid: number, isIts: () => boolean, times = ASK_AGAIN.times): void {
  try {
    if (isIts()) writeFileSync(`/proc/${pid}/autogroup`, String(NICE), { flag: 'r+' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN' && times > 0)
      setTimeout(() => lowerGroup(pid, isIts, times - 1), ASK_AGAIN.afterMs).unref();
  }
}
