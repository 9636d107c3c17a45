import { findProgram, install, missing, THIS_MACHINE, type Machine, type Need } from './system-packages.ts';

const TESTS = 'The tests of transfers';

interface Server {
  readonly need: Need;
  readonly programs: readonly string[];
}

const SSHD: Server = {
  need: {
    tests: TESTS,
    name: 'an OpenSSH server',
    packages: { 'apt-get': 'openssh-server', apk: 'openssh', dnf: 'openssh-server' },
  },
  programs: ['sshd', 'ssh-keygen'],
};

const SWIFT_PARTS = ['account', 'container', 'object', 'proxy'] as const;
const SWIFT: Server = {
  need: {
    tests: TESTS,
    name: 'OpenStack Swift, which speaks S3',
    packages: { 'apt-get': SWIFT_PARTS.map((part) => `swift-${part}`).join(' ') },
  },
  programs: ['swift-ring-builder', ...SWIFT_PARTS.map((part) => `swift-${part}-server`)],
};

/** Installs only as root. Swift is slow to install and start, so only long runs use it. */
export function ensureTransferServers({ long }: { readonly long: boolean }, machine: Machine = THIS_MACHINE): void {
  for (const server of long ? [SSHD, SWIFT] : [SSHD])
    if (!programsOf(server, machine.env)) install(server.need, machine);
}

export function requireSshd(env: NodeJS.ProcessEnv = process.env): { sshd: string; keygen: string } {
  const [sshd, keygen] = requirePrograms(SSHD, env);
  return { sshd: sshd!, keygen: keygen! };
}

export function requireSwift(env: NodeJS.ProcessEnv = process.env): {
  ringBuilder: string;
  servers: Readonly<Record<(typeof SWIFT_PARTS)[number], string>>;
} {
  const [ringBuilder, account, container, object, proxy] = requirePrograms(SWIFT, env);
  return {
    ringBuilder: ringBuilder!,
    servers: { account: account!, container: container!, object: object!, proxy: proxy! },
  };
}

function requirePrograms(server: Server, env: NodeJS.ProcessEnv): readonly string[] {
  const found = programsOf(server, env);
  if (!found) throw missing(server.need, env);
  return found;
}

function programsOf({ programs }: Server, env: NodeJS.ProcessEnv): readonly string[] | undefined {
  // Server programs are outside user paths.
  const everywhere = { ...env, PATH: `${env['PATH']}:/usr/sbin:/sbin` };
  const found = programs.map((name) => findProgram(name, everywhere)).filter((file) => file !== undefined);
  return found.length === programs.length ? found : undefined;
}

if (import.meta.main) ensureTransferServers({ long: Boolean(process.env['TEST_LONG']) });
