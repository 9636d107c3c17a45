import { Text, Alert, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import classes from '../mark/marks.module.css';
import { haveSameDays } from '@drawhouse/rules/time/zone-days';
import { formatSecond, ownTimeZone } from '../../lib/format/format.ts';
import type { Freshness, MissingCell } from '@drawhouse/contract/core/list';
import { dayZone } from '../../lib/format/serverDays.ts';
import { pageTexts } from '../uiTexts.ts';

export function ClearedNote({ text }: { text: string | null | undefined }) {
  if (!text) return null;
  return (
    <Text role="note" size="sm" c="var(--dh-text-muted)" mb={8}>
      {text}
    </Text>
  );
}

/** Dates reports that may come from a standby. */
export function FreshnessNote({ freshness }: { freshness: Freshness | undefined }) {
  if (!freshness) return null;
  const asOf = formatSecond(freshness.asOf);
  return (
    <Text role="note" size="sm" c="var(--dh-text-muted)" mb={8}>
      {freshness.from === 'standby' ? pageTexts.asOfStandby(asOf) : pageTexts.asOfPrimary(asOf)}
    </Text>
  );
}

/** Other cells that did not answer the superadmin. */
export function MissingCellsNote({ missing }: { missing: readonly MissingCell[] | undefined }) {
  if (!missing) return null;
  return (
    <Stack gap={4} mb={8}>
      {missing.map(({ cell, networks }) => (
        <WarningNote key={cell ?? ''}>
          {cell === null ? pageTexts.cellsUnknown : pageTexts.cellMissing(cell, networks)}
        </WarningNote>
      ))}
    </Stack>
  );
}

/** Where the superadmin of another cell finds no button. */
export function FirstCellNote() {
  return (
    <Alert role="note" variant="light" mb={8}>
      {pageTexts.ofFirstCell}
    </Alert>
  );
}

/** Unlike an alert, does not interrupt a screen reader. */
export function WarningNote({ children }: { children: string }) {
  return (
    <Alert role="note" color="yellow" variant="light" icon={<IconAlertTriangle size={18} aria-hidden />}>
      {children}
    </Alert>
  );
}

/** Shown if the server's days differ from this device's. */
export function ServerDaysNote() {
  const zone = differingServerZone();
  return zone !== null && <span className={classes.zone}>{pageTexts.daysIn(zone.replaceAll('_', ' '))}</span>;
}

/** Null if its days equal this device's. */
function differingServerZone(): string | null {
  const zone = dayZone();
  return haveSameDays(zone, ownTimeZone(), Date.now()) ? null : zone;
}
