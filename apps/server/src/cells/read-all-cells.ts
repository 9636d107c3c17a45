import type { MissingCell } from '@drawhouse/contract/core/list';
import type { Route } from '@drawhouse/contract/core/route';
import type { Logger } from 'pino';
import { NOWHERE, type BoundRoute, type Call } from '../platform/http/handler.ts';
import { CallError } from '../platform/http/http-errors.ts';
import { validatorOf } from '../platform/http/request/validate.ts';
import type { ListCaller } from '../platform/lists/list-source.ts';
import type { Peer, Services } from '../platform/services.ts';
import { createAskCell, type CellRead } from './call-cell.ts';
import { CELLS_TEXTS } from './cells-texts.ts';
import { FOUND_IN_ONE_CELL, MERGED_LISTS, MERGED_OF_CALLER, MERGED_REPORTS } from './merged-reads.ts';
import { mergedFile, mergedPage, type ListReading, type Query, type Source } from './read-merged-list.ts';

// The superadmin of a cell reads the networks of all cells: each read runs in every cell, and the answers are merged.
// A cell that does not answer is named in the answer, with its networks.

interface Parts<C> {
  readonly services: Services;
  /** Of this cell. */
  readonly findSuperadmin: () => Promise<C | undefined>;
  readonly logger: Pick<Logger, 'warn'>;
}

interface Input {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query | undefined;
}

interface CellCaller extends ListCaller {
  readonly games: readonly string[];
}

interface Reader<C extends ListCaller> {
  readonly route: Route;
  readonly handler: BoundRoute<C>['handler'];
}

export interface AllCells<C extends CellCaller> {
  wrap(this: void, bound: BoundRoute<C>): BoundRoute<C>;
  /** Answers another cell. */
  answer(this: void, routes: readonly BoundRoute<C>[]): (read: CellRead) => Promise<object>;
}

export function createAllCells<C extends CellCaller>({ services, findSuperadmin, logger }: Parts<C>): AllCells<C> {
  const { directory, clock, timeZone } = services;
  const askCell = createAskCell(services);

  async function open({ route, handler }: Reader<C>, input: Input, call: Call<C>) {
    const missing: MissingCell[] = [];
    const peers = await directory!.peers().catch((error: unknown): readonly Peer[] => {
      if (!(error instanceof CallError)) throw error;
      missing.push({ cell: null, networks: [] });
      return [];
    });
    const here: Source = {
      cell: directory!.cell,
      isHere: true,
      read: (query) => handler({ ...input, query } as never, call).catch(nullIfUnknown),
    };
    const elsewhere = peers.map((peer): Source => {
      const { cell, networks } = peer;
      let isMissing = false;
      const miss = (error: unknown): null => {
        if (!isMissing) {
          missing.push({ cell, networks: [...networks] });
          logger.warn({ error, cell }, 'another cell did not answer');
        }
        isMissing = true;
        return null;
      };
      const ask = (query: Query): Promise<object | null> =>
        askCell(peer, wireOf(route, { ...input, query }, call.actor))
          .then((answer) => requireShape(route, answer))
          .catch(nullIfUnknown)
          .catch(miss);
      return { cell, isHere: false, read: async (query) => (isMissing ? null : ask(query)) };
    });
    return { sources: [here, ...elsewhere], missing };
  }

  async function answerAll(bound: BoundRoute<C>, input: Input, call: Call<C>): Promise<object> {
    const { route, listed } = bound;
    if (isOfThisCell(listed?.list.route ?? route, input, call.actor)) return bound.handler(input as never, call);
    const { sources, missing } = await open(listed ? { ...listed, route: listed.list.route } : bound, input, call);
    if (sources.length === 1 && missing.length === 0) return bound.handler(input as never, call);
    const query = input.query ?? {};
    if (listed && MERGED_LISTS[listed.list.route.path]) {
      const reading: ListReading = { list: listed.list, query, caller: call.actor, sources, missing };
      if (listed.format === undefined) return requireFound(await mergedPage(reading), missing);
      const description = (await listed.describe?.(input as never, call).catch(nullIfUnknown)) ?? null;
      const file = { format: listed.format, at: clock.now(), timeZone, description };
      return requireFound(await mergedFile(reading, file), missing);
    }
    const merge = isAboutCaller(route, input, call.actor) ? MERGED_OF_CALLER[route.path] : MERGED_REPORTS[route.path];
    if (!merge) return readFirst(sources, query, missing);
    const answers = (await Promise.all(sources.map(({ read }) => read(query)))).filter((answer) => answer !== null);
    if (answers.length === 0) return requireFound(null, missing);
    return { ...merge(answers as unknown as readonly [never]), ...(missing.length > 0 && { missingCells: missing }) };
  }

  return {
    wrap(bound) {
      const { route, listed } = bound;
      if (!directory || !isReadInAllCells(listed?.list.route ?? route)) return bound;
      if (route.file !== undefined && !(listed && MERGED_LISTS[listed.list.route.path])) return bound;
      return {
        ...bound,
        handler: async (input, call) =>
          readsAllCells(call) ? answerAll(bound, input, call) : bound.handler(input, call),
      };
    },
    answer(routes) {
      const served = routes.filter(({ route }) => isReadInAllCells(route));
      const byPath = new Map(served.map((bound) => [bound.route.path, { bound, validate: validatorOf(bound.route) }]));
      return async ({ path, params, query, caller, permissions }) => {
        const found = byPath.get(path);
        const actor = await findSuperadmin();
        if (!found || !actor) throw new CallError('NOT_FOUND');
        const ownQuery = Object.entries(query).map(([name, value]) => [name, value === caller ? actor.id : value]);
        const input = found.validate({ params, query: Object.fromEntries(ownQuery), body: undefined }) as Input;
        if (isOwnObject(found.bound.route, input, actor)) throw new CallError('NOT_FOUND');
        return found.bound.handler(input as never, callAs({ ...actor, permissions }));
      };
    },
  };
}

