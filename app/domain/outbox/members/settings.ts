import type { MemberKind, NewsEvent } from "#app/db/schema/lists.ts";

export const MEMBER_NAMES: Record<MemberKind, string> = { cademi: "Cademí", memberkit: "MemberKit" };

/** Which classes a thing on sale leads to; `item` is its code (`itemCode`). */
export type ItemClasses = { item: string; ids: number[] };

/** A class as the service named it. */
export type NamedClass = { id: number; name: string };

/** What a member area keeps. */
export type MemberSettings = {
  /** Cademí: the area's name in its address. Empty elsewhere. */
  area: string;
  /** Cademí: whether buyers' CPF or CNPJ is sent. */
  withDocument: boolean;
  /** MemberKit: what leads where. At Cademí that is said there. */
  classes: ItemClasses[];
  /** MemberKit: the classes that the last test was answered with, for whoever fills in the form. */
  known: NamedClass[];
  /** Cademí: to whom the last test opened what. */
  test: { email: string; item: string; name: string };
};

/** An area's name in its address: `minha-escola` of `minha-escola.cademi.com.br`. */
export const AREA = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** What an area is told of. */
export function accessEvents(revokes: boolean): NewsEvent[] {
  return revokes ? ["access.granted", "access.revoked"] : ["access.granted"];
}
