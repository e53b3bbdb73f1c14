import type { ReconciledSums } from "#app/domain/reconciliation/reconciled-day.ts";
import { formatDateTime } from "#app/kit/dates.ts";
import { formatMoney } from "#app/kit/money.ts";

/** How sums compare, worst first. `checked`: every payment was confirmed since it was booked, and nothing differs. */
export type ReconciliationState = "differs" | "unchecked" | "uncheckable" | "checked";

/** The state of a day, or of several. */
export function stateOf({
  differences,
  payments,
  confirmed,
  unchecked,
}: ReconciledSums): ReconciliationState {
  if (differences > 0) return "differs";
  if (unchecked > 0) return "unchecked";
  return confirmed < payments ? "uncheckable" : "checked";
}

/** The result in one line: everything agrees, or exactly what is left. */
export function describeResult(sums: ReconciledSums): string {
  if (stateOf(sums) === "checked") return `Tudo confere: ${soldLabel(sums)}, ${formatMoney(0)} de diferença.`;
  const { differences, differenceCents, unchecked, payments, confirmed } = sums;
  const uncheckable = stateOf(sums) === "uncheckable" ? payments - confirmed : sums.uncheckable;
  return [
    differences > 0 &&
      `${count(differences, "diferença", "diferenças")}, de ${formatMoney(differenceCents)}.`,
    unchecked > 0 &&
      `${unchecked === 1 ? "Falta" : "Faltam"} conferir ${number(unchecked)} de ${count(payments, "pagamento", "pagamentos")}.`,
    uncheckable > 0 &&
      `${count(uncheckable, "pagamento não pode", "pagamentos não podem")} ser ${uncheckable === 1 ? "conferido" : "conferidos"}.`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** How many payments were confirmed, until when, and how many checks are scheduled. */
export function describeChecks({
  payments,
  confirmed,
  confirmedAt,
  scheduled,
  explained,
}: ReconciledSums): string {
  return [
    confirmed > 0 &&
      confirmedAt &&
      `O provedor confirmou ${number(confirmed)} de ${number(payments)} depois de ${payments === 1 ? "lançado" : "lançados"}, ${confirmed === 1 ? "" : "o último "}em ${formatDateTime(confirmedAt)}.`,
    scheduled > 0 &&
      `${number(scheduled)} ${scheduled === 1 ? "está" : "estão"} na fila: perguntamos ao provedor por um de cada vez.`,
    explained > 0 &&
      `${count(explained, "diferença explicada, já lançada", "diferenças explicadas, já lançadas")}.`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** How many days of accounts were compared with the provider's own statement, and what in it is somebody else's. */
export function describeStatements(
  { statementsRead: read, statementsPending: pending, otherPayments: others }: ReconciledSums,
  isDay: boolean,
): string {
  const ofDays = isDay ? "deste dia" : `de ${count(read, "dia", "dias")}`;
  return [
    read > 0 && `O extrato do provedor ${ofDays} foi lido.`,
    others > 0 &&
      `Nele há ${count(others, "pagamento", "pagamentos")} de outros sistemas da mesma conta, que não ${others === 1 ? "é venda" : "são vendas"} daqui.`,
    pending > 0 &&
      (isDay
        ? "Falta ler o extrato do provedor."
        : `Falta ler o extrato de ${count(pending, "dia", "dias")}.`),
  ]
    .filter(Boolean)
    .join(" ");
}

/** The same state as a badge. */
export function describeState(sums: ReconciledSums): string {
  const { differences, unchecked, payments, confirmed } = sums;
  switch (stateOf(sums)) {
    case "differs":
      return count(differences, "diferença", "diferenças");
    case "unchecked":
      return `${unchecked === 1 ? "Falta" : "Faltam"} conferir ${number(unchecked)}`;
    case "uncheckable":
      return `${number(payments - confirmed)} sem conferência`;
    case "checked":
      return "Tudo confere";
  }
}

/** What was sold; payments that are no sale are named as such. */
export function soldLabel({ sales, payments }: ReconciledSums): string {
  return sales === payments ? count(sales, "venda", "vendas") : count(payments, "pagamento", "pagamentos");
}

function count(many: number, one: string, more: string): string {
  return `${number(many)} ${many === 1 ? one : more}`;
}

function number(many: number): string {
  return many.toLocaleString("pt-BR");
}
