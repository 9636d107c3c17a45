import type { playerResults } from '@drawhouse/contract/draws/draws';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { seriesName } from '@drawhouse/rules/games/outcome-names';
import { frequenciesOf, type FrequencyGroup } from '@drawhouse/rules/panel/frequency';
import { useMemo, useState } from 'react';
import { sharedText } from '../../lib/inLanguage.ts';
import { fetchFamily, identityOf, rulesOf } from '../../lib/betting/familyRules.ts';
import { momentText } from '../../lib/amounts.ts';
import type { PageProps } from '../../lib/matchPath.ts';
import { Link } from '../../lib/navigation.ts';
import { call } from '../../lib/server/playerApi.ts';
import { routes } from '../../lib/server/playerRoutes.ts';
import { useQuery } from '../../lib/server/useQuery.ts';
import { AllWinners } from '../../ui/result/AllWinners.tsx';
import { DrawnResult, SourceSign } from '../../ui/result/DrawnResult.tsx';
import { Button } from '../../ui/Button.tsx';
import { SelectField } from '../../ui/fields/Options.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Page, PageHeading, ReadFailure, Skeleton } from '../../ui/Page.tsx';
import { resultTexts as texts } from './resultTexts.ts';
import page from '../../ui/Page.module.css';
import styles from './ResultsPage.module.css';

type Results = RouteAnswer<typeof playerResults>;

export function ResultsPage({ params }: PageProps) {
  const gameId = params['gameId']!;
  const { data, error, reload } = useQuery(`results/${gameId}`, async (signal) => {
    const answer = await call(routes.results, { query: { gameId } }, { signal, background: true });
    await fetchFamily(answer.family);
    return answer;
  });
  return (
    <Page>
      <PageHeading title={texts.title(data?.gameName)}>
        <Link href={`/play/${encodeURIComponent(gameId)}`}>{texts.toBoard}</Link>
      </PageHeading>
      {error !== undefined && <ReadFailure error={error} onRetry={reload} />}
      {data === undefined && error === undefined && <Skeleton heights={[96, 240, 320]} />}
      {data && data.data.length === 0 && <Notice title={texts.none} />}
      {data && data.data.length > 0 && (
        <>
          <ResultList gameId={gameId} results={data} />
          <p className={page.box}>{texts.independent}</p>
          <Frequencies gameId={gameId} results={data} />
        </>
      )}
    </Page>
  );
}

function Frequencies({ gameId, results: { family, digits, data } }: { gameId: string; results: Results }) {
  const groups = useMemo(() => {
    const game = identityOf({ gameId, family, digits });
    if (!game) return [];
    return frequenciesOf(
      rulesOf(game),
      data.map(({ result }) => result),
    );
  }, [gameId, family, digits, data]);
  const names = useMemo(() => new Map(groups.map((group) => [nameOf(group), group])), [groups]);
  const [chosen, setChosen] = useState('');
  const group = names.get(chosen) ?? groups[0];
  if (!group) return null;
  return (
    <section className={`${page.part} ${styles.frequencies}`} aria-labelledby="frequencies">
      <h2 id="frequencies">{texts.frequencies(data.length)}</h2>
      {groups.length > 1 && (
        <SelectField
          label={texts.part}
          value={nameOf(group)}
          options={[...names.keys()].map((name) => [name, name] as const)}
          onChoose={setChosen}
        />
      )}
      <FrequencyTable group={group} />
    </section>
  );
}

/** `K50 Silver Andhar`, `1200 Tens`, `Card`. */
function nameOf({ section, title }: FrequencyGroup): string {
  return sharedText([seriesName(section), title].filter((word) => word !== '').join(' '));
}

function FrequencyTable({ group: { values } }: { group: FrequencyGroup }) {
  const most = Math.max(...values.map(({ count }) => count), 1);
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{texts.outcome}</th>
          <th scope="col">{texts.times}</th>
          <th scope="col">{texts.gap}</th>
        </tr>
      </thead>
      <tbody>
        {values.map(({ value, label, count, since }) => (
          <tr key={value}>
            <th scope="row">{sharedText(label)}</th>
            <td>
              <span className={styles.bar} style={{ '--share': count / most } as object} />
              {count}
            </td>
            <td>{since === null ? texts.never : texts.since(since)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Keeps the frequencies within reach on a phone. */
const SHOWN = 12;

function ResultList({ gameId, results: { family, data } }: { gameId: string; results: Results }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? data : data.slice(0, SHOWN);
  return (
    <section className={page.part} aria-labelledby="results">
      <h2 id="results">{texts.list}</h2>
      <ol className={styles.list}>
        {shown.map((drawn) => (
          <li key={drawn.drawId} data-many={'winners' in drawn.result || undefined}>
            <span className={styles.when}>
              {momentText(drawn.drawsAt)} {'winners' in drawn.result && <SourceSign {...drawn} />}
            </span>
            {'winners' in drawn.result ? (
              <AllWinners result={drawn.result} booster={drawn.booster} />
            ) : (
              <DrawnResult game={{ gameId, family }} drawn={drawn} />
            )}
            {/* Another app: needs a full page load. */}
            <a href={`/fair/${drawn.drawId}`} aria-label={texts.checkNamed(momentText(drawn.drawsAt))}>
              {texts.check}
            </a>
          </li>
        ))}
      </ol>
      {data.length > shown.length && (
        <Button isWide onClick={() => setWhole(true)}>
          {texts.showAll(data.length)}
        </Button>
      )}
    </section>
  );
}
