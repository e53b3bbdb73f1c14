import { beforeAll, expect, test } from "vitest";
import type { DisputeMailData, MailData } from "#app/db/schema/mail-data.ts";
import { renderMail } from "#app/domain/sale/mails/render-mail.server.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";

let saleId: string;

beforeAll(async () => {
  const seller = await makeSeller();
  saleId = (await makeSale(await makeProduct(seller), { status: "disputed" })).id;
});

/** The seller's mail about a dispute of R$ 97,00. */
async function toSeller(data: Partial<DisputeMailData>): Promise<string> {
  const { mail } = await renderMail({
    ...{ kind: "dispute", saleId, recipient: "vera@exemplo.com.br" },
    data: { what: "opened", amountCents: 9700, suspends: false, ...data },
  });
  return mail.html;
}

/** The buyer's mail about it. */
async function toBuyer(data: Omit<MailData["dispute-access"], "amountCents">): Promise<string> {
  const { mail } = await renderMail({
    ...{ kind: "dispute-access", saleId, recipient: "bia@exemplo.com.br" },
    data: { amountCents: 9700, ...data },
  });
  return mail.html;
}

test("the seller reads whether the buyer keeps the access while the bank decides", async () => {
  const kept = await toSeller({});
  expect(kept).toContain("no banco de quem pagou (MED, no caso do PIX)");
  expect(kept).toContain("O comprador continua com o acesso até a decisão.");
  const suspended = await toSeller({ suspends: true });
  expect(suspended).toContain("O acesso do comprador está suspenso até a decisão.");
});

test.each([
  [{ evidence: "needed", evidenceDueAt: "2099-12-05T12:00:00Z" }, "até <strong>05/12/2099 09:00:00</strong>"],
  [
    { evidence: "needed", evidenceDueAt: "2026-11-05T12:00:00Z" },
    "O prazo para enviar os comprovantes terminou em <strong>05/11/2026 09:00:00</strong>.",
  ],
  [{ evidence: "needed" }, "Envie os comprovantes logo."],
  [{ evidence: "not_needed" }, "O provedor não pede comprovantes por enquanto."],
  [{ evidence: null }, "Veja na página da venda se o provedor pede comprovantes"],
] as const)("of a card's dispute with %j the seller reads “%s”", async (data, advice) => {
  const html = await toSeller({ isCard: true, ...data });
  expect(html).toContain("no banco do cartão (chargeback)");
  expect(html).toContain(advice);
});

test("of a dispute that was won the seller reads that the access is back, where it was suspended", async () => {
  expect(await toSeller({ what: "won", suspends: true })).toContain("foi liberado de novo");
  expect(await toSeller({ what: "won" })).not.toContain("foi liberado de novo");
});

test("the buyer reads what happened to the access, with a button where there is one again", async () => {
  const suspended = await toBuyer({ what: "opened" });
  expect(suspended).toContain("Acesso suspenso");
  expect(suspended).not.toContain("Acessar a compra");
  const back = await toBuyer({ what: "won" });
  expect(back).toContain("Acesso liberado de novo");
  expect(back).toContain("Acessar a compra");
});

test("that the bank took the money back is the seller's statement where only they say so", async () => {
  const stated = "informou que o pagamento da sua compra";
  const recorded = await toBuyer({ what: "lost", isRecorded: true });
  expect(recorded).toContain("Contestação informada");
  expect(recorded).toContain(stated);
  // Mails from before the field have none.
  for (const known of [{ isRecorded: false }, {}]) {
    const reported = await toBuyer({ what: "lost", ...known });
    expect(reported).toContain("Pagamento devolvido");
    expect(reported).toContain("foi aceita:");
    expect(reported).not.toContain(stated);
  }
});
