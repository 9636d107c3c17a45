import type { LimitName } from '@drawhouse/contract/games/limits';
import { earnCommission } from '@drawhouse/rules/games/wins';
import { PAY, RETAILER_OF, type Command, type Target } from './interleaving-commands.ts';
import type { EndedDraw, Event, Played } from './interleaving-record.ts';

type Bet = Event & { readonly command: Command & { do: 'bet' } };
type Limit = Event & { readonly command: Command & { do: 'limit' } };
type Toggle = Event & { readonly command: Command & { do: 'toggle' } };

const isBet = (event: Event): event is Bet => event.command.do === 'bet';
const isTaken = (bet: Bet): boolean => bet.ticket !== undefined;

/**
 * Some serial order of the commands must explain all answers and the final state; overlapping commands may go either
 * way.
 */
export function faultsOf(played: Played): string[] {
  const bets = played.events.filter(isBet);
  return [
    ...played.deadlocks.map((statement) => `A ring of locks ended ${statement}.`),
    ...wrongTickets(played, bets),
    ...bets.flatMap((bet) => (isTaken(bet) ? wrongTaken(played, bet) : wrongRefused(played, bet, bets))),
    ...overLimits(played, bets),
    ...wrongEnds(played),
    ...wrongCovers(played),
    ...wrongWallets(played),
  ];
}

const describeEvent = (event: Event): string =>
  `${JSON.stringify(event.command)} [${event.began}–${event.ended}] ${event.code ?? event.status}`;

/** One ticket per request across servers; stored data matches answers and the closed draw. */
function wrongTickets({ draws }: Played, bets: readonly Bet[]): string[] {
  const byRequest = new Map<string, Set<string>>();
  for (const { request, ticket } of bets)
    if (ticket) byRequest.set(request, (byRequest.get(request) ?? new Set()).add(ticket.id));
  const acknowledged = new Set([...byRequest.values()].flatMap((ids) => [...ids]));
  const stored = draws.flatMap(({ tickets }) => tickets);
  return [
    ...[...byRequest].flatMap(([request, ids]) =>
      ids.size > 1 ? [`Request ${request} has ${ids.size} tickets.`] : [],
    ),
    ...stored.flatMap(({ id }) => (acknowledged.has(id) ? [] : [`Ticket ${id} is stored and was told nobody.`])),
    ...[...acknowledged].flatMap((id) => {
      const times = stored.filter((ticket) => ticket.id === id).length;
      return times === 1 ? [] : [`Ticket ${id} was told and is stored ${times} times.`];
    }),
    ...draws.flatMap(({ id, status, ticket_count, tickets }) =>
      status !== 'open' && tickets.length !== ticket_count
        ? [`Draw ${id} was closed over ${ticket_count} tickets and has ${tickets.length}.`]
        : [],
    ),
  ];
}

/** Betting was over, or the player shut out, before the bet began. */
function wrongTaken({ events, draws }: Played, bet: Bet): string[] {
  const faults: string[] = [];
  const draw = draws.find(({ id }) => id === bet.ticket!.drawId);
  if (bet.ticket!.stake !== bet.stake)
    faults.push(`${describeEvent(bet)} cost ${bet.ticket!.stake}, not ${bet.stake}.`);
  const isFirst = !events.some(
    (other) => isBet(other) && other !== bet && other.request === bet.request && other.ticket,
  );
  if (!isFirst) return faults;
  if (draw && bet.at >= draw.closes_at) faults.push(`${describeEvent(bet)} was taken after its draw's time.`);
  for (const end of events)
    if (end.drawId === bet.ticket!.drawId && end.status === 200 && end.ended < bet.began)
      faults.push(`${describeEvent(bet)} was taken after ${describeEvent(end)}.`);
  for (const shut of shutOuts(events, bet)) {
    const letIn = events.some(
      (other) => isToggle(other, shut.command.target, true) && other.ended >= shut.began && other.began <= bet.ended,
    );
    if (shut.ended < bet.began && !letIn) faults.push(`${describeEvent(bet)} was taken after ${describeEvent(shut)}.`);
  }
  return faults;
}

function isToggle(event: Event, { role, at }: Target, active: boolean): event is Toggle {
  const { command } = event;
  return (
    command.do === 'toggle' &&
    event.status === 200 &&
    command.active === active &&
    command.target.role === role &&
    command.target.at === at
  );
}

function shutOuts(events: readonly Event[], { command: { player } }: Bet): Toggle[] {
  const targets: Target[] = [
    { role: 'user', at: player },
    { role: 'retailer', at: RETAILER_OF[player]! },
  ];
  return targets.flatMap((target) => events.filter((event): event is Toggle => isToggle(event, target, false)));
}

