import { expect, test } from "vitest";
import { describeChecks, describeResult, describeState } from "#app/domain/reconciliation/describe-sums.ts";
import { EMPTY_SUMS, type ReconciledSums, sumDays } from "#app/domain/reconciliation/reconciled-day.ts";

const sums = (fields: Partial<ReconciledSums>): ReconciledSums => ({ ...EMPTY_SUMS, ...fields });
const plain = (text: string) => text.replaceAll("\u00a0", " ");

test.each([
  [
    { sales: 1203, payments: 1203, confirmed: 1203 },
    "Tudo confere: 1.203 vendas, R$ 0,00 de diferença.",
    "Tudo confere",
  ],
  [
    { sales: 1, payments: 1, confirmed: 1, explained: 1 },
    "Tudo confere: 1 venda, R$ 0,00 de diferença.",
    "Tudo confere",
  ],
  [
    { sales: 1, payments: 2, confirmed: 2 },
    "Tudo confere: 2 pagamentos, R$ 0,00 de diferença.",
    "Tudo confere",
  ],
  [{ sales: 40, payments: 40, unchecked: 12 }, "Faltam conferir 12 de 40 pagamentos.", "Faltam conferir 12"],
  [{ sales: 1, payments: 1, unchecked: 1 }, "Falta conferir 1 de 1 pagamento.", "Falta conferir 1"],
  [
    { sales: 3, payments: 3, confirmed: 2, uncheckable: 1 },
    "1 pagamento não pode ser conferido.",
    "1 sem conferência",
  ],
  [
    { sales: 9, payments: 9, differences: 2, differenceCents: 14_700, unchecked: 1, uncheckable: 2 },
    "2 diferenças, de R$ 147,00. Falta conferir 1 de 9 pagamentos. 2 pagamentos não podem ser conferidos.",
    "2 diferenças",
  ],
])("the result says that everything agrees, or exactly what is left: %o", (fields, result, badge) => {
  const known = sums(fields);
  expect(plain(describeResult(known))).toBe(result);
  expect(describeState(known)).toBe(badge);
});

test("the checks say how many were confirmed until when, what is scheduled and what is explained", () => {
  const confirmedAt = new Date("2026-11-26T11:10:00Z");
  expect(describeChecks(sums({ payments: 3, confirmed: 2, confirmedAt, scheduled: 1, explained: 2 }))).toBe(
    "O provedor confirmou 2 de 3 depois de lançados, o último em 26/11/2026 08:10. 1 está na fila: perguntamos ao provedor por um de cada vez. 2 diferenças explicadas, já lançadas.",
  );
  expect(describeChecks(EMPTY_SUMS)).toBe("");
});

test("days are summed, and the newest confirmation counts", () => {
  const [older, newer] = [new Date(1000), new Date(2000)];
  const days = [
    { ...sums({ payments: 2, netCents: 10, confirmedAt: newer }), day: "2026-11-02" },
    { ...sums({ payments: 3, netCents: -4, confirmedAt: older }), day: "2026-11-01" },
  ];
  expect(sumDays(days)).toEqual(sums({ payments: 5, netCents: 6, confirmedAt: newer }));
  expect(sumDays([])).toEqual(EMPTY_SUMS);
});
