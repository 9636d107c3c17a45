import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readNotify, type NotifySettings } from '../../src/config/outside-services.ts';

export interface ReceivedMessage {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface WebhookReceiver {
  readonly url: string;
  readonly received: ReceivedMessage[];
  answers: number | { readonly to: string } | 'never';
  stop(): Promise<void>;
}

export const WEBHOOK_SECRET = `whsec_${Buffer.from('a secret of exactly thirty-two b').toString('base64')}`;

export async function startReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedMessage[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ path: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString() });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answers: 204,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const answer = (response: ServerResponse): void => {
    const { answers } = receiver;
    if (answers === 'never') return;
    if (typeof answers === 'number') response.writeHead(answers).end('what nobody reads');
    else response.writeHead(302, { location: answers.to }).end();
  };
  return receiver;
}

export function settingsOfReceiver({ url }: Pick<WebhookReceiver, 'url'>): NotifySettings {
  const env: Readonly<Record<string, string>> = { NOTIFY_URL: url, NOTIFY_SECRET: WEBHOOK_SECRET };
  return readNotify((name) => env[name])!;
}