function wrongRefused(played: Played, bet: Bet, bets: readonly Bet[]): string[] {
  const { events, before, players } = played;
  const could = (is: boolean): string[] => (is ? [] : [`${describeEvent(bet)} had no reason to be refused.`]);
  const beganBefore = (event: Event): boolean => event.began <= bet.ended;
  switch (bet.code) {
    case 'BETTING_CLOSED':
    case 'GAME_UNAVAILABLE':
      return could(
        events.some(
          (event) =>
            beganBefore(event) && (event.command.do === 'tick' || (event.drawId !== undefined && event.status === 200)),
        ),
      );
    case 'ACCOUNT_INACTIVE':
    case 'SESSION_ENDED':
    case 'NOT_SIGNED_IN':
      return could(shutOuts(events, bet).some(beganBefore));
    case 'INSUFFICIENT_CREDIT': {
      const staked = sumOf(
        bets.filter(
          (other) => isTaken(other) && other.command.player === bet.command.player && other.request !== bet.request,
        ),
      );
      return could(before.get(`credit ${players[bet.command.player]!}`)! - staked < bet.stake);
    }
    case 'LIMIT_REACHED':
      return could(limitReached(played, bet, bets));
    default:
      return [`${describeEvent(bet)} is no answer to a bet.`];
  }
}

/** A limit in effect could have been reached, counting all other accepted bets. */
function limitReached(played: Played, bet: Bet, bets: readonly Bet[]): boolean {
  const others = bets.filter((other) => isTaken(other) && other.request !== bet.request);
  const own = others.filter(({ command }) => command.player === bet.command.player);
  const least = (name: LimitName): bigint | undefined =>
    boundsOf(played, bet, name).reduce<bigint | undefined>(
      (low, limit) => (limit !== null && (low === undefined || limit < low) ? limit : low),
      undefined,
    );
  const over = (sum: bigint, limit: bigint | undefined): boolean => limit !== undefined && sum > limit;
  return (
    over(bet.stake, least('perTicket')) ||
    over(sumOf(own) + bet.stake, least('perPlayer')) ||
    bet.lines.some(([digit]) => over(stakedOn(digit, [...others, bet]), least('perNumber')))
  );
}

function sumOf(bets: readonly Bet[]): bigint {
  return firsts(bets).reduce((sum, { stake }) => sum + stake, 0n);
}

function stakedOn(digit: number, bets: readonly Bet[]): bigint {
  return firsts(bets).reduce(
    (sum, { lines }) => lines.reduce((more, [on, qty]) => (on === digit ? more + BigInt(qty) * 100n : more), sum),
    0n,
  );
}

function firsts(bets: readonly Bet[]): Bet[] {
  return [...new Map(bets.map((bet) => [bet.request, bet])).values()];
}

/** Possibly in effect during the bet; null: none. */
function boundsOf({ limits, events }: Played, bet: Bet, name: LimitName): (bigint | null)[] {
  const changes = events.filter(
    (event): event is Limit => event.command.do === 'limit' && event.command.name === name && event.status === 200,
  );
  const inHundredths = (points: number | null): bigint | null => (points === null ? null : BigInt(points) * 100n);
  const isOver = (ended: number): boolean => changes.some((later) => later.began > ended && later.ended < bet.began);
  return [
    ...(changes.some(({ ended }) => ended < bet.began) ? [] : [inHundredths(limits[name])]),
    ...changes
      .filter(({ began, ended }) => began <= bet.ended && !isOver(ended))
      .map(({ command }) => inHundredths(command.points)),
  ];
}

function overLimits(played: Played, bets: readonly Bet[]): string[] {
  const faults: string[] = [];
  for (const { tickets } of played.draws) {
    const sofar: Bet[] = [];
    for (const { id } of tickets) {
      const same = bets.filter(({ ticket }) => ticket?.id === id);
      const bet = same[0];
      if (!bet) continue;
      sofar.push(bet);
      const most = (name: LimitName): bigint | null => {
        const bounds = same.flatMap((each) => boundsOf(played, each, name));
        return bounds.includes(null)
          ? null
          : bounds.reduce<bigint>((high, limit) => (limit! > high ? limit! : high), 0n);
      };
      const check = (name: LimitName, sum: bigint): void => {
        const limit = most(name);
        if (limit !== null && sum > limit)
          faults.push(`${describeEvent(bet)}: ${name} comes to ${sum}, and ${limit} was the most.`);
      };
      check('perTicket', bet.stake);
      check('perPlayer', sumOf(sofar.filter(({ command }) => command.player === bet.command.player)));
      for (const [digit] of bet.lines) check('perNumber', stakedOn(digit, sofar));
    }
  }
  return faults;
}