/** A login limited to some games names games of this cell alone. */
function readsAllCells({ actor: { role, games }, apiKey }: Call<CellCaller>): boolean {
  return role === 'superadmin' && games.length === 0 && !apiKey;
}

function isReadInAllCells({ method, path, sensitive, changesState }: Route): boolean {
  if (method !== 'GET' || changesState || sensitive) return false;
  return [MERGED_LISTS, MERGED_REPORTS, FOUND_IN_ONE_CELL].some((reads) => Object.hasOwn(reads, path));
}

/** In these fields, a superadmin stands for all networks; in others, for a person. */
const STANDS_FOR_NETWORKS = ['id', 'userId', 'currentid', 'parentId'];

function isOfThisCell(route: Route, input: Input, caller: Pick<ListCaller, 'id'>): boolean {
  const namesPerson = Object.entries(input.query ?? {}).some(
    ([name, value]) => value === caller.id && !STANDS_FOR_NETWORKS.includes(name),
  );
  return namesPerson || isOwnObject(route, input, caller);
}

function isOwnObject(route: Route, input: Input, caller: Pick<ListCaller, 'id'>): boolean {
  return isAboutCaller(route, input, caller) && !Object.hasOwn(MERGED_OF_CALLER, route.path);
}

/** True for a read of an object that names none, because that means the caller. */
function isAboutCaller({ path }: Route, { params, query = {} }: Input, { id }: Pick<ListCaller, 'id'>): boolean {
  const field = FOUND_IN_ONE_CELL[path];
  if (field === undefined) return false;
  const object = params[field] ?? query[field];
  return object === undefined || object === id;
}

/** An object lives in one cell. */
async function readFirst(sources: readonly Source[], query: Query, missing: readonly MissingCell[]): Promise<object> {
  for (const { cell, isHere, read } of sources) {
    const found = await read(query);
    if (found) return isHere ? found : nameCell(found, cell);
  }
  return requireFound(null, missing);
}

/** Pages of an account tell where it lives. */
function nameCell(answer: object, cell: string): object {
  const { data } = answer as { readonly data?: object };
  const named = (row: object): object => ({ ...row, cell: { name: cell, isHere: false } });
  if (data === undefined) return answer;
  return { ...answer, data: Array.isArray(data) ? data.map(named) : named(data) };
}

function requireFound(answer: object | null, missing: readonly MissingCell[]): object {
  if (answer) return answer;
  throw missing.length > 0
    ? new CallError('NOT_READY', { message: CELLS_TEXTS.mayBeIn(missing.map(({ cell }) => cell)) })
    : new CallError('NOT_FOUND');
}

/** Cells may run different versions. */
function requireShape({ path, response }: Route, answer: object): object {
  const { error } = response.safeParse({ success: true, ...answer });
  if (error) throw new Error(`the answer to ${path} has another shape: ${error.message}`);
  return answer;
}

function nullIfUnknown(error: unknown): null {
  if (error instanceof CallError && error.code === 'NOT_FOUND') return null;
  throw error;
}

/** The other cell reads as its own superadmin, in place of the caller. */
function wireOf({ path }: Route, { params, query = {} }: Input, { id, permissions }: ListCaller): CellRead {
  const texts = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value as string | number)] as const],
  );
  return { path, params, query: Object.fromEntries(texts), caller: id, permissions };
}

function callAs<C extends ListCaller>(actor: C): Call<C> {
  const noSession = (): never => {
    throw new Error('A call of another cell has no session.');
  };
  return {
    actor,
    get sessionId() {
      return noSession();
    },
    apiKey: undefined,
    charge: () => {},
    origin: NOWHERE,
    header: () => undefined,
    idempotencyKey: undefined,
    markRepeated: () => {},
    // The other cell stops waiting by itself, and reports stop after their time.
    aborted: new AbortController().signal,
    token: undefined,
    device: undefined,
    setDeviceCookie: noSession,
    setSessionCookie: noSession,
  };
}
