import { SETTINGS, strayNames } from '../setting-names.ts';
import type { Telling } from '../setting-names.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What of an address may be told behind its question mark. */
const TOLD_PARAMETERS: ReadonlySet<string> = new Set(['region', 'endpoint', 'sslmode']);
const LEFT_OUT = '…';
/** A secret that is shorter may be part of any word. */
const LEAST_SECRET = 4;

/** The settings of an environment as others may see them: nothing that is secret, and of no name that is not ours anything but itself where it looks like ours. */
export function tellSettings(env: Environment): Record<string, string> {
  const told = Object.entries(SETTINGS).flatMap(([name, telling]) => {
    const value = env[name]?.trim();
    if (!value) return [];
    if (telling === 'as it is') return [[name, value]];
    return [[name, telling === 'that it is set' ? '(set)' : addressesIn(value, telling).map(tellAddress).join(', ')]];
  });
  const strays = strayNames(Object.keys(env)).map(({ name }) => [name, '(set, and no setting)']);
  return Object.fromEntries([...told, ...strays]) as Record<string, string>;
}

/** The addresses that a setting names. A comma in a single one may be part of its password. */
function addressesIn(value: string, telling: Telling): string[] {
  return telling === 'as addresses' ? value.split(',').map((one) => one.trim()) : [value];
}

/** An address without its password, and without the user where that lets one in: an access key is no name of a role. */
export function tellAddress(text: string): string {
  const url = addressOf(text);
  if (!url) return '(set, and no address)';
  const isRole = /^(?:postgres(?:ql)?|sftp):$/.test(url.protocol);
  const user =
    url.username === '' ? '' : `${isRole ? url.username : LEFT_OUT}${url.password === '' ? '' : `:${LEFT_OUT}`}@`;
  const parameters = [...url.searchParams].map(([name, value]) => {
    return `${name}=${TOLD_PARAMETERS.has(name) ? value : LEFT_OUT}`;
  });
  const query = parameters.length === 0 ? '' : `?${parameters.join('&')}`;
  return `${url.protocol}//${user}${url.host}${url.pathname}${query}${url.hash}`;
}

/** What of an environment must stand in nothing that is given away: the values of secret settings, and what lets one in at an address. */
export function secretsIn(env: Environment): string[] {
  const secrets = Object.entries(SETTINGS).flatMap(([name, telling]) => {
    const value = env[name]?.trim();
    if (!value || telling === 'as it is') return [];
    if (telling === 'that it is set') return [value];
    return addressesIn(value, telling).flatMap(secretsOfAddress);
  });
  return [...new Set(secrets)].filter(({ length }) => length >= LEAST_SECRET).toSorted((a, b) => b.length - a.length);
}

/** An address in its parts; null where it is none. A password with a slash or a question mark in it makes one of which more is secret than it seems. */
function addressOf(text: string): URL | null {
  const url = URL.parse(text);
  return url && !`${url.pathname}${url.search}${url.hash}`.includes('@') ? url : null;
}

function secretsOfAddress(text: string): string[] {
  const url = addressOf(text);
  // What is none may be anything.
  if (!url) return [text];
  const parameters = [...url.searchParams].filter(([name]) => !TOLD_PARAMETERS.has(name)).map(([, value]) => value);
  const user = url.protocol === 's3:' ? [url.username] : [];
  return [url.password, ...user, ...parameters].flatMap((one) => [one, decoded(one)]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A text without secrets, wherever they stand in it. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '(left out)'), text);
}
