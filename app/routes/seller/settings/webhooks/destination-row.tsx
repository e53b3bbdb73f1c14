import type { ComponentProps } from "react";
import { StateBadge } from "#app/routes/seller/settings/webhooks/state-badge.tsx";
import { LinkRow, RowText } from "#app/ui/seller/frame/link-row.tsx";

/** One of those who are told: its name and state, `where` it is, what it is told of, and what came last. */
export function DestinationRow(
  props: { to: string; name: string; where: string; told: string; last: string } & ComponentProps<
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
      <RowText small>{props.told}</RowText>
      <RowText small>{props.last}</RowText>
    </LinkRow>
  );
}

/** `3 eventos`, `1 produto`. */
export function plural(n: number, word: string): string {
  return n === 1 ? `1 ${word}` : `${n} ${word}s`;
}