function wrongEnds({ draws, events }: Played): string[] {
  const faults: string[] = [];
  for (const draw of draws) {
    const ends = events.filter(
      ({ command, drawId, status }) =>
        drawId === draw.id && status === 200 && (command.do === 'void' || command.do === 'generate'),
    );
    if (ends.length > 1) faults.push(`Draw ${draw.id} was ended by ${ends.map(describeEvent).join(' and ')}.`);
    const wanted = ends[0]?.command.do === 'void' ? 'void' : ends[0] ? 'settled' : undefined;
    if (wanted !== undefined && draw.status !== wanted)
      faults.push(`Draw ${draw.id} is ${draw.status} after ${describeEvent(ends[0]!)}.`);
    if (draw.tickets.length > 0 && draw.status !== 'settled' && draw.status !== 'void')
      faults.push(`Draw ${draw.id} is ${draw.status} after its time.`);
  }
  const mayBe = ({ command, code }: Event): boolean =>
    code === 'DRAW_STATE' || (command.do === 'limit' && code === 'INVALID_INPUT');
  for (const event of events)
    if (event.command.do !== 'bet' && event.status !== 200 && !mayBe(event))
      faults.push(`${JSON.stringify(event.command)} failed by ${event.code}.`);
  return faults;
}

function winOf({ lines }: Bet, { result, booster }: EndedDraw): bigint {
  const units = lines.reduce((sum, [digit, qty]) => (String(digit) === result!.drawno ? sum + qty : sum), 0);
  return BigInt(units) * 100n * PAY * BigInt(booster!);
}

/**
 * Cover must equal the result's cost beyond the table's spare balance, which other draws' needs and settlements shift.
 */
function wrongCovers(played: Played): string[] {
  const faults: string[] = [];
  const isAlone = played.draws.filter(({ tickets }) => tickets.length > 0).length <= 1;
  let table = played.before.get('table') ?? 0n;
  let highest = table;
  for (const draw of played.draws) {
    const cost = draw.status === 'settled' ? costOf(played, draw) : { ofWins: 0n, commissions: 0n };
    const most = draw.source === 'declared' ? clampToZero(cost.ofWins + cost.commissions) : 0n;
    const least = clampToZero(most - clampToZero(highest));
    if (draw.cover < least || draw.cover > (isAlone ? least : most))
      faults.push(`Draw ${draw.id} has a cover of ${draw.cover}, not ${least} to ${isAlone ? least : most}.`);
    table += draw.cover - cost.ofWins;
    if (table > highest) highest = table;
  }
  return faults;
}

function costOf({ events, players, earners }: Played, draw: EndedDraw): { ofWins: bigint; commissions: bigint } {
  const bets = events.filter(isBet);
  let ofWins = 0n;
  const earned = new Map<string, { stake: bigint; rate: bigint }>();
  for (const { id: ticketId, account_id: player, stake } of draw.tickets) {
    const bet = bets.find(({ ticket }) => ticket?.id === ticketId);
    if (bet) ofWins += winOf(bet, draw) - stake;
    for (const { id, commission } of earners[players.indexOf(player)]!)
      earned.set(id, { stake: (earned.get(id)?.stake ?? 0n) + stake, rate: BigInt(commission) });
  }
  const commissions = [...earned.values()].map(({ stake, rate }) => (stake * rate + 9_999n) / 10_000n);
  return { ofWins, commissions: commissions.reduce((sum, each) => sum + each, 0n) };
}

function clampToZero(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}

function wrongWallets({ before, after, carried, draws, events, players, earners, adminId }: Played): string[] {
  const expected = new Map(before);
  const add = (name: string, amount: bigint): void => void expected.set(name, (expected.get(name) ?? 0n) + amount);
  const bets = events.filter(isBet);
  const remainders = new Map(carried);
  for (const draw of draws) {
    add(`credit ${adminId}`, -draw.cover);
    add('table', draw.cover);
    if (draw.status !== 'settled') continue;
    const staked = new Map<number, bigint>();
    for (const { id, stake } of draw.tickets) {
      const bet = bets.find(({ ticket }) => ticket?.id === id);
      if (!bet) continue;
      const { player } = bet.command;
      const win = winOf(bet, draw);
      staked.set(player, (staked.get(player) ?? 0n) + stake);
      add(`credit ${players[player]!}`, win - stake);
      add('table', stake - win);
    }
    for (const [player, stake] of staked)
      for (const { id, commission } of earners[player]!) {
        const { paid, remainder } = earnCommission(remainders.get(id) ?? 0n, stake, commission);
        remainders.set(id, remainder);
        add(`commission ${id}`, paid);
        add('table', -paid);
      }
  }
  return [...expected].flatMap(([name, balance]) =>
    after.get(name) === balance ? [] : [`Wallet ${name} has ${after.get(name)}, not ${balance}.`],
  );
}
