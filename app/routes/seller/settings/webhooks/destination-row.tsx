import type { ComponentProps } from "react";
import { StateBadge } from "#app/routes/seller/settings/webhooks/state-badge.tsx";
import { LinkRow, RowText } from "#app/ui/seller/frame/link-row.tsx";

/** A destination: its name and state, its address (`where`), its events, and its last delivery. */
export function DestinationRow(
  props: { to: string; name: string; where: string; summary: string; last: string } & ComponentProps<
    typeof StateBadge
  >,
) {
  return (
    <LinkRow
      to={props.to}
      name={props.name}
      badge={<StateBadge stopped={props.stopped} failing={props.failing} />}
    >
      <RowText>{props.where}</RowText>
      <RowText small>{props.summary}</RowText>
      <RowText small>{props.last}</RowText>
    </LinkRow>
  );
}

/** `3 eventos`, `1 produto`. */
export function plural(n: number, noun: string): string {
  return n === 1 ? `1 ${noun}` : `${n} ${noun}s`;
}
