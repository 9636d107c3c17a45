/**
 * `npm run lab -- proxies haproxy nginx caddy` (lab/README.md). Needs these programs in PATH, and openssl.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type OutgoingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { createServer as createListener, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pause } from '../tools/demo/client.ts';

const PROXIES = ['haproxy', 'nginx', 'caddy'] as const;
type Proxy = (typeof PROXIES)[number];

interface Place {
  readonly dir: string;
  readonly http: number;
  readonly https: number;
  /** Ports of cell-1 and cell-2. */
  readonly cells: readonly [number, number];
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

const READY_MS = 15_000;
const deploy = (file: string): Promise<string> => readFile(path.join(import.meta.dirname, '../deploy', file), 'utf8');

const token = (cell: string): string => `${cell}.kJfJ-tyYg4rJ4iPoEdvBrVRhuj3JT1xsndmInC8JTto`;

const CALLS: readonly (readonly [call: string, headers: OutgoingHttpHeaders, path: string, cell: string])[] = [
  ['nobody', {}, '/', 'cell-1'],
  ['a cookie', { cookie: `session-token=${token('cell-2')}` }, '/', 'cell-2'],
  ['a cookie after another', { cookie: `a=b; __Host-session-token=${token('cell-2')}` }, '/', 'cell-2'],
  ['a cookie of another name', { cookie: `my-session-token=${token('cell-2')}` }, '/', 'cell-1'],
  ['a live connection', { cookie: `session-token=${token('cell-1')}` }, '/live/?cell=cell-2', 'cell-2'],
  ['a session', { authorization: `Bearer ${token('cell-2')}` }, '/live/?cell=cell-1', 'cell-2'],
  ['a redirected call', { authorization: `Bearer ${token('cell-1')}`, 'x-cell': 'cell-2' }, '/', 'cell-2'],
  ['an API key', { authorization: 'Bearer dhk_20000001_secret' }, '/', 'cell-1'],
  ['an unknown cell', { 'x-cell': 'cell-9' }, '/', 'cell-1'],
  ['a forged address', { 'x-forwarded-for': '192.0.2.7' }, '/', 'cell-1'],
];

