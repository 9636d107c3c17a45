import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { HostAnswer, HostRequest } from './server-host.ts';
import { QUICK_PASSWORDS } from './server-process.ts';

const HOST = fileURLToPath(new URL('server-host.ts', import.meta.url));

/** A real server beside others in one process. */
export interface HostedServer {
  readonly url: string;
  /** Stops it in good order, as SIGTERM does one that has a process of its own. Throws what was wrong with that. */
  stop(): Promise<void>;
}

/** A process that servers are started in, one after the other or side by side: all but the first find its code loaded and compiled. */
export interface ServerHost {
  /**
   * Starts a server on a free port, with the settings in `env`; passwords are hashed quickly. Where it is not to open draws it does nothing by
   * itself. Throws what the server ended with when it can't start.
   */
  start(env: Readonly<Record<string, string>>, how?: { readonly opensDraws: boolean }): Promise<HostedServer>;
  /** Ends the process with all that is in it, as the end of this one does. */
  end(): void;
}

/** What a host is asked for, before it has its number. */
type Asked = HostRequest extends infer Request ? (Request extends unknown ? Omit<Request, 'id'> : never) : never;

/** Starts a process for servers. */
export function startServerHost(): ServerHost {
  const child = fork(HOST, { execArgv: QUICK_PASSWORDS, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  // Whoever has no more to do than to keep a host may end; while it waits for an answer it may not.
  child.unref();
  child.channel!.unref();
  const waiting = new Map<number, PromiseWithResolvers<HostAnswer>>();
  child.on('message', (answer: HostAnswer) => {
    const answered = waiting.get(answer.id);
    waiting.delete(answer.id);
    answered?.resolve(answer);
  });
  child.once('exit', (code, signal) => {
    for (const { reject } of waiting.values())
      reject(new Error(`The host of the servers ended with ${code ?? signal}.`));
    waiting.clear();
  });
  let last = 0;
  const ask = async (asked: Asked): Promise<HostAnswer> => {
    const id = ++last;
    const answered = Promise.withResolvers<HostAnswer>();
    waiting.set(id, answered);
    child.channel?.ref();
    child.send({ id, ...asked }, (error) => error && answered.reject(error));
    const answer = await answered.promise.finally(() => waiting.size === 0 && child.channel?.unref());
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
  };
  return {
    async start(env, { opensDraws } = { opensDraws: true }) {
      const { id, url } = await ask({ env: { PORT: '0', ...env }, opensDraws });
      return {
        url: url!,
        async stop() {
          await ask({ stop: id });
        },
      };
    },
    end: () => child.disconnect(),
  };
}
