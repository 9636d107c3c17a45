import type { fairDraw } from '@drawhouse/contract/draws/draws';
import { hundredthsOf, pointsOf } from '@drawhouse/contract/core/hundredths';
import { lineName } from '@drawhouse/rules/bet-text/line-name';
import { BOOSTER_WEIGHT_SUM, boosterMean } from '@drawhouse/rules/fair/booster';
import { gameFacts } from '@drawhouse/rules/games/game-texts';
import type { GameIdentity, GameRules, Result } from '@drawhouse/rules/games/rules';
import { examplePay, explainedBets, type ExplainedBet } from '@drawhouse/rules/games/worked-examples';
import { resultName } from '@drawhouse/rules/panel/shown-result';
import { useMemo, useState } from 'react';
import { sharedText } from '../../lib/inLanguage.ts';
import { pointsText } from '../../lib/amounts.ts';
import { identityOf } from '../../lib/betting/familyRules.ts';
import type { PageProps } from '../../lib/matchPath.ts';
import { Link } from '../../lib/navigation.ts';
import { richText } from '@drawhouse/session/rich-text';
import { call } from '../../lib/server/playerApi.ts';
import { get } from '../../lib/server/playerRoutes.ts';
import { useQuery } from '../../lib/server/useQuery.ts';
import { OneOf } from '../../ui/fields/Options.tsx';
import { Money } from '../../ui/Figures.tsx';
import { Page, PageHeading, ReadFailure, Skeleton } from '../../ui/Page.tsx';
import { rulesOfPlay, type PlayState } from '../playState.ts';
import { readPlayState } from '../readPlayState.ts';
import { CHIPS, costOf } from '../slip/slipSums.ts';
import { gameTexts, typedBets } from '../gameTexts.ts';
import { rulesTexts as texts } from './rulesTexts.ts';
import styles from './RulesPage.module.css';

const DRAW = get<typeof fairDraw>('fair/draw/:drawId');

export function RulesPage({ params, search }: PageProps) {
  const gameId = params['gameId']!;
  const { data: state, error, reload } = useQuery(`play/${gameId}`, (signal) => readPlayState(gameId, signal));
  const game = state && identityOf({ gameId, family: state.family, digits: state.outcomes.length });
  return (
    <Page>
      <PageHeading
        key={state?.gameName}
        title={state ? texts.title(state.gameName) : texts.titleAlone}
        tabTitle={texts.titleAlone}
      >
        <Link href={`/play/${encodeURIComponent(gameId)}`}>{texts.toBoard}</Link>
      </PageHeading>
      {error !== undefined && <ReadFailure error={error} onRetry={reload} />}
      {state && game ? (
        <Rules state={state} game={game} chip={Number(search.get('chip'))} />
      ) : (
        error === undefined && <Skeleton heights={[120, 200, 200]} label={texts.loading} />
      )}
    </Page>
  );
}

/** Keeps `1-2-4-5` on one line: each dash is followed by a word joiner. */
const unbroken = (text: string): string => text.replaceAll(/(?<=\d)-(?=\d)/g, '-\u2060');

interface RulesProps {
  state: PlayState;
  game: GameIdentity;
  chip: number;
}