async function startCell(name: string): Promise<AddressInfo> {
  const server = createServer((incoming, response) => {
    const { 'x-forwarded-for': address, 'x-forwarded-proto': scheme } = incoming.headers;
    response.end(`${name} ${String(address)} ${String(scheme)}`);
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return server.address() as AddressInfo;
}

async function freePort(): Promise<number> {
  const listener = createListener().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}

/** Replaces each text. Fails if the file does not contain it. */
function replaced(text: string, changes: readonly (readonly [from: string, to: string])[]): string {
  for (const [from] of changes) if (!text.includes(from)) throw new Error(`A file of deploy no longer has: ${from}`);
  return changes.reduce((left, [from, to]) => left.replaceAll(from, to), text);
}

const CONFIGURE: Readonly<Record<Proxy, (place: Place) => Promise<readonly string[]>>> = {
  async haproxy({ dir, http, https, cells }) {
    const file = path.join(dir, 'haproxy.cfg');
    const config = replaced(await deploy('haproxy-cells.cfg'), [
      ['maxconn 32768', 'maxconn 100'],
      ['bind :80\n', `bind 127.0.0.1:${http}\n`],
      ['bind :443', `bind 127.0.0.1:${https}`],
      ['/etc/ssl/drawhouse/', `${dir}/`],
      ['127.0.0.1:3000', `127.0.0.1:${cells[0]}`],
      ['127.0.0.1:3010', `127.0.0.1:${cells[1]}`],
    ]);
    await writeFile(file, config);
    return ['-f', file, '-db'];
  },
  async nginx({ dir, http, https, cells }) {
    const file = path.join(dir, 'nginx.conf');
    const site = replaced(await deploy('nginx.conf'), [
      ['listen 80;', `listen 127.0.0.1:${http};`],
      ['listen 443 ', `listen 127.0.0.1:${https} `],
      ['    listen [::]:80;\n', ''],
      ['    listen [::]:443 ssl http2;\n', ''],
      ['/etc/ssl/drawhouse/', `${dir}/`],
      ['/var/lib/nginx/drawhouse', `${dir}/cache`],
      ['127.0.0.1:3000', `127.0.0.1:${cells[0]}`],
      ['http://drawhouse;', 'http://$drawhouse_cell;'],
    ]);
    const routes = replaced(await deploy('nginx-cells.conf'), [['127.0.0.1:3010', `127.0.0.1:${cells[1]}`]]);
    const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${dir}/${of};`);
    const main = `daemon off; pid ${dir}/pid; error_log stderr; events {}`;
    await writeFile(file, `${main} http { access_log off; ${folders.join(' ')}\n${routes}\n${site}\n}\n`);
    return ['-c', file, '-p', dir];
  },
  async caddy({ dir, http, https, cells }) {
    const file = path.join(dir, 'Caddyfile');
    const routes = replaced(await deploy('Caddyfile-cells'), [['127.0.0.1:3010', `127.0.0.1:${cells[1]}`]]);
    const site = replaced(await deploy('Caddyfile'), [
      [
        '{\n\tservers {',
        `{\n\thttp_port ${http}\n\thttps_port ${https}\n\tadmin off\n\tskip_install_trust\n\tservers {`,
      ],
      ['drawhouse.example.org}', 'localhost}'],
      ['# tls internal', 'tls internal'],
      ['127.0.0.1:3000', `127.0.0.1:${cells[0]}`],
      ['\treverse_proxy', `${routes}\n\treverse_proxy`],
    ]);
    await writeFile(file, site);
    return ['run', '--config', file, '--adapter', 'caddyfile'];
  },
};

function callOf(port: number, headers: OutgoingHttpHeaders, at: string): Promise<Answer> {
  return new Promise((done, fail) => {
    const options = { host: '127.0.0.1', servername: 'localhost', port, path: at, rejectUnauthorized: false };
    const call = request({ ...options, headers: { host: 'localhost', ...headers } }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => done({ status: response.statusCode!, body }));
    });
    call.on('error', fail).end();
  });
}

async function problemsWith(https: number): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const [call, headers, at, cell] of CALLS) {
    const { body } = await callOf(https, headers, at);
    if (body !== `${cell} 127.0.0.1 https`) problems.push(`${call}: "${body}" instead of ${cell}`);
  }
  const { status } = await callOf(https, { cookie: `session-token=${token('cell-2')}` }, '/metrics');
  if (status !== 404) problems.push(`metrics: ${status} instead of 404`);
  return problems;
}

async function isReady(https: number, child: ReturnType<typeof spawn>): Promise<void> {
  const untilMs = performance.now() + READY_MS;
  for (const headers of [{}, { 'x-cell': 'cell-2' }])
    for (;;) {
      const answer = await callOf(https, headers, '/').catch(() => undefined);
      if (answer?.status === 200) break;
      if (child.exitCode !== null || performance.now() > untilMs) throw new Error('The proxy does not answer.');
      await pause(100);
    }
}

async function check(proxy: Proxy, cells: Place['cells']): Promise<readonly string[]> {
  const dir = await mkdtemp(path.join(tmpdir(), `drawhouse-${proxy}-`));
  const [cert, key] = [path.join(dir, 'fullchain.pem'), path.join(dir, 'privkey.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject], {
    stdio: 'pipe',
  });
  await writeFile(path.join(dir, 'haproxy.pem'), (await readFile(cert, 'utf8')) + (await readFile(key, 'utf8')));
  const https = await freePort();
  const args = await CONFIGURE[proxy]({ dir, cells, https, http: await freePort() });
  const env = { ...process.env, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir };
  const child = spawn(proxy, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'close');
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  try {
    await once(child, 'spawn');
    await isReady(https, child);
    return await problemsWith(https);
  } catch (error) {
    return [`${(error as Error).message}\n${said.slice(-2_000)}`];
  } finally {
    child.kill();
    await ended.catch(() => {});
    await rm(dir, { recursive: true, force: true });
  }
}

const named = process.argv.slice(2);
const chosen = PROXIES.filter((proxy) => named.length === 0 || named.includes(proxy));
const cells: Place['cells'] = [(await startCell('cell-1')).port, (await startCell('cell-2')).port];
for (const proxy of chosen) {
  const problems = await check(proxy, cells);
  console.log(
    `${proxy}: ${problems.length === 0 ? `${CALLS.length + 1} calls went where they should.` : problems.join('\n  ')}`,
  );
  if (problems.length > 0) process.exitCode = 1;
}
