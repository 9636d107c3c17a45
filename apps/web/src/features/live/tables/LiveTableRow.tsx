import type { LiveTable } from '@drawhouse/contract/live/live-tables';
import type { Role } from '@drawhouse/contract/core/primitives';
import type { FamilyName } from '@drawhouse/rules/games/catalogue';
import { rulesFor, type GameRules } from '@drawhouse/rules/games/rules';
import { drawnOutcome } from '@drawhouse/rules/panel/shown-result';
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconAdjustments, IconHourglass, IconUserExclamation } from '@tabler/icons-react';
import { memo, type CSSProperties, type MouseEvent } from 'react';
import { formatPoints } from '../../../lib/format/format.ts';
import { panelPath } from '../../../lib/paths.ts';
import { go } from '../../../lib/navigation.ts';
import { useUser } from '../../../lib/session/session.ts';
import { OutcomePicture, pictureFor } from '../../../ui/pictures/OutcomePicture.ts';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import { Points } from '../../../ui/mark/Points.tsx';
import { readRowClick } from '../../../ui/table/rows/rowClick.ts';
import { StatusBadge, TestBadge } from '../../../ui/mark/StatusBadge.tsx';
import { secondsUntil } from '@drawhouse/session/server-clock';
import {
  clockTarget,
  countdownText,
  intervalSeconds,
  isOver,
  LAST_SECONDS,
  PHASE_LABEL,
  PHASE_TONE,
  phaseAt,
  useServerClock,
  type Phase,
} from '../drawClock.ts';
import { resultName, shortPoints } from '../liveFormat.ts';
import { SourceSign, sourceWord, useChanges } from '../LiveMarks.tsx';
import { exposureOf, isAwaited, numberPart, worstLeaves, AS } from './liveTables.ts';
import { liveTablesTexts } from './liveTablesTexts.ts';
import classes from './LiveTablesPage.module.css';

interface LiveTableRowProps {
  table: LiveTable;
  role: Role;
  offset: number;
  showsAdmin: boolean;
  onAct: (table: LiveTable) => void;
}

export const LiveTableRow = memo(function LiveTableRow({ table, role, offset, showsAdmin, onAct }: LiveTableRowProps) {
  const { gameId, gameName, adminId, username, draw, collection, last } = table;
  const rules = rulesFor({ gameId, family: table.family as FamilyName, digits: table.digits });
  const phase = useServerClock(offset, (now) => phaseAt(table, now));
  const changes = useChanges(collection, draw?._id ?? '');
  const { columns } = liveTablesTexts;
  const href = panelPath(role, gameId, adminId, username);

  function open(event: MouseEvent<HTMLElement>) {
    const where = readRowClick(event);
    if (where === 'elsewhere') window.open(href, '_blank');
    if (where === 'here') go.to(href);
  }

  return (
    // Keyboard users follow the link.
    <tr
      {...AS.row}
      className={classes.row}
      data-awaited={isAwaited(table) || undefined}
      data-quiet={collection === 0 || undefined}
      onClick={open}
      onAuxClick={open}
    >
      <td {...AS.cell} className={classes.game}>
        <OutcomePicture
          gameId={gameId}
          family={table.family}
          {...rules.outcomes[0]!}
          image={table.image}
          size={32}
          className={classes.picture}
        />
        <span className={classes.names}>
          <PathLink href={href} className={classes.name} title={gameName}>
            {gameName}
          </PathLink>
          <span className={showsAdmin ? classes.admin : 'unseen'}>{username}</span>
          <TestBadge isTest={table.testNetwork} />
        </span>
      </td>
      <td {...AS.cell} className={classes.due} data-label={columns.due}>
        <Due table={table} phase={phase} offset={offset} />
      </td>
      <td {...AS.cell} className={classes.state}>
        <State table={table} phase={phase} />
      </td>
      <td {...AS.cell} className={classes.collection} data-label={columns.collection}>
        {changes > 0 && <span key={changes} className={classes.glow} aria-hidden />}
        <Points value={collection} inline />
      </td>
      <WorstCells table={table} />
      <td {...AS.cell} className={classes.exposure} data-label={columns.exposure}>
        <Exposure table={table} />
      </td>
      <td {...AS.cell} className={classes.last} data-label={columns.last}>
        {last === null ? (
          <span className={classes.muted}>{liveTablesTexts.noResult}</span>
        ) : (
          <LastResult table={table} rules={rules} last={last} />
        )}
      </td>
      <td {...AS.cell} className={classes.act} data-apart>
        <Tooltip label={liveTablesTexts.act(gameName, username)}>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={liveTablesTexts.act(gameName, username)}
            onClick={() => onAct(table)}
          >
            <IconAdjustments size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </td>
    </tr>
  );
});

