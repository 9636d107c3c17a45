import { aboutObject, noticeHistory } from '@drawhouse/contract/notices/notice-history';
import { useList } from '../../lib/list/useList.ts';
import { useOwnNotices } from '../../lib/server/useOwnNotices.ts';
import { may } from '../../lib/session/rights.ts';
import { useUser } from '../../lib/session/session.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { ListPage } from '../../ui/page/ListPage.tsx';
import { NameBelow, TwoLines } from '../../ui/mark/StackedText.tsx';
import { ObjectLink } from '../../ui/mark/ObjectLink.tsx';
import { DateTime } from '../../ui/mark/DateTime.tsx';
import type { DataColumn } from '../../ui/table/columns/dataColumn.ts';
import type { ListRow } from '@drawhouse/contract/core/list';
import type { Cells } from '../../ui/table/columns/listColumns.tsx';
import { AlertSettings } from './AlertSettings.tsx';
import { NoticeList } from './NoticeList.tsx';
import { UnreadOwnNotices } from './UnreadOwnNotices.tsx';
import classes from './NoticesPage.module.css';
import { noticesTexts as texts } from './noticesTexts.ts';
import { isPassing, needsPerson, useNotices } from './useNotices.ts';

type Row = ListRow<typeof noticeHistory>;

export function NoticesPage() {
  const { role } = useUser();
  const current = useNotices()?.data.filter(isPassing);
  const hasOwn = useOwnNotices().data?.data.some(({ isRead }) => !isRead) ?? true;
  return (
    <>
      <PageHeader title={texts.title} />
      <div className={classes.current}>
        <UnreadOwnNotices />
        {current && current.length > 0 && (
          <NoticeList notices={current.toSorted((a, b) => Number(needsPerson(b)) - Number(needsPerson(a)))} marks />
        )}
      </div>
      {current?.length === 0 && !hasOwn && <p className={classes.none}>{texts.none.title}.</p>}
      <AlertSettings hasThresholds={role === 'admin' && may('settings')} />
      {(role === 'superadmin' || role === 'admin') && <History />}
    </>
  );
}

function History() {
  const view = useList(noticeHistory, { name: 'notices', queryKey: ['notices', 'history'] });
  return (
    <ListPage
      view={view}
      section
      title={texts.history}
      rowsName="notices"
      rowKey={(row) => row.id}
      rowLabel={(row) => row.title}
      cells={CELLS}
      phone={PHONE}
      empty={texts.emptyHistory}
    />
  );
}

const CELLS: Cells<Row> = {
  title: (row) => <TwoLines text={row.title} />,
  detail: (row) => <TwoLines text={row.detail ?? ''} />,
};

const PHONE: readonly DataColumn<Row>[] = [
  {
    id: 'what',
    header: texts.title,
    phoneOnly: true,
    cell: (row) => (
      <NameBelow name={undefined}>
        {row.title}
        {row.about !== null && (
          <small>
            <ObjectLink about={aboutObject(row)}>{row.about}</ObjectLink>
          </small>
        )}
      </NameBelow>
    ),
  },
  {
    id: 'when',
    header: 'Began',
    phoneOnly: true,
    align: 'right',
    cell: (row) => <DateTime value={row.since} relative />,
  },
];
