import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { HostAnswer, HostRequest } from './server-host.ts';
import { QUICK_PASSWORDS } from './server-process.ts';

const HOST = fileURLToPath(new URL('server-host.ts', import.meta.url));

export interface HostedServer {
  readonly url: string;
  stop(): Promise<void>;
}

export interface ServerHost {
  /** Free port, cheap password hashes. Without `opensDraws`, runs no scheduled work. */
  start(env: Readonly<Record<string, string>>, how?: { readonly opensDraws: boolean }): Promise<HostedServer>;
  end(): void;
}

type Asked = HostRequest extends infer Request ? (Request extends unknown ? Omit<Request, 'id'> : never) : never;

export function startServerHost(): ServerHost {
  const child = fork(HOST, { execArgv: QUICK_PASSWORDS, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  // The host must not keep its parent alive, except while a request is pending.
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