function Rules({ state, game, chip }: RulesProps) {
  const { heads, unitPrice, draw, results } = state;
  const rules = useMemo(() => rulesOfPlay(game, heads), [game, heads]);
  const [units, setUnits] = useState(CHIPS.includes(chip) ? chip : CHIPS[0]!);
  const drawId = draw?._id ?? results[0]?.drawId ?? null;
  const { data: published } = useQuery(drawId === null ? null : `rules/${drawId}`, (signal) =>
    call(DRAW, { params: { drawId: drawId ?? '' } }, { signal, background: true }),
  );
  const weights = published?.weights ?? [];
  const mean = weights.length > 0 ? boosterMean(weights) : 1;
  const closesBefore = draw ? Math.round((Date.parse(draw.drawsAt) - Date.parse(draw.closesAt)) / 1000) : null;
  const { draws } = gameTexts[rules.family];
  return (
    <>
      <section className={styles.part} aria-labelledby="draw">
        <h2 id="draw">{texts.draw}</h2>
        <p>{unbroken(draws(gameFacts(rules)))}</p>
        <p>
          {closesBefore !== null && `${texts.closes(closesBefore)} `}
          {texts.unit(unitPrice)} {texts.memory}
        </p>
      </section>
      <section className={styles.part} aria-labelledby="bets">
        <h2 id="bets">{texts.bets}</h2>
        <p>{texts.stake}</p>
        <OneOf
          legend={texts.chip}
          value={String(units)}
          options={CHIPS.map((each) => [String(each), pointsText(costOf(each, unitPrice))] as const)}
          onChoose={(chosen) => setUnits(Number(chosen))}
        />
        <ul className={styles.bets}>
          {explainedBets(rules, gameTexts).map((bet) => (
            <BetKind key={bet.head} {...{ game, rules, bet, mean }} stake={costOf(units, unitPrice)} />
          ))}
        </ul>
      </section>
      <section className={styles.part} aria-labelledby="average">
        <h2 id="average">{texts.average.title}</h2>
        <p>
          {texts.average.about(rules.returns[0]!.return * mean)} {mean > 1 && texts.average.boosted}
        </p>
      </section>
      {weights.length > 0 && <Booster weights={weights} />}
      <Typed rules={rules} />
      <p>
        {/* Another app: needs a full page load. */}
        {richText(texts.fair, { link: <a href="/fair">{texts.fairLink}</a> })}
      </p>
    </>
  );
}

interface BetKindProps {
  game: GameIdentity;
  rules: GameRules;
  bet: ExplainedBet;
  mean: number;
  stake: number;
}

function BetKind({ game, rules, bet, mean, stake }: BetKindProps) {
  const { label } = rules.heads.find(({ name }) => name === bet.head)!;
  const odds = rules.returns.find((each) => each.bet === bet.head)!;
  const paid = pointsOf(examplePay(rules, bet, bet.won, hundredthsOf(stake) ?? 0n));
  const named = (result: Result) => <strong>{sharedText(resultName(game, result))}</strong>;
  return (
    <li>
      <h3>{sharedText(label)}</h3>
      <p>{unbroken(bet.wins)}</p>
      <dl className={styles.odds}>
        <div>
          <dt>{texts.pays}</dt>
          <dd>{texts.payOf(odds.pay)}</dd>
        </div>
        <div>
          <dt>{texts.chance}</dt>
          <dd>{texts.chanceOf(odds.winning, odds.outcomes)}</dd>
        </div>
        <div>
          <dt>{texts.back}</dt>
          <dd>{texts.backOf(odds.return * mean)}</dd>
        </div>
      </dl>
      <p className={styles.example}>
        {richText(texts.example.won, {
          stake: <Money points={stake} />,
          bet: <strong>{unbroken(sharedText(lineName(bet.example, rules)))}</strong>,
          result: named(bet.won),
          pay: <Money points={paid} />,
        })}{' '}
        {bet.lost && richText(texts.example.lost, { result: named(bet.lost) })}
      </p>
    </li>
  );
}

function Booster({ weights }: { weights: readonly number[] }) {
  const chances = weights.flatMap((weight, index) =>
    weight > 0 ? [{ booster: index + 1, chance: weight / BOOSTER_WEIGHT_SUM }] : [],
  );
  const { title, none, about, times, chanceOf } = texts.booster;
  return (
    <section className={styles.part} aria-labelledby="booster">
      <h2 id="booster">{title}</h2>
      {chances.length === 1 && chances[0]!.booster === 1 ? (
        <p>{none}</p>
      ) : (
        <>
          <p>{about}</p>
          <ul className={styles.boosters}>
            {chances.map(({ booster, chance }) => (
              <li key={booster}>
                <strong>{times(booster)}</strong> {chanceOf(chance)}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Typed({ rules }: { rules: GameRules }) {
  const { title, about } = texts.typed;
  return (
    <section className={styles.part} aria-labelledby="typed">
      <h2 id="typed">{title}</h2>
      <p>{about}</p>
      <dl className={styles.typed}>
        {typedBets(rules).map(({ text, means }) => (
          <div key={text}>
            <dt>
              <code>{text}</code>
            </dt>
            <dd>{means}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
