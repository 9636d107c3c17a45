import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { constants, getPriority, setPriority } from 'node:os';
import type pg from 'pg';

/** Whatever else runs goes first: beside one that does, such a process has a tenth of a processor. Where nothing does, it has all there is. */
const NICE = 10;

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
  try {
    // The number may be that of a process of another machine; but only PostgreSQL's own names the other end of this connection.
    const title = readFileSync(`/proc/${processID}/cmdline`, 'latin1');
    if (title.startsWith('postgres: ') && title.includes(`(${connection.stream.localPort})`))
      setPriority(processID, Math.min(constants.priority.PRIORITY_LOW, getPriority(processID) + NICE));
  } catch {
    // Then it takes its share.
  }
}
