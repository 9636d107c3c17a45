import { findProgram, install, missing, THIS_MACHINE } from './system-packages.ts';
import type { Machine, Need } from './system-packages.ts';

const TESTS = 'The tests of transfers';

/** What a test of a transfer sends to. */
interface Server {
  readonly need: Need;
  /** Its programs: all of them are needed. */
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

/**
 * Installs what the tests of transfers send to where it is missing, when this is root on a system whose package manager has it. Swift, which takes long to install and
 * to start, is for runs that are long alone.
 */
export function ensureTransferServers({ long }: { readonly long: boolean }, machine: Machine = THIS_MACHINE): void {
  for (const server of long ? [SSHD, SWIFT] : [SSHD])
    if (!programsOf(server, machine.env)) install(server.need, machine);
}

/** The paths of `sshd` and `ssh-keygen`. Throws, with what is to be done, where they are missing. */
export function requireSshd(env: NodeJS.ProcessEnv = process.env): { sshd: string; keygen: string } {
  const [sshd, keygen] = requirePrograms(SSHD, env);
  return { sshd: sshd!, keygen: keygen! };
}

/** The paths of the programs of Swift: what makes its rings, and its servers by their part. Throws likewise. */
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
  // Those of servers are in no user's path.
  const everywhere = { ...env, PATH: `${env['PATH']}:/usr/sbin:/sbin` };
  const found = programs.map((name) => findProgram(name, everywhere)).filter((file) => file !== undefined);
  return found.length === programs.length ? found : undefined;
}
