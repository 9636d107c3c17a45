import { once } from 'node:events';
import { takeTurnsWith } from '../../auth/passwords/password.ts';
import { environment, readConfig } from '../../config/config.ts';
import {
  createOutbox,
  DATABASE_AWAY,
  type FromWorker,
  type ToWorker,
  type WorkerStart,
} from '../../platform/cluster/messages.ts';
import { createTeam } from '../../platform/cluster/team.ts';
import { DatabaseUnavailable } from '../../platform/db/connection/unavailable.ts';
import { createFileLogger } from '../../platform/log/create-logger.ts';
import { runDueWork, serve } from '../serve.ts';
import { startErrorText } from '../start-errors.ts';

async function main(): Promise<void> {
  const config = readConfig();
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort());
  const send = createOutbox<FromWorker>((messages) => process.connected && process.send!(messages));
  const early: ToWorker[] = [];
  let receive = (message: ToWorker): void => void early.push(message);
  process.on('message', (messages: readonly ToWorker[]) => {
    for (const message of messages) receive(message);
  });
  while (early[0]?.[0] !== 'start') await once(process, 'message');

  const [[, start], ...rest] = early as [readonly ['start', WorkerStart], ...ToWorker[]];
  const { team, receive: receiveShared } = createTeam(start, send);
  takeTurnsWith(team);
  const database = { ...start.database };
  receive = (message) => {
    if (message[0] === 'stop') stopping.abort();
    else if (message[0] === 'database') Object.assign(database, message[1]);
    else receiveShared(message);
  };
  for (const message of rest) receive(message);
  const logger = createFileLogger(config, start.slot + 1);
  const { isFirst } = start;
  let announcement: string | undefined;
  const say = (text: string): void => void (announcement = isFirst ? text : undefined);
  await serve({ config, database, logger, say, team, isFirst }, (app) => {
    send(['ready', announcement]);
    return runDueWork(app, logger, stopping.signal);
  });
}

main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(`Drawhouse could not start. ${startErrorText(error, environment())}`);
    process.exit(error instanceof DatabaseUnavailable ? DATABASE_AWAY : 1);
  },
);
