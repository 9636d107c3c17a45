import { Menu } from '@mantine/core';
import { IconFileSpreadsheet, IconFileTypeCsv, IconPrinter, IconTableExport } from '@tabler/icons-react';
import { commonTexts } from '../../commonTexts.ts';
import type { ListView } from '../../lib/list/useList.ts';
import { mayUse } from '../../lib/session/rights.ts';
import { printPage } from '../print/print.ts';
import { HeadButton } from '../page/PageHeader.tsx';

const texts = commonTexts.exports;
const ICONS = { xlsx: IconFileSpreadsheet, csv: IconFileTypeCsv };
const NAMES = { xlsx: texts.xls, csv: texts.csv };

const print = () => void printPage();

export function PrintButton() {
  return <HeadButton name={texts.print} icon={IconPrinter} variant="default" onClick={print} />;
}

export function ExportMenu<Row>({ view }: { view: ListView<Row> }) {
  if (view.list.files.length === 0 || !view.list.files.every(({ route }) => mayUse(route))) return <PrintButton />;
  return (
    <Menu
      position="bottom-end"
      shadow="md"
      width={200}
      transitionProps={{ duration: 120 }}
      portalProps={{ target: 'main' }}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <HeadButton name={texts.menu} icon={IconTableExport} variant="default" />
      </Menu.Target>
      <Menu.Dropdown aria-label={texts.menu}>
        {view.list.files.map(({ format }) => {
          const Icon = ICONS[format];
          const { state, start } = view[format];
          return (
            <Menu.Item
              key={format}
              leftSection={<Icon size={16} aria-hidden />}
              disabled={state !== null && state.error === null}
              onClick={start}
            >
              {NAMES[format]}
            </Menu.Item>
          );
        })}
        <Menu.Item leftSection={<IconPrinter size={16} aria-hidden />} onClick={print}>
          {texts.print}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
