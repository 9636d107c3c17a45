import { Skeleton } from '@mantine/core';
import { pagePath } from '../../../lib/paths.ts';
import { useUser } from '../../../lib/session/session.ts';
import { PageHeader } from '../../../ui/page/PageHeader.tsx';
import { ErrorState } from '../../../ui/page/PageStates.tsx';
import { PathLink } from '../../../ui/page/PathLink.tsx';
import { usePanel } from './feed/usePanel.ts';
import { PanelFrame } from './PanelFrame.tsx';
import classes from './LivePanelPage.module.css';
import { liveTexts } from '../liveTexts.ts';

/** No such pair. Other refusals may pass. */
const UNKNOWN: readonly string[] = ['NOT_FOUND', 'INVALID_INPUT'];

interface LivePanelPageProps {
  gameId: string;
  adminId: string;
  /** Name in the link; the panel knows the current one. */
  username: string;
}

export function LivePanelPage({ adminId: adminIdParam, ...props }: LivePanelPageProps) {
  // Links may use capitals; server ids are lowercase.
  const adminId = adminIdParam.toLowerCase();
  return <PanelOfPair key={`${props.gameId}/${adminId}`} adminId={adminId} {...props} />;
}

function PanelOfPair({ gameId, adminId, username }: LivePanelPageProps) {
  const live = usePanel(gameId, adminId);
  const { panel, refusal, refresh } = live;
  // Applies to a shown panel too: the game may be unassigned, or the admin moved.
  if (refusal && UNKNOWN.includes(refusal.code)) return <UnknownPanel />;
  if (!panel) {
    return (
      <>
        <PageHeader title={liveTexts.livePanel} of={username} />
        {refusal ? <ErrorState message={refusal.message} onRetry={refresh} /> : <PanelSkeleton />}
      </>
    );
  }
  return <PanelFrame live={live} panel={panel} />;
}

/** The spec shows no panel for an unknown pair (docs/spec/game-operations.md §2). */
function UnknownPanel() {
  const { role } = useUser();
  return (
    <PageHeader
      title={liveTexts.livePanel}
      action={<PathLink href={pagePath(role, 'game')}>{liveTexts.allTables}</PathLink>}
    />
  );
}

const TILES = Array.from({ length: 10 }, (_, index) => index);

function PanelSkeleton() {
  return (
    <section className={classes.page} aria-busy aria-label={liveTexts.loadingPanel}>
      <Skeleton height={56} width={280} />
      <Skeleton height={40} />
      <div className={classes.middle}>
        <div className={classes.skeletonGrid}>
          {TILES.map((tile) => (
            <Skeleton key={tile} height={136} radius={8} />
          ))}
        </div>
        <Skeleton height={420} radius={8} visibleFrom="sm" />
      </div>
    </section>
  );
}
