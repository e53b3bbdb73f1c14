import { expect, test } from "vitest";
import { sendAccessLinks } from "#app/domain/access/send-access-links.server.ts";
import { DAY } from "#app/kit/duration.ts";
import { sql } from "#tests/support/database.ts";
import { makeProduct, makeSale, makeSeller } from "#tests/support/make.ts";
import { mailsWithTexts, opened } from "#tests/support/rows/make-mail.ts";

const mailsTo = async (email: string) =>
  opened(
    await sql<
      { kind: string; body_sealed: string }[]
    >`select kind, body_sealed from ${mailsWithTexts()} where recipient = ${email}`,
  );

test("all paid purchases of an address go there in one mail, unpaid and other people's do not", async () => {
  const product = await makeProduct(await makeSeller());
  const mine = await makeSale(product, { status: "completed", customerEmail: "eu@exemplo.com.br" });
  const older = await makeSale(product, { status: "completed", customerEmail: "eu@exemplo.com.br" });
  const unpaid = await makeSale(product, { customerEmail: "eu@exemplo.com.br" });
  const refunded = await makeSale(product, { status: "refunded", customerEmail: "eu@exemplo.com.br" });
  const other = await makeSale(product, { status: "completed", customerEmail: "outra@exemplo.com.br" });
  await sendAccessLinks("eu@exemplo.com.br");
  const [mail, ...more] = await mailsTo("eu@exemplo.com.br");
  expect(more).toEqual([]);
  expect(mail!.kind).toBe("access-links");
  const { subject, html } = mail!.payload;
  expect(subject).toBe("Seus acessos");
  for (const sale of [mine, older]) expect(html).toContain(`/thank-you/${sale.id}?chave=`);
  for (const sale of [unpaid, refunded, other]) expect(html).not.toContain(sale.id);
  expect(html).toContain(", comprado em ");
  expect(html).toContain('/minhas-compras"');
});

test("a single purchase is named in the subject", async () => {
  const product = await makeProduct(await makeSeller());
  await makeSale(product, { status: "completed", customerEmail: "uma@exemplo.com.br" });
  await sendAccessLinks("uma@exemplo.com.br");
  const [mail] = await mailsTo("uma@exemplo.com.br");
  expect(mail!.payload.subject).toBe("Seu acesso: Curso de Violão");
});

test("of many purchases the newest twenty are in the mail", async () => {
  const product = await makeProduct(await makeSeller());
  const customerEmail = "muitas@exemplo.com.br";
  const made: string[] = [];
  for (let days = 1; days <= 21; days++) {
    const completedAt = new Date(Date.now() - days * DAY);
    made.push((await makeSale(product, { status: "completed", customerEmail, completedAt })).id);
  }
  await sendAccessLinks(customerEmail);
  const [mail] = await mailsTo(customerEmail);
  const linked = made.filter((id) => mail!.payload.html.includes(`/thank-you/${id}`));
  expect(linked).toEqual(made.slice(0, 20));
});

test("an address that bought nothing gets nothing, and the answer takes as long", async () => {
  const before = performance.now();
  await sendAccessLinks("ninguem@exemplo.com.br");
  expect(performance.now() - before).toBeGreaterThan(240);
  expect(await mailsTo("ninguem@exemplo.com.br")).toEqual([]);
});

test("an empty address finds no sale that was made without one", async () => {
  const product = await makeProduct(await makeSeller());
  await makeSale(product, { status: "completed", customerEmail: null });
  await sendAccessLinks("");
  expect(await mailsTo("")).toEqual([]);
});
