import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';

export interface ChildServer {
  readonly pid: number;
  readonly output: () => string;
  stop(): Promise<void>;
}

/** Waits for the port. `says`: output that proves it is listening, because another program may have taken the port. */
export async function startChild(
  program: string,
  args: readonly string[],
  port: number,
  says?: string,
): Promise<ChildServer> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
  const [ended, closed] = [once(child, 'exit'), once(child, 'close')];
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const isUp = async (): Promise<boolean> =>
    (says === undefined || output.includes(says)) && (await takesConnections(port));
  while (!(await isUp()) || hasEnded()) {
    if (hasEnded()) {
      await closed;
      throw new Error(`${program} ended with ${child.exitCode}:\n${output}`);
    }
    await once(AbortSignal.timeout(50), 'abort');
  }
  return {
    pid: child.pid!,
    output: () => output,
    async stop() {
      if (hasEnded()) return;
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function takesConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
