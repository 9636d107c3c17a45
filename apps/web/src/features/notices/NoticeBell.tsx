import type { ownNotices } from '@drawhouse/contract/auth/own-notices';
import type { RouteAnswer } from '@drawhouse/contract/core/route';
import { ActionIcon, Popover } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBell } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { commonTexts } from '../../commonTexts.ts';
import { afterFirstPage, prefetched } from '../../lib/lazyParts.ts';
import { useOwnNotices } from '../../lib/server/useOwnNotices.ts';
import { may } from '../../lib/session/rights.ts';
import type { Announced } from './announceNotices.ts';
import classes from './NoticeBell.module.css';
import { isPassing, needsPerson, useNotices } from './useNotices.ts';
import { noticesTexts } from './noticesTexts.ts';

const COUNT_MAX = 99;
const usePanel = prefetched(() => import('./NoticePanel.tsx'));

export function NoticeBell() {
  const [opened, { close, toggle }] = useDisclosure(false);
  const [isLater, setLater] = useState(false);
  useEffect(() => afterFirstPage(() => setLater(true)), []);
  const open = useNotices(isLater && may('notices'))?.data.filter((notice) => isPassing(notice) && needsPerson(notice));
  useAnnouncements(open);
  const own = useOwnNotices(isLater).data?.data.filter(({ isRead }) => !isRead);
  useAnnouncements(own?.map(announcedOf));
  const count = (open?.length ?? 0) + (own?.length ?? 0);
  const panel = usePanel(opened);
  return (
    <Popover
      opened={opened}
      onChange={(wanted) => !wanted && close()}
      position="bottom-end"
      width="min(420px, calc(100vw - 16px))"
      trapFocus
      returnFocus
      withinPortal={false}
    >
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          className={classes.bell}
          aria-label={bellText(count)}
          title={bellText(count)}
          onClick={toggle}
        >
          <IconBell size={18} stroke={1.6} aria-hidden />
          {count > 0 && (
            <span className={classes.count} aria-hidden>
              {Math.min(count, COUNT_MAX)}
            </span>
          )}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown} aria-label={noticesTexts.title}>
        {panel && (
          <panel.NoticePanel notices={open ?? []} hasOwn={own !== undefined && own.length > 0} onLeave={close} />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

/** Announces notices that are new since the last poll. */
function useAnnouncements(open: readonly Announced[] | undefined): void {
  const seen = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (!open) return;
    const before = seen.current;
    seen.current = new Set(open.map(({ code, key }) => `${code} ${key}`));
    const began = before ? open.filter(({ code, key }) => !before.has(`${code} ${key}`)) : [];
    if (began.length > 0) void import('./announceNotices.ts').then(({ announce }) => announce(began));
  }, [open]);
}

type OwnNotice = RouteAnswer<typeof ownNotices>['data'][number];

function announcedOf({ _id, kind, by, ipAddress }: OwnNotice): Announced {
  const { title, kinds, by: byText } = commonTexts.ownNotices;
  return { code: `own ${_id}`, key: kinds[kind], title, detail: byText(by, ipAddress) };
}

function bellText(count: number): string {
  return count === 0 ? noticesTexts.title : noticesTexts.needYou(count);
}