function WorstCells({ table }: { table: LiveTable }) {
  const { collection, worst } = table;
  const { columns } = liveTablesTexts;
  return (
    <>
      <td {...AS.cell} className={classes.worst} data-label={columns.worst}>
        {worst === null ? (
          <span className={classes.muted}>{collection > 0 ? '–' : liveTablesTexts.noStakes}</span>
        ) : (
          <>
            <span className={classes.outcome}>{resultName(table, worst.outcome, worst.result)}</span>
            <span className={classes.muted}>{liveTablesTexts.pays(formatPoints(worst.pays))}</span>
          </>
        )}
      </td>
      <td {...AS.cell} className={classes.leaves} data-label={columns.leaves}>
        {worst === null ? (
          <span className={classes.muted}>–</span>
        ) : (
          <>
            <Points value={worstLeaves(table)} inline />
            {worst.boosted && (
              <span className={classes.muted}>
                {worst.boosted.booster} X <Points value={worstLeaves(table, true)} inline />
              </span>
            )}
          </>
        )}
      </td>
    </>
  );
}

/** Shows the most that the table can cost, up to where it refuses bets. The mark shows where its balance ends. */
function Exposure({ table }: { table: LiveTable }) {
  const { takes, balance, line } = table.exposure;
  const { part, zero, room, level } = exposureOf(table);
  const ofNumber = numberPart(table);
  const { exposure: texts } = liveTablesTexts;
  const why = texts.why(formatPoints(takes), formatPoints(balance), formatPoints(line));
  return (
    <Tooltip label={why} multiline w={280}>
      <span className={classes.bars} data-level={level}>
        <span className={classes.bar} style={{ '--part': part, '--zero': zero } as CSSProperties} aria-hidden />
        <span className={classes.room}>{room === 0 && takes > 0 ? texts.full : texts.room(shortPoints(room))}</span>
        {ofNumber !== null && (
          <span className={classes.muted} data-full={ofNumber >= 1 || undefined}>
            {texts.number(shortPoints(table.fullest), shortPoints(table.perNumber!))}
          </span>
        )}
        <span className="unseen">{why}</span>
      </span>
    </Tooltip>
  );
}

function Due({ table, phase, offset }: { table: LiveTable; phase: Phase; offset: number }) {
  const target = clockTarget(table, phase);
  const seconds = useServerClock(offset, (now) => (target === null ? -1 : secondsUntil(target, now)));
  if (target === null) return <span className={classes.muted}>–</span>;
  const next = isOver(phase);
  return (
    <>
      {next && <span className={classes.next}>{liveTablesTexts.nextIn} </span>}
      <span role="timer" className={classes.countdown} data-last={(!next && seconds <= LAST_SECONDS) || undefined}>
        {countdownText(seconds, table.draw ? intervalSeconds(table.draw) : 0)}
      </span>
    </>
  );
}

function State({ table, phase }: { table: LiveTable; phase: Phase }) {
  const user = useUser();
  const {
    saved,
    awaited: [awaited],
  } = table;
  if (awaited && !(phase === 'waiting' && saved))
    return (
      <span className={classes.waits}>
        <IconHourglass size={16} aria-hidden />
        <span>
          <strong>{liveTablesTexts.awaitsOutside(awaited.outside)}</strong>
          <span className={classes.muted}>{PHASE_LABEL[phase]}</span>
        </span>
      </span>
    );
  if (phase === 'waiting' && saved) {
    return (
      <span className={classes.waits}>
        <IconUserExclamation size={16} aria-hidden />
        <span>
          <strong>{saved.byId === user._id ? liveTablesTexts.awaited : liveTablesTexts.awaitsYou}</strong>
          <span className={classes.muted}>{liveTablesTexts.xBy(saved.result, saved.booster, saved.by)}</span>
        </span>
      </span>
    );
  }
  return (
    <>
      <StatusBadge tone={PHASE_TONE[phase]}>{PHASE_LABEL[phase]}</StatusBadge>
      {phase === 'saved' && saved && (
        <span className={classes.muted}>
          {saved.result}, {saved.booster} X
        </span>
      )}
    </>
  );
}

interface LastResultProps {
  table: LiveTable;
  rules: GameRules;
  last: NonNullable<LiveTable['last']>;
}

function LastResult({ table, rules, last }: LastResultProps) {
  const outcome = drawnOutcome({ data: rules.outcomes, dataCardTypes: rules.cardTypes ?? [] }, last.result);
  const picture = outcome && pictureFor(table, outcome);
  return (
    <>
      {picture && <OutcomePicture {...picture} size={28} className={classes.picture} />}
      <span className={classes.names}>
        <span className={classes.outcome}>{resultName(table, last.result, last.drawno)}</span>
        <span className={classes.from}>
          {last.booster} X <SourceSign source={last.source} outside={last.outside} />
          <span className="unseen">{sourceWord(last)}</span>
        </span>
      </span>
    </>
  );
}
